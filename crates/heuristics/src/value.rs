//! What was learnt about a game, as one value that searches share.

use crate::{FeatureSet, Features, Outputs, Weights};
use std::sync::Arc;

/// Features with their weights, and what the outputs mean. Clones share them.
#[derive(Debug, Clone)]
pub struct Value {
    /// The features.
    pub features: Arc<Features>,
    /// Their weights.
    pub weights: Arc<Weights>,
    /// The meaning of the outputs.
    pub outputs: Outputs,
}

impl Value {
    /// A value whose parts were read from elsewhere, if they fit together.
    pub fn of(set: FeatureSet, weights: Weights, outputs: Outputs) -> Option<Value> {
        if !set.is_sound() || outputs.count() == 0 {
            return None;
        }
        let features = Features::new(set);
        let weights = weights.fitted(&features, outputs.count())?;
        Some(Value {
            features: Arc::new(features),
            weights: Arc::new(weights),
            outputs,
        })
    }

    /// The same value for states whose bits are in another order: `order` has for each bit of
    /// such a state its bit before, if it has one.
    pub fn reordered(&self, order: &[Option<u32>]) -> Value {
        let data = self.features.data().reordered(order);
        Value {
            features: Arc::new(Features::new(data)),
            weights: self.weights.clone(),
            outputs: self.outputs,
        }
    }
}
