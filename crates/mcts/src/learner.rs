//! What the search teaches the evaluation of states, and how much priors count.
//!
//! Every leaf with playouts is an example, and every node whose visits have doubled is one again
//! with its better mean. So the evaluation learns the results of searching states in this part of
//! the game, not only those of random play.
//!
//! The prior of a move is the change in value that it is predicted to bring to the role that
//! plays it. How much of that to believe is fitted on nodes with many samples and their parents,
//! by linear regression. The offset is needed because it is good to move, so that all moves look
//! better than they are; the slope because among moves that are searched long the best ones have
//! the value of the parent, whatever was predicted.
//!
//! Final states of playouts (`amaf`) give a second prediction for the same moves. Both are fitted
//! together, so that what they share does not count twice.

use crate::Config;
use crate::expand::Expander;
use crate::graph::Graph;
use crate::node::Kind;
use crate::path::{Descent, Leaf, Sample};
use game::State;
use heuristics::{Evaluation, Foretold, StateValue};

/// The evaluation of states, and how well it predicts.
#[derive(Debug)]
pub(crate) struct Learner {
    pub evaluation: StateValue,
    /// Predictions of what moves change, and the changes; those by `amaf` are the second kind.
    pub predictions: Foretold,
}

/// How much priors of untried moves count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PriorWeights {
    /// Virtual visits of a prior.
    pub visits: f32,
    /// A prior is the value of the node, plus `offset`, plus `slope` times the predicted change.
    pub offset: f32,
    pub slope: f32,
    /// The slope of the prediction by `amaf`.
    pub amaf: f32,
}

impl PriorWeights {
    /// Priors do not count.
    pub const NONE: PriorWeights = PriorWeights {
        visits: 0.0,
        offset: 0.0,
        slope: 0.0,
        amaf: 0.0,
    };
}

impl Learner {
    pub fn new(roles: usize, known: Option<StateValue>) -> Learner {
        Learner {
            evaluation: known.unwrap_or_else(|| StateValue::Learning(Evaluation::new(roles))),
            predictions: Foretold::default(),
        }
    }

    /// How much priors count, with those by `amaf` or without.
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

    /// Learns from the nodes of a path, after the batch was backpropagated.
    pub fn learn(
        &mut self,
        expander: &mut Expander,
        graph: &Graph,
        descent: &mut Descent,
        config: &Config,
    ) {
        let Descent {
            path,
            leaf,
            children,
            sample,
            ..
        } = descent;
        if let [child] = &children[..] {
            let state = expander.bits_of(&child.state);
            self.evaluation.learn(state, &child.values);
        }
        let Sample { values, count, .. } = sample;
        let (leaf, count) = (*leaf, *count);
        let last = path.nodes.len().saturating_sub(1);
        for (index, (&at, &samples)) in path.nodes.iter().zip(&path.samples).enumerate() {
            let first = match leaf {
                Leaf::Playouts => samples == 1,
                Leaf::Children => children.len() > 1,
                Leaf::Value | Leaf::State => false,
            };
            let first = first && index == last;
            let before = samples.saturating_sub(count);
            let doubled = before.leading_zeros() > samples.leading_zeros();
            let again = samples >= config.learning.again_samples && doubled;
            if !first && !again {
                continue;
            }
            let Some(node) = graph.get(at).filter(|node| node.is_turn()) else {
                continue;
            };
            for (value, role_stats) in values.iter_mut().zip(&node.stats) {
                *value = role_stats.value(node.samples);
            }
            let before = index.checked_sub(1).map(|before| path.nodes[before]);
            let before = before.and_then(|before| graph.get(before));
            if let Some(before) = before.filter(|_| samples >= config.learning.fit_samples)
                && let Some(role) = before.chooser()
            {
                let change = values[role] - before.stats[role].value(before.samples);
                let choice = path.choices.get(path.choice_starts[index - 1]);
                let amaf = match (&before.kind, choice) {
                    (Kind::Turn { edges, .. }, Some(&choice)) => edges.get(choice as usize),
                    _ => None,
                };
                let amaf = amaf.map_or(0.0, |edge| f64::from(edge.tried_amaf));
                let mut worth = |state: &State| {
                    let bits = expander.bits_of(state);
                    self.evaluation.near(bits);
                    f64::from(self.evaluation.value(bits, role))
                };
                let prior = worth(&node.state) - worth(&before.state);
                self.predictions.note([prior, amaf], change);
            }
            self.evaluation.learn(expander.bits_of(&node.state), values);
        }
    }
}
