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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blank, Sets, Table, Tuple};

    fn set() -> FeatureSet {
        FeatureSet {
            bits: vec![Some((0, 1)), Some((1, 1)), None],
            sizes: vec![2, 2],
            tables: vec![Table {
                sizes: vec![2, 2],
                blank: Blank::First(0),
            }],
            tuples: vec![Tuple {
                table: 0,
                variables: vec![Some(0), Some(1)],
            }],
            sets: Sets {
                bits: vec![2],
                values: vec![vec![false], vec![true]],
            },
        }
    }

    fn weights(set: FeatureSet, outputs: usize) -> Weights {
        Weights::new(&Features::new(set), outputs)
    }

    #[test]
    fn parts_that_fit_make_a_value() {
        let value = Value::of(set(), weights(set(), 1), Outputs::Opposed);
        assert_eq!(value.map(|value| value.features.entries()), Some(4));
    }

    #[test]
    fn parts_that_do_not_fit_make_none() {
        let of = |change: &dyn Fn(&mut FeatureSet)| {
            let mut changed = set();
            change(&mut changed);
            Value::of(changed, weights(set(), 1), Outputs::Opposed).is_none()
        };
        assert!(of(&|set| set.bits[0] = Some((2, 0))));
        assert!(of(&|set| set.bits[0] = Some((0, 2))));
        assert!(of(&|set| set.sizes[0] = 0));
        assert!(of(&|set| set.tables[0].sizes = vec![u32::MAX, u32::MAX]));
        assert!(of(&|set| set.tables[0].sizes.clear()));
        assert!(of(&|set| set.tables[0].sizes = vec![2, 3]));
        assert!(of(&|set| set.sets.bits[0] = 3));
        assert!(of(&|set| set.sets.values[0].clear()));
        assert!(of(&|set| set.sets = Sets::default()));
        let others = weights(set(), 2);
        assert!(Value::of(set(), others, Outputs::Opposed).is_none());
        let none = Outputs::Each { roles: 0 };
        assert!(Value::of(set(), weights(set(), 1), none).is_none());
    }
}
