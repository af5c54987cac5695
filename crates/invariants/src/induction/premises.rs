//! What proofs assume of the present state, and the refutation of a signal under that.

use super::Induction;
use super::effort::Attempt;
use crate::invariant::Invariant;
use netlist::Lit;

/// Nested case splits.
pub(super) const DEPTH: u32 = 3;

impl Induction<'_> {
    /// The assumptions under which an attempt proves an invariant, one after the other. A quick
    /// attempt has none; a thorough one assumes each phase of the game in turn.
    pub(super) fn views(&mut self, attempt: Attempt) -> Vec<Option<Lit>> {
        let phases = self.phases.filter(|_| attempt == Attempt::Thorough);
        match phases.map(|id| (id, self.refuter.assumed.get(id))) {
            Some((id, Invariant::Group(group))) if group.exactly => {
                let facts = group.facts.iter();
                let views = facts.map(|&fact| Some(self.logic.facts[fact as usize]));
                let views = views.collect();
                self.refuter.mark_used(id);
                views
            }
            _ => vec![None],
        }
    }

    /// Starts a proof: assumes that play has not ended and that the view holds. False on a
    /// contradiction.
    pub(super) fn begin(&mut self, attempt: Attempt, view: Option<Lit>) -> bool {
        self.refuter.enter();
        self.refuter.allow(attempt.steps());
        let going = !self.logic.terminal;
        let open = match attempt {
            Attempt::Quick => self.refuter.assume_lightly(going),
            Attempt::Thorough => self.refuter.assume(going),
        };
        open && view.is_none_or(|view| self.refuter.assume(view))
    }

    /// Whether the signal is refuted within the steps of an attempt.
    pub(super) fn refuted_within(&mut self, case: Lit, attempt: Attempt) -> bool {
        if self.is_over() {
            return false;
        }
        self.refuter.allow(attempt.steps());
        self.refuted(case)
    }

    /// Whether case splits refute the signal under the assumptions.
    pub(super) fn refuted(&mut self, case: Lit) -> bool {
        self.refuter.enter();
        let refuted =
            !self.refuter.assume(case) || !self.refuter.deduce() || self.refuter.refute(DEPTH);
        self.refuter.leave();
        refuted
    }
}
