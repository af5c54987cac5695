//! Counterexamples, which show that there is no proof of an invariant.

use super::Induction;
use crate::invariant::Invariant;

/// Maximum number of parts of a group that are tried after a counterexample, if its facts are in
/// no other group.
const PARTS: usize = 4;
/// Steps that counterexamples may take in any case.
const FREE: u64 = 4_000_000;

impl Induction<'_> {
    /// Searches for a counterexample where a proof got stuck.
    pub(super) fn counter(&mut self, id: u32) -> bool {
        if let Some(stuck) = self.refuter.take_stuck() {
            // As much for counterexamples as for proofs.
            let cost = self.refuter.steps.max(FREE);
            self.refused = (self.refusals).near(id, &stuck, &self.refuter.assumed, cost);
        }
        self.refused
    }

    /// Weakens all invariants that the last counterexample violates.
    pub(super) fn follow(&mut self) {
        for id in self.refusals.refused(&self.refuter.assumed) {
            let statement = self.refuter.assumed.get(id);
            let most = match statement {
                Invariant::Group(group) if self.is_spare(id, group) => 1,
                _ => PARTS,
            };
            let clash = |a: u32, b: u32| self.clashed.contains(&(a, b));
            let left = self.refusals.left(statement, most, &clash);
            self.weaken(id, left);
        }
    }
}
