//! Proofs that a fact never changes.

use super::effort::EFFORT;
use super::{Induction, Outcome};
use budget::Exhausted;
use netlist::Lit;

impl Induction<'_> {
    /// Proves that a fact never changes, that is, that a signal is false in every transition.
    pub(super) fn constant(&mut self, id: u32, lit: Lit, level: u8) -> Result<Outcome, Exhausted> {
        let cases = self.refuter.cases(lit);
        for &attempt in EFFORT[usize::from(level)].attempts {
            let mut never = true;
            for view in self.views(attempt) {
                self.budget.check()?;
                never = never
                    && (!self.begin(attempt, view)
                        || cases.iter().all(|&case| self.refuted_within(case, attempt)));
                self.refuter.leave();
            }
            if never {
                let used = self.refuter.take_used();
                self.agenda.keep_part(id, 0, used);
                return Ok(Outcome::Proved);
            }
            if self.counter(id) {
                break;
            }
        }
        Ok(match level {
            0 => Outcome::Later,
            _ if self.is_over() => Outcome::Later,
            _ => Outcome::Weaker(Vec::new()),
        })
    }
}
