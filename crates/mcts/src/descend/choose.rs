//! Which move to go on with, where a look at the node alone does not tell.

use super::Descent;
use crate::backup::{prove, regret};
use crate::graph::Graph;
use crate::node::{Kind, Node, NodeRef};
use crate::path::Path;
use crate::select::best;
use rand::Rng;

impl<R: Rng> Descent<'_, R> {
    /// Chooses what to look at next in a node. Joint moves of which the result is known come back at once,
    /// up to so many. `false` if the node is solved by them.
    pub(super) fn choose_open(
        &mut self,
        at: NodeRef,
        begins: bool,
        known: u32,
        path: &mut Path,
    ) -> bool {
        let (place, begin) = (path.begins.len(), path.choices.len());
        self.choose(at, begins, &mut path.choices);
        while path.known_here(place) < known {
            let Some(values) = self.take_known(at, begins, &path.choices[begin..]) else {
                break;
            };
            path.take(place, &values);
            path.choices.truncate(begin);
            if !begins && self.is_solved(at) {
                return false;
            }
            self.choose(at, begins, &mut path.choices);
        }
        true
    }

    /// If several roles chose a joint move of which the result is known, notes that at once, so that the
    /// next one can be chosen. `None` if they did not.
    fn take_known(&mut self, at: NodeRef, begins: bool, choices: &[u32]) -> Option<Vec<f64>> {
        let of = |graph: &Graph| -> Option<(Vec<f64>, u16)> {
            let node = graph.get(at)?;
            let Kind::Several(mixed) = &node.kind else {
                return None;
            };
            let edge = mixed.edges.get(&mixed.number(choices)?)?;
            let child = graph.get(edge.child?).filter(|child| child.is_solved())?;
            let values = child.stats.iter();
            let values = values.map(|role| role.value(child.updates)).collect();
            Some((values, child.proved()))
        };
        let (values, proved) = of(self.graph)?;
        let mut news = false;
        let mut node = self.graph.get_mut(at);
        if let Some(Kind::Several(mixed)) = node.as_deref_mut().map(|node| &mut node.kind) {
            mixed.update(choices, &values);
            if let Some(edge) = mixed.edge(choices) {
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
            regret(self.graph, at, choices, self.config);
        }
        Some(values)
    }

    /// Chooses what to look at next in a node, with which the way `begins` or not.
    fn choose(&mut self, at: NodeRef, begins: bool, choices: &mut Vec<u32>) {
        let config = self.config;
        let Some(mut node) = self.graph.get_mut(at) else {
            return;
        };
        if node.is_choice() {
            choices.push(best(&node, config, self.trust, self.rng) as u32);
            return;
        }
        if let Node {
            kind: Kind::Several(mixed),
            visits,
            ..
        } = &mut *node
        {
            match begins && mixed.by_regret(config) {
                true => mixed.mix(config, self.rng, choices),
                false => mixed.choose(*visits, config, self.rng, choices),
            }
            if let Some((role, mv)) = self.held.filter(|_| begins) {
                mixed.hold(role, mv, choices);
            }
        }
    }
}
