//! The values of leaves, from playouts and from what is known of their states.

use crate::Config;
use crate::expand::Expander;
use crate::learner::Learner;
use game::{State, Tally};

/// What the values of leaves depend on.
pub(super) struct LeafValues<'w> {
    pub roles: usize,
    pub learner: &'w mut Learner,
    pub expander: &'w mut Expander,
    pub config: &'w Config,
}

impl LeafValues<'_> {
    /// Sets the values of a leaf, one for each role, 0 to 1. `tally` has its playouts, if there
    /// were any.
    pub fn of(&mut self, state: &State, tally: Option<&Tally>, values: &mut Vec<f64>) {
        values.clear();
        let config = self.config;
        let value = |role| tally.map_or(config.unknown, |tally| mean(tally, role, config));
        values.extend((0..self.roles).map(value));
        let part = config.leaf_value;
        if part > 0.0 && self.learner.evaluation.is_known() {
            let bits = self.expander.bits_of(state);
            self.learner.evaluation.near(bits);
            for (role, value) in values.iter_mut().enumerate() {
                let known = self.learner.evaluation.value(bits, role);
                *value += part * (f64::from(known) - *value);
            }
        }
    }
}

/// The mean result of a role in playouts, 0 to 1.
fn mean(tally: &Tally, role: usize, config: &Config) -> f64 {
    let cut = tally.cut as f64;
    let all = tally.finished as f64 + cut;
    let sum = tally.goals[role] as f64 / 100.0 + cut * config.unknown;
    if all > 0.0 { sum / all } else { config.unknown }
}
