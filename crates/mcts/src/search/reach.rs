//! Whether the end of play is near enough that questions about the root may be answered.
//!
//! Alpha-beta that tries the best moves first examines about the square root of all lines (Knuth
//! and Moore, "An analysis of alpha-beta pruning", 1975): with `b` moves at the root and `n` plies
//! to the end of a playout, `b ^ (n / 2)` states. Proof numbers, wins that are one move away and a
//! table need fewer: where they had an answer in connect four, hex, reversi, dots and boxes and
//! pentago, the exponent was about half of that.

use super::run::Run;
use super::worker::Worker;
use crate::Limits;
use crate::node::{Kind, NodeRef};

/// States a second that questions are expected to generate; only the order of magnitude matters.
const SPEED: f64 = 2e6;

/// The plies from the root to the end of play, in the playouts of a search so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Length {
    plies: u64,
    playouts: u64,
}

impl Length {
    /// Adds playouts with so many steps together, from a leaf at this depth.
    pub(super) fn add(&mut self, playouts: u64, steps: u64, depth: usize) {
        self.plies += steps + playouts * depth as u64;
        self.playouts += playouts;
    }

    /// Whether so many states are enough to prove something, roughly.
    pub(super) fn is_within(self, states: f64, moves: usize) -> bool {
        let plies = self.plies as f64 / self.playouts as f64;
        // Without playouts nothing is known, and the comparison is false.
        plies / 4.0 * (moves as f64).ln() <= states.ln()
    }
}

impl Run<'_> {
    /// Whether questions about the root are asked, and the end of play may be in their reach.
    pub(super) fn is_near(&self, worker: &Worker, root: NodeRef) -> bool {
        let config = &self.config.questions;
        if config.time <= 0.0 || self.fixed.is_some() || !self.config.solve {
            return false;
        }
        let node = worker.graph.get(root);
        let moves = node.and_then(|node| match &node.kind {
            Kind::Turn { role, moves, .. } if usize::from(*role) == self.role.0 => {
                Some(moves.len())
            }
            _ => None,
        });
        let states = match self.limits == Limits::default() {
            true => {
                let spent = self.budget.clock().now().saturating_sub(self.began);
                // A search without a deadline is expected to go on for as long again.
                let left = self.budget.remaining().unwrap_or(spent);
                SPEED * (spent + left).as_secs_f64() * config.time
            }
            // It has to repeat, so that time does not count.
            false => f64::from(worker.visits()) * config.states,
        };
        moves.is_some_and(|moves| worker.length.is_within(config.reach * states, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_plies_and_fewer_moves_need_fewer_states() {
        let mut length = Length::default();
        assert!(!length.is_within(1e9, 2), "nothing was played");
        // 24 plies of which four are in the tree, with 7 moves: 117,649 states.
        length.add(8, 160, 4);
        assert!(length.is_within(120_000.0, 7) && !length.is_within(110_000.0, 7));
        assert!(!length.is_within(120_000.0, 8));
        length.add(8, 200, 4);
        assert!(!length.is_within(120_000.0, 7));
    }
}
