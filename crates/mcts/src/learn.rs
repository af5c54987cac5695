//! What the search teaches the evaluation.
//!
//! Every leaf that playouts were made from is an example, and every node whose visits have doubled is one
//! again: it is known better now. So what is learnt is what states in this part of the game come to
//! if they are searched, not only what random play makes of them. What counts is what one move
//! changes; how far that can be relied on is told by the nodes that are known well, and those before them.

use crate::Config;
use crate::expand::Maker;
use crate::graph::Graph;
use crate::path::{Leaf, Path};
use heuristics::{Evaluation, Foretold};

/// Samples after which a node is an example for the second time.
const AGAIN: u32 = 8;
/// Samples after which it shows how good guesses are.
const WELL: u32 = 16;
/// The part of the variance of what moves change that must be foretold for what is expected of a move to
/// count for as many visits as the parameters say.
const HALF: f64 = 0.5;

/// What was learnt, and how good it is.
#[derive(Debug)]
pub(crate) struct Learnt {
    pub evaluation: Evaluation,
    pub foretold: Foretold,
}

impl Learnt {
    pub fn new(roles: usize) -> Learnt {
        Learnt {
            evaluation: Evaluation::new(roles),
            foretold: Foretold::default(),
        }
    }

    /// Visits that what is expected of a move counts for.
    pub fn trust(&self, config: &Config) -> f32 {
        let part = self.foretold.part().unwrap_or(0.0).max(0.0);
        (config.learning * part / HALF) as f32
    }

    /// Learns from the nodes of a path, after a sample has come back. `values` is scratch space.
    pub fn learn(
        &mut self,
        maker: &mut Maker,
        graph: &Graph,
        path: &Path,
        leaf: Leaf,
        values: &mut [f64],
    ) {
        let last = path.nodes.len().saturating_sub(1);
        for (place, &at) in path.nodes.iter().enumerate() {
            let Some(node) = graph.get(at) else {
                continue;
            };
            let first = leaf == Leaf::Open && place == last && node.updates == 1;
            let again = node.updates >= AGAIN && node.updates.is_power_of_two();
            if !node.is_choice() || !first && !again {
                continue;
            }
            for (value, standing) in values.iter_mut().zip(&node.standings) {
                *value = standing.value(node.updates);
            }
            let told = self.evaluation.learn(maker.bits_of(&node.state), values);
            let before = place.checked_sub(1).map(|before| path.nodes[before]);
            let before = before.and_then(|before| graph.get(before));
            if let Some(before) = before.filter(|_| node.updates >= WELL) {
                let bits = maker.bits_of(&before.state);
                self.evaluation.near(bits);
                let guess = told - f64::from(self.evaluation.value(bits, 0));
                let came = values[0] - before.standings[0].value(before.updates);
                self.foretold.note(guess, came);
            }
        }
    }
}
