//! Selection in a node: of one role's move, or of a joint move beside solved ones.

use super::TreePolicy;
use crate::Config;
use crate::backpropagate::{prove, update_regrets};
use crate::graph::Graph;
use crate::learner::PriorWeights;
use crate::node::{Kind, Node, NodeRef};
use crate::path::Path;
use crate::select::select;
use game::MoveId;
use rand::Rng;

impl<R: Rng> TreePolicy<'_, R> {
    /// Selects a move in a node. Up to `solved` solved joint moves get their samples at once, and
    /// another one is selected. `false` if that solves the node.
    pub(super) fn select_unsolved(
        &mut self,
        at: NodeRef,
        begins: bool,
        solved: u32,
        path: &mut Path,
    ) -> bool {
        let (index, begin) = (path.choice_starts.len(), path.choices.len());
        self.select_at(at, begins, &mut path.choices);
        while path.solved_samples(index) < solved {
            let Some(values) = self.sample_solved(at, begins, &path.choices[begin..]) else {
                break;
            };
            path.add_solved(index, &values);
            path.choices.truncate(begin);
            if !begins && self.is_solved(at) {
                return false;
            }
            self.select_at(at, begins, &mut path.choices);
        }
        true
    }

    /// Gives the moves of a solved joint move their sample. `None` if the joint move is not
    /// solved, or only one role chooses.
    fn sample_solved(&mut self, at: NodeRef, begins: bool, choices: &[u32]) -> Option<Vec<f64>> {
        let of = |graph: &Graph| -> Option<(Vec<f64>, u16)> {
            let node = graph.get(at)?;
            let Kind::Simultaneous(joint_stats) = &node.kind else {
                return None;
            };
            let edge = joint_stats.edge(choices)?;
            let child = graph.get(edge.child?).filter(|child| child.is_solved())?;
            let values = child.stats.iter();
            let values = values.map(|role| role.value(child.samples)).collect();
            Some((values, child.proved()))
        };
        let (values, proved) = of(self.graph)?;
        let mut news = false;
        let mut node = self.graph.get_mut(at);
        if let Some(Kind::Simultaneous(joint_stats)) =
            node.as_deref_mut().map(|node| &mut node.kind)
        {
            joint_stats.update(choices, &values);
            if let Some(edge) = joint_stats.edge_or_new(choices) {
                edge.visits += 1;
                news = edge.proved != proved;
                edge.proved = proved;
            }
        }
        drop(node);
        if news && self.config.solve {
            prove(self.graph, at, self.config);
        }
        if begins {
            update_regrets(self.graph, at, choices, self.config);
        }
        Some(values)
    }

    /// Selects a move in a node.
    fn select_at(&mut self, at: NodeRef, begins: bool, choices: &mut Vec<u32>) {
        if let Some(mut node) = self.graph.get_mut(at) {
            select_in(
                &mut node,
                self.config,
                self.priors,
                begins,
                self.fixed,
                self.rng,
                choices,
            );
        }
    }
}

/// Selects a move of each role that chooses in a node, and adds them to `choices`. With the first
/// node of a descent, which `begins` there, a role's move may be `fixed`.
pub(super) fn select_in(
    node: &mut Node,
    config: &Config,
    priors: PriorWeights,
    begins: bool,
    fixed: Option<(usize, MoveId)>,
    rng: &mut impl Rng,
    choices: &mut Vec<u32>,
) {
    let (begin, visits) = (choices.len(), node.visits);
    let Kind::Simultaneous(joint_stats) = &mut node.kind else {
        choices.push(select(node, config, priors, begins, rng) as u32);
        return;
    };
    match begins && joint_stats.selects_by_regret(config) {
        true => joint_stats.select_by_regret(config, rng, choices),
        false => joint_stats.select(visits, config, rng, choices),
    }
    if let Some((role, mv)) = fixed.filter(|_| begins) {
        joint_stats.force(role, mv, &mut choices[begin..]);
    }
}
