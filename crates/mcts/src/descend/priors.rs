//! What the ends of playouts say of the moves of a node.

use super::TreePolicy;
use crate::amaf::{Fact, fact_value, is_reliable};
use crate::node::{Kind, NodeRef};
use rand::Rng;

impl<R: Rng> TreePolicy<'_, R> {
    /// Notes what the ends of playouts say of the moves of a node, the last one of a path: those from the last node
    /// on it that had many.
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
        let gains: Vec<Fact> = edges.iter().map(|edge| edge.fact).collect();
        drop(node);
        let amaf = &self.config.amaf;
        let found = path.iter().rev().find_map(|&above| {
            let above = self.graph.get(above)?;
            let ends = above
                .tally
                .as_deref()
                .filter(|ends| is_reliable(ends, amaf))?;
            let worths = gains.iter().map(|&gain| fact_value(ends, gain, role, amaf));
            Some(worths.collect::<Vec<_>>())
        });
        let (Some(found), Some(mut node)) = (found, self.graph.get_mut(at)) else {
            return;
        };
        if let Kind::Turn { edges, .. } = &mut node.kind {
            for (edge, worth) in edges.iter_mut().zip(found) {
                edge.amaf = worth;
            }
        }
    }
}
