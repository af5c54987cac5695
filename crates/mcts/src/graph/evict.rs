//! Eviction: which node makes room for another one.

use super::{Graph, bytes_of, hash};
use crate::node::NodeRef;

/// Where eviction continues, and what it takes.
#[derive(Debug)]
pub(super) struct ClockHand {
    /// The slot of the node that was evicted last.
    slot: usize,
    /// Nodes with more visits than this stay, if they were visited since the last move of the
    /// match.
    few_visits: u32,
}

impl ClockHand {
    pub(super) fn new() -> ClockHand {
        ClockHand {
            slot: 0,
            few_visits: 1,
        }
    }
}

impl Graph {
    /// Evicts a node that was not visited since an earlier move of the match, or has few visits.
    /// `false` if there is none.
    ///
    /// The slots are scanned like a clock, so that each node has its turn. The number of visits
    /// that are few rises while nothing is found, and falls while much is found.
    pub(super) fn evict(&mut self, keep: &[NodeRef]) -> bool {
        let Some(index) = self.victim(keep) else {
            return false;
        };
        self.remove(index);
        true
    }

    /// The slot of the node to evict.
    fn victim(&self, keep: &[NodeRef]) -> Option<u32> {
        let (slots, turn) = (&self.shared.slots, self.turn());
        let mut hand = self.shared.hand.lock();
        let len = slots.len();
        let mut examined = 0;
        let rules = &self.shared.eviction;
        let limit = 2 * len + 2 * rules.scan;
        for step in 0..limit {
            hand.slot = (hand.slot + 1).checked_rem(len)?;
            let index = hand.slot as u32;
            let Some((_, node)) = slots.read_at(index) else {
                continue;
            };
            examined += 1;
            let old = node.turn < turn;
            let last = step + len > limit;
            let kept = keep.iter().any(|keep| keep.index == index);
            if !kept && (old || node.visits <= hand.few_visits || last) {
                if examined < rules.short_scan {
                    hand.few_visits = hand
                        .few_visits
                        .saturating_sub(hand.few_visits / rules.fall.max(1))
                        .max(1);
                }
                return Some(index);
            }
            if examined % rules.scan.max(1) == 0 {
                hand.few_visits = hand
                    .few_visits
                    .saturating_add(hand.few_visits / rules.rise.max(1) + 1);
            }
        }
        None
    }

    fn remove(&mut self, index: u32) {
        let Some(node) = self.shared.slots.clear(index) else {
            return;
        };
        let bytes = isize::try_from(bytes_of(&node)).unwrap_or(isize::MAX);
        self.local.count(-1, -bytes, &self.shared);
        self.shared.table.remove(hash(&node.state), index);
        // Only now may another node take the slot.
        self.local.keep_slot(index);
    }
}
