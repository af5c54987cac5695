//! What the search teaches the evaluation.
//!
//! Every leaf that playouts were made from is an example, and every node whose visits have doubled is one
//! again: it is known better now. So what is learnt is what states in this part of the game come to
//! if they are searched, not only what random play makes of them. What counts is what one move
//! changes for the role that makes it, and what is to be made of that is told by the nodes that are known well,
//! and those before them: it is good to move, so that all moves look better than they are; and of moves
//! that are searched long the best ones are worth what the node before is worth, whatever was expected.
//!
//! What ends of playouts say of the same moves (`amaf`) is a second guess. Both are weighed together, so that what both
//! say does not count twice.

use crate::Config;
use crate::expand::Expander;
use crate::graph::Graph;
use crate::node::Kind;
use crate::path::{Leaf, Path};
use game::State;
use heuristics::{Evaluation, Foretold};

/// What was learnt, and how good it is.
#[derive(Debug)]
pub(crate) struct Learner {
    pub evaluation: Evaluation,
    /// With what ends of playouts say of moves as guesses of the second kind.
    pub predictions: Foretold,
}

/// How far what is expected of moves that were not tried can be relied on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PriorWeights {
    /// Visits that it counts for.
    pub visits: f32,
    /// How much more than in the node the chooser can expect of any move, and the part of what is expected of
    /// one that is to be added.
    pub offset: f32,
    pub slope: f32,
    /// The same part of what ends of playouts say.
    pub amaf: f32,
}

impl PriorWeights {
    /// Nothing is known of them.
    pub const NONE: PriorWeights = PriorWeights {
        visits: 0.0,
        offset: 0.0,
        slope: 0.0,
        amaf: 0.0,
    };
}

impl Learner {
    pub fn new(roles: usize) -> Learner {
        Learner {
            evaluation: Evaluation::new(roles),
            predictions: Foretold::default(),
        }
    }

    /// How far what is expected of moves can be relied on, with what ends of playouts say or without.
    pub fn prior_weights(&self, config: &Config, ends: bool) -> PriorWeights {
        self.predictions
            .fit()
            .map_or(PriorWeights::NONE, |fit| PriorWeights {
                visits: (config.learning.visits * fit.part / config.learning.full_fit) as f32,
                offset: fit.offset as f32,
                slope: fit.slopes[0] as f32,
                amaf: if ends { fit.slopes[1] as f32 } else { 0.0 },
            })
    }

    /// Learns from the nodes of a path, after the samples of its batch have come back. `values` is scratch space.
    pub fn learn(
        &mut self,
        expander: &mut Expander,
        graph: &Graph,
        path: &Path,
        leaf: Leaf,
        values: &mut [f64],
        config: &Config,
    ) {
        let last = path.nodes.len().saturating_sub(1);
        for (place, (&at, &samples)) in path.nodes.iter().zip(&path.samples).enumerate() {
            let first = leaf == Leaf::Playouts && place == last && samples == 1;
            let again = samples >= config.learning.again_samples && samples.is_power_of_two();
            if !first && !again {
                continue;
            }
            let Some(node) = graph.get(at).filter(|node| node.is_turn()) else {
                continue;
            };
            for (value, role_stats) in values.iter_mut().zip(&node.stats) {
                *value = role_stats.value(node.samples);
            }
            let before = place.checked_sub(1).map(|before| path.nodes[before]);
            let before = before.and_then(|before| graph.get(before));
            if let Some(before) = before.filter(|_| samples >= config.learning.fit_samples)
                && let Some(role) = before.chooser()
            {
                let came = values[role] - before.stats[role].value(before.samples);
                let choice = path.choices.get(path.choice_starts[place - 1]);
                let by_ends = match (&before.kind, choice) {
                    (Kind::Turn { edges, .. }, Some(&choice)) => edges.get(choice as usize),
                    _ => None,
                };
                let by_ends = by_ends.map_or(0.0, |edge| f64::from(edge.tried_amaf));
                let mut worth = |state: &State| {
                    let bits = expander.bits_of(state);
                    self.evaluation.near(bits);
                    f64::from(self.evaluation.value(bits, role))
                };
                let guess = worth(&node.state) - worth(&before.state);
                self.predictions.note([guess, by_ends], came);
            }
            self.evaluation.learn(expander.bits_of(&node.state), values);
        }
    }
}
