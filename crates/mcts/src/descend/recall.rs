//! What the ends of playouts say of the moves of a node.

use super::Descent;
use crate::amaf::{Fact, speaks, worth};
use crate::node::{Kind, NodeRef};
use rand::Rng;

impl<R: Rng> Descent<'_, R> {
    /// Notes what the ends of playouts say of the moves of a node, the last one of a path: those from the last node
    /// on it that had many.
    pub(super) fn recall(&mut self, at: NodeRef, path: &[NodeRef]) {
        if !self.watches {
            return;
        }
        let Some(node) = self.graph.get(at) else {
            return;
        };
        let Kind::One { role, edges, .. } = &node.kind else {
            return;
        };
        let role = usize::from(*role);
        let gains: Vec<Fact> = edges.iter().map(|edge| edge.gain).collect();
        drop(node);
        let amaf = &self.config.amaf;
        let found = path.iter().rev().find_map(|&above| {
            let above = self.graph.get(above)?;
            let ends = above.ends.as_deref().filter(|ends| speaks(ends, amaf))?;
            let worths = gains.iter().map(|&gain| worth(ends, gain, role, amaf));
            Some(worths.collect::<Vec<_>>())
        });
        let (Some(found), Some(mut node)) = (found, self.graph.get_mut(at)) else {
            return;
        };
        if let Kind::One { edges, .. } = &mut node.kind {
            for (edge, worth) in edges.iter_mut().zip(found) {
                edge.amaf = worth;
            }
        }
    }
}
