//! The value of states for each role: learnt during the search, or known before it.

use crate::{Evaluation, Evaluator, Reference, Value, logistic};

/// What states are worth, for searches.
#[derive(Debug, Clone)]
pub enum StateValue {
    /// A value that is learnt during the search.
    Learning(Evaluation),
    /// A value that was learnt before.
    Known(Box<Known>),
}

/// A value that was learnt before, with a state from which others are evaluated.
#[derive(Debug, Clone)]
pub struct Known {
    value: Value,
    evaluator: Evaluator,
    reference: Reference,
}

impl StateValue {
    /// A value that was learnt before.
    pub fn known(value: Value) -> StateValue {
        StateValue::Known(Box::new(Known {
            evaluator: Evaluator::new(value.features.clone()),
            reference: Reference::new(&value.features),
            value,
        }))
    }

    /// Whether it was learnt before.
    pub fn is_known(&self) -> bool {
        matches!(self, StateValue::Known(_))
    }

    /// Sets the reference state, with one bit for each fact. States close to it are evaluated
    /// fast.
    pub fn near(&mut self, bits: &[u64]) {
        match self {
            StateValue::Learning(evaluation) => evaluation.near(bits),
            StateValue::Known(known) => known.evaluator.set(&mut known.reference, bits),
        }
    }

    /// The value of a state for a role, 0 to 1.
    pub fn value(&mut self, bits: &[u64], role: usize) -> f32 {
        match self {
            StateValue::Learning(evaluation) => evaluation.value(bits, role),
            StateValue::Known(known) => {
                let Known {
                    value,
                    evaluator,
                    reference,
                } = &mut **known;
                let (output, sign) = value.outputs.of_role(role);
                logistic(sign * evaluator.value(reference, &value.weights, bits, output))
            }
        }
    }

    /// Learns the value of a state for each role, 0 to 1. What is known already stays as it is.
    pub fn learn(&mut self, bits: &[u64], worth: &[f64]) {
        if let StateValue::Learning(evaluation) = self {
            evaluation.learn(bits, worth);
        }
    }
}
