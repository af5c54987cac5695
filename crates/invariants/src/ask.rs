//! Questions about single states and transitions, answered with what was proved.

use crate::groups::Groups;
use crate::invariant::{Assumed, Invariant};
use crate::refute::Refuter;
use netlist::{GameLogic, Lit};

/// Nested splits of one answer.
const DEPTH: u32 = 3;
/// Visits of nodes for one case of an answer.
const STEPS: u64 = 10_000;

/// Answers questions about the signals of a game.
///
/// What it says holds in every state in which the proved groups and constants hold, for all joint
/// moves in which each role makes exactly one legal move. It never guesses: what it cannot settle
/// with little work it leaves open.
pub struct Prover<'l> {
    logic: &'l GameLogic,
    refuter: Refuter<'l>,
}

impl<'l> Prover<'l> {
    /// With what was proved of the facts.
    pub fn new(logic: &'l GameLogic, groups: &Groups) -> Self {
        let mut assumed = Assumed::new(logic.facts.len());
        for group in &groups.groups {
            assumed.add(Invariant::Group(group.clone()));
        }
        for &(fact, value) in &groups.constants {
            assumed.add(Invariant::Constant(fact, value));
        }
        let refuter = Refuter::new(logic, assumed);
        Prover { logic, refuter }
    }

    /// Asks while all of `given` are true, and `going`: while play has not ended. `None` if that is
    /// seen to be impossible. May be nested.
    pub fn under<R>(
        &mut self,
        given: &[Lit],
        going: bool,
        ask: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        self.refuter.enter();
        self.refuter.allow(STEPS.max(8 * given.len() as u64));
        let mut possible = !going || self.refuter.assume_lightly(!self.logic.terminal);
        possible = possible && given.iter().all(|&lit| self.refuter.assume(lit));
        let answer = possible.then(|| ask(self));
        self.refuter.leave();
        answer
    }

    /// The value that a signal is seen to have, without case analysis.
    pub fn known(&mut self, lit: Lit) -> Option<bool> {
        self.refuter.allow(STEPS);
        self.refuter.known(lit)
    }

    /// The ways in which a signal can be true, one of which must be if it is: the inputs of the
    /// or-gate behind it.
    pub fn cases(&mut self, lit: Lit) -> Vec<Lit> {
        self.refuter.cases(lit)
    }

    /// Whether a signal is proved to be false.
    pub fn never(&mut self, lit: Lit) -> bool {
        match self.known(lit) {
            Some(value) => !value,
            None => {
                let cases = self.refuter.cases(lit);
                cases.into_iter().all(|case| self.refuted(case))
            }
        }
    }

    fn refuted(&mut self, case: Lit) -> bool {
        self.refuter.allow(STEPS);
        self.refuter.enter();
        let refuted =
            !self.refuter.assume(case) || !self.refuter.deduce() || self.refuter.refute(DEPTH);
        self.refuter.leave();
        refuted
    }
}
