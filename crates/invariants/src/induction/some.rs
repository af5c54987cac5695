//! Proofs that some member of a group always holds.

use super::Induction;
use super::effort::Attempt;
use super::premises::DEPTH;
use crate::groups::Group;
use budget::Exhausted;

impl Induction<'_> {
    /// Whether it is proved that some member of the group holds in the next state; false if that
    /// takes too long.
    pub(super) fn some(&mut self, group: &Group, attempt: Attempt) -> Result<bool, Exhausted> {
        for view in self.views(attempt) {
            let mut result = Ok(true);
            if self.begin(attempt, view) {
                for &fact in &group.facts {
                    result = self
                        .budget
                        .check()
                        .map(|()| self.one_follows(group, fact, attempt));
                    if !matches!(result, Ok(true)) || self.is_over() {
                        break;
                    }
                }
            }
            self.refuter.leave();
            if !result? || self.is_over() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether some member holds in the next state if `fact` holds in this one.
    fn one_follows(&mut self, group: &Group, fact: u32, attempt: Attempt) -> bool {
        self.refuter.allow(attempt.steps());
        self.refuter.enter();
        let holds = self.logic.facts[fact as usize];
        let refuted = !self.refuter.assume(holds) || self.none_refuted(group);
        self.refuter.leave();
        refuted
    }

    /// Whether it is contradictory that no member holds in the next state.
    fn none_refuted(&mut self, group: &Group) -> bool {
        for &fact in &group.facts {
            if !self.refuter.assume(!self.logic.next[fact as usize]) {
                return true;
            }
        }
        !self.refuter.deduce() || self.refuter.refute(DEPTH)
    }
}
