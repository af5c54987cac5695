//! What the outputs of a value mean.

use crate::weights::{logistic, logit};
use serde::{Deserialize, Serialize};

/// Logits of a result that is certain, beyond any estimate.
pub const CERTAIN: f32 = 20.0;

/// How results of roles become outputs of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outputs {
    /// Two roles whose results add up to a constant: one output, the result of the first.
    Opposed,
    /// One output for each role.
    Each {
        /// The number of roles.
        roles: usize,
    },
}

impl Outputs {
    /// The outputs of a game. `opposed` if there are two roles whose results add up to 100.
    pub fn new(roles: usize, opposed: bool) -> Outputs {
        match opposed && roles == 2 {
            true => Outputs::Opposed,
            false => Outputs::Each { roles },
        }
    }

    /// The number of outputs.
    pub fn count(self) -> usize {
        match self {
            Outputs::Opposed => 1,
            Outputs::Each { roles } => roles,
        }
    }

    /// The output that tells the worth of a state for a role, and its sign.
    #[inline]
    pub fn of_role(self, role: usize) -> (usize, f32) {
        match self {
            Outputs::Opposed if role == 0 => (0, 1.0),
            Outputs::Opposed => (0, -1.0),
            Outputs::Each { .. } => (role, 1.0),
        }
    }

    /// What values of a state are worth for a role: more is better. In logits.
    #[inline]
    pub fn worth(self, values: &[f32], role: usize) -> f32 {
        let (output, sign) = self.of_role(role);
        sign * values[output]
    }

    /// Adds the values of a terminal state with these results, as targets from 0 to 1. A result
    /// that the rules do not define is 0.
    pub fn targets(self, goals: &[Option<u8>], targets: &mut Vec<f32>) {
        let goals = goals.iter().take(self.count());
        targets.extend(goals.map(|goal| f32::from(goal.unwrap_or(0)) / 100.0));
    }
}

/// A target from 0 to 1 in logits. Extreme results are certain, so that wins count beyond any
/// estimate.
pub fn to_logits(target: f32) -> f32 {
    match target {
        target if target >= 1.0 => CERTAIN,
        target if target <= 0.0 => -CERTAIN,
        target => logit(target),
    }
}

/// A value in logits as a target from 0 to 1. What is certain is exactly 0 or 1.
pub fn to_target(value: f32) -> f32 {
    match value {
        value if value >= CERTAIN => 1.0,
        value if value <= -CERTAIN => 0.0,
        value => logistic(value),
    }
}
