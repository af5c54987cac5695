//! Queries about single states and transitions, answered with the proved invariants.

use crate::groups::Groups;
use crate::invariant::{Assumed, Invariant};
use crate::refute::Refuter;
use netlist::{GameLogic, Lit};

/// Nested case splits for one query.
const DEPTH: u32 = 3;
/// Node visits for one case of a query.
const STEPS: u64 = 100_000;

/// Answers queries about the signals of a game.
///
/// An answer holds in every state in which the proved groups and constants hold, for all joint
/// moves in which each role plays exactly one legal move. Answers are never estimates: a query
/// that takes too much work has no answer.
pub struct Prover<'l> {
    logic: &'l GameLogic,
    refuter: Refuter<'l>,
    /// Total work after which every query is left unanswered.
    bound: u64,
}

impl<'l> Prover<'l> {
    /// A prover that assumes the proved groups and constants.
    pub fn new(logic: &'l GameLogic, groups: &Groups) -> Self {
        let mut assumed = Assumed::new(logic.facts.len());
        for group in &groups.groups {
            assumed.add(Invariant::Group(group.clone()));
        }
        for &(fact, value) in &groups.constants {
            assumed.add(Invariant::Constant(fact, value));
        }
        let refuter = Refuter::new(logic, assumed);
        Prover {
            logic,
            refuter,
            bound: u64::MAX,
        }
    }

    /// The work done so far, in node visits.
    pub fn steps(&self) -> u64 {
        self.refuter.steps
    }

    /// Bounds the total work of all queries from now on, in node visits. After that, queries are
    /// left unanswered. `u64::MAX` means no bound.
    pub fn bound(&mut self, steps: u64) {
        self.bound = self.refuter.steps.saturating_add(steps);
        self.refuter.stop_at(self.bound);
    }

    /// Whether a bound on the work is set and reached.
    pub fn is_spent(&self) -> bool {
        self.refuter.steps >= self.bound
    }

    /// Gives the next query this much work, or what is left before the bound.
    fn allow(&mut self, steps: u64) {
        let left = self.bound.saturating_sub(self.refuter.steps);
        self.refuter.allow(steps.min(left));
    }

    /// Asks under the assumption that all of `given` are true and, if `going`, that play has not
    /// ended. Returns `None` if that is found to be contradictory. Calls may be nested.
    pub fn under<R>(
        &mut self,
        given: &[Lit],
        going: bool,
        ask: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        self.refuter.enter();
        self.allow(STEPS.max(8 * given.len() as u64));
        let mut possible = !going || self.refuter.assume_lightly(!self.logic.terminal);
        possible = possible && given.iter().all(|&lit| self.refuter.assume(lit));
        let answer = possible.then(|| ask(self));
        self.refuter.leave();
        answer
    }

    /// The value of the signal, if it follows without case analysis.
    pub fn known(&mut self, lit: Lit) -> Option<bool> {
        self.allow(STEPS);
        self.refuter.known(lit)
    }

    /// The cases in which a signal can be true: the inputs of the or-gate that computes it. If
    /// the signal is true, at least one of them is.
    pub fn cases(&mut self, lit: Lit) -> Vec<Lit> {
        self.refuter.cases(lit)
    }

    /// Whether the signal is proved to be false.
    pub fn never(&mut self, lit: Lit) -> bool {
        match self.known(lit) {
            Some(value) => !value,
            None if self.is_spent() => false,
            None => {
                let cases = self.refuter.cases(lit);
                cases
                    .into_iter()
                    .all(|case| !self.is_spent() && self.refuted(case))
            }
        }
    }

    fn refuted(&mut self, case: Lit) -> bool {
        self.allow(STEPS);
        self.refuter.enter();
        let refuted =
            !self.refuter.assume(case) || !self.refuter.deduce() || self.refuter.refute(DEPTH);
        self.refuter.leave();
        refuted
    }
}
