//! Proofs that members of a group never hold together.

use super::Induction;
use super::effort::Attempt;
use crate::groups::Group;
use crate::refute::Refuter;
use budget::Exhausted;
use netlist::Lit;

impl Induction<'_> {
    /// Returns those of `others` (positions in the group) that are not proved to exclude the
    /// member at `at` in the next state.
    ///
    /// `None` if the search stopped early, because of a counterexample or because it took too
    /// long.
    pub(super) fn clashing(
        &mut self,
        id: u32,
        group: &Group,
        at: usize,
        others: Vec<usize>,
        attempt: Attempt,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        let next = |at: usize| self.logic.next[group.facts[at] as usize];
        let (one, others): (Lit, Vec<(usize, Lit)>) = (
            next(at),
            others.into_iter().map(|at| (at, next(at))).collect(),
        );
        let mut clashing = Vec::new();
        if others.is_empty() || one == Lit::FALSE {
            return Ok(Some(clashing));
        }
        let cases = self.refuter.cases(one);
        for view in self.views(attempt) {
            let mut result = Ok(());
            if self.begin(attempt, view) {
                for &case in &cases {
                    result = self.budget.check();
                    if result.is_err() {
                        break;
                    }
                    self.clashing_in(id, case, &others, attempt, &mut clashing);
                    if self.refused || self.is_over() {
                        break;
                    }
                }
            }
            self.refuter.leave();
            result?;
            if self.refused || self.is_over() {
                return Ok(None);
            }
        }
        Ok(Some(clashing))
    }

    /// Adds to `clashing` those of `others` that may hold together with a case.
    fn clashing_in(
        &mut self,
        id: u32,
        case: Lit,
        others: &[(usize, Lit)],
        attempt: Attempt,
        clashing: &mut Vec<usize>,
    ) {
        self.refuter.allow(attempt.steps());
        self.refuter.enter();
        let mut deduced = false;
        if self.refuter.assume(case) {
            for &(at, lit) in others {
                if clashing.contains(&at) || self.refuter.known(lit) == Some(false) {
                    continue;
                }
                if !deduced {
                    deduced = true;
                    if !self.refuter.deduce() {
                        break;
                    }
                }
                self.refuter.allow(attempt.steps());
                self.refuter.take_stuck();
                let excluded = self.excluded(lit);
                if !excluded {
                    clashing.push(at);
                }
                if self.is_over() || !excluded && self.counter(id) {
                    break;
                }
            }
        }
        self.refuter.leave();
    }

    /// Whether the signal is found to be false under the assumptions.
    fn excluded(&mut self, lit: Lit) -> bool {
        match self.refuter.known(lit) {
            Some(value) => !value,
            None => {
                let cases = self.refuter.cases(lit);
                let known = |refuter: &mut Refuter<'_>, case| refuter.known(case) == Some(false);
                cases
                    .into_iter()
                    .all(|case| known(&mut self.refuter, case) || self.refuted(case))
            }
        }
    }
}
