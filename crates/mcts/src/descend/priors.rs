//! Priors of moves from the final states of playouts.

use super::TreePolicy;
use crate::amaf::{Fact, fact_value, is_reliable};
use crate::node::{Kind, NodeRef};
use rand::Rng;

impl<R: Rng> TreePolicy<'_, R> {
    /// Refreshes these priors of a node, the last one of a path. They come from its nearest
    /// ancestor, or itself, that has counted enough final states.
    pub(super) fn update_amaf(&mut self, at: NodeRef, path: &[NodeRef]) {
        if !self.watches {
            return;
        }
        let Some(node) = self.graph.get(at) else {
            return;
        };
        let Kind::Turn { role, edges, .. } = &node.kind else {
            return;
        };
        let role = usize::from(*role);
        let facts: Vec<Fact> = edges.iter().map(|edge| edge.fact).collect();
        drop(node);
        let amaf = &self.config.amaf;
        let values = path.iter().rev().find_map(|&above| {
            let above = self.graph.get(above)?;
            let ends = above
                .tally
                .as_deref()
                .filter(|ends| is_reliable(ends, amaf))?;
            let values = facts.iter().map(|&fact| fact_value(ends, fact, role, amaf));
            Some(values.collect::<Vec<_>>())
        });
        let (Some(values), Some(mut node)) = (values, self.graph.get_mut(at)) else {
            return;
        };
        if let Kind::Turn { edges, .. } = &mut node.kind {
            for (edge, value) in edges.iter_mut().zip(values) {
                edge.amaf = value;
            }
        }
    }
}
