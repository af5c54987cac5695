//! Questions about single states and transitions, answered with what was proved.

use crate::groups::Groups;
use crate::invariant::{Assumed, Invariant};
use crate::refute::Refuter;
use netlist::{GameLogic, Lit};

/// Nested splits of one answer.
const DEPTH: u32 = 3;
/// Visits of nodes for one case of an answer.
const STEPS: u64 = 100_000;

/// Answers questions about the signals of a game.
///
/// What it says holds in every state in which the proved groups and constants hold, for all joint
/// moves in which each role makes exactly one legal move. It never guesses: what it cannot settle
/// with little work it leaves open.
pub struct Prover<'l> {
    logic: &'l GameLogic,
    refuter: Refuter<'l>,
    /// Work after which nothing more is found out.
    bound: u64,
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
        Prover {
            logic,
            refuter,
            bound: u64::MAX,
        }
    }

    /// Work done so far, in visits of nodes.
    pub fn steps(&self) -> u64 {
        self.refuter.steps
    }

    /// Bounds the work that all questions from now on may do together, in visits of nodes: after that
    /// they are left open. `u64::MAX` for no bound.
    pub fn bound(&mut self, steps: u64) {
        self.bound = self.refuter.steps.saturating_add(steps);
        self.refuter.stop_at(self.bound);
    }

    /// Whether the work was bounded and the bound is reached.
    pub fn is_spent(&self) -> bool {
        self.refuter.steps >= self.bound
    }

    /// Lets the next question do so much work, if there is as much left.
    fn allow(&mut self, steps: u64) {
        let left = self.bound.saturating_sub(self.refuter.steps);
        self.refuter.allow(steps.min(left));
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
        self.allow(STEPS.max(8 * given.len() as u64));
        let mut possible = !going || self.refuter.assume_lightly(!self.logic.terminal);
        possible = possible && given.iter().all(|&lit| self.refuter.assume(lit));
        let answer = possible.then(|| ask(self));
        self.refuter.leave();
        answer
    }

    /// The value that a signal is seen to have, without case analysis.
    pub fn known(&mut self, lit: Lit) -> Option<bool> {
        self.allow(STEPS);
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
