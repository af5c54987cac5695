//! The course of the induction: open invariants are examined one after the other, until none is
//! left.

use super::effort::{EFFORT, END, HURRY};
use super::{Induction, Outcome};
use crate::invariant::Invariant;
use budget::Exhausted;

/// How often separated facts are put together again.
const PASSES: usize = 2;

impl Induction<'_> {
    /// Runs the induction to its end.
    pub(super) fn run(&mut self) -> Result<(), Exhausted> {
        while self.refusals.any(&self.refuter.assumed, self.budget)? {
            self.follow();
        }
        loop {
            self.settle()?;
            if self.passes >= PASSES || self.spent() > self.until(HURRY) / 2 || !self.again() {
                return Ok(());
            }
            self.passes += 1;
        }
    }

    /// Proves, weakens or drops all open invariants.
    fn settle(&mut self) -> Result<(), Exhausted> {
        while let Some((id, level)) = self.agenda.next() {
            if self.spent() > self.until(END) {
                self.report.given_up += 1;
                continue;
            }
            // Keep the first effort available for invariants that must be proved again.
            let rest = self
                .until(HURRY)
                .saturating_sub(self.spent())
                .max(EFFORT[0].steps);
            self.allowed = self.refuter.steps + EFFORT[usize::from(level)].steps.min(rest);
            self.examine(id, level)?;
        }
        Ok(())
    }

    /// Proves an invariant, weakens it, or defers it.
    fn examine(&mut self, id: u32, level: u8) -> Result<(), Exhausted> {
        self.budget.check()?;
        let before = self.refuter.steps;
        self.refusals.begin();
        self.refuter.take_stuck();
        self.refuter.take_used();
        let outcome = match self.refuter.assumed.get(id).clone() {
            Invariant::Dropped => return Ok(()),
            Invariant::Constant(fact, value) => {
                let next = self.logic.next[fact as usize];
                self.constant(id, next ^ value, level)?
            }
            Invariant::Group(group) => {
                let kind = (group.facts.len(), group.exactly);
                let before = self.agenda.parts(id);
                let outcome = self.group(id, group, level)?;
                if level > 0 && !self.refused {
                    let progress = self.agenda.parts(id) > before;
                    self.learn(kind, &outcome, progress);
                }
                outcome
            }
        };
        self.agenda.spent(id, self.refuter.steps - before);
        if std::mem::take(&mut self.refused) {
            self.follow();
            return Ok(());
        }
        match outcome {
            Outcome::Proved => self.agenda.keep(id),
            Outcome::Later
                if usize::from(level) + 1 < EFFORT.len() && self.spent() < self.until(HURRY) =>
            {
                self.agenda.defer(id);
            }
            Outcome::Later => {
                self.report.given_up += 1;
                let salvaged = self.salvaged(id);
                self.weaken(id, salvaged);
            }
            Outcome::AtMost(weaker) => self.weaken(id, vec![weaker]),
            Outcome::Weaker(weaker) => self.weaken(id, weaker),
        }
        Ok(())
    }
}
