//! Case analysis: one case for every way in which a gate can have its value.

use super::Refuter;
use super::value::{FALSE, UNKNOWN};
use netlist::{Gate, Lit};

/// Or-gates with more cases than this are not split.
const MAX_CASES: usize = 512;

impl Refuter<'_> {
    /// Whether at most `depth` nested splits refute the assumptions.
    pub fn refute(&mut self, depth: u32) -> bool {
        if depth == 0 || self.is_exhausted() {
            self.note_stuck();
            return false;
        }
        let Some(cases) = self.split() else {
            self.note_stuck();
            return false;
        };
        for case in cases {
            self.enter();
            let refuted = !self.assume(case) || !self.deduce() || self.refute(depth - 1);
            self.leave();
            if !refuted {
                return false;
            }
        }
        true
    }

    /// The cases in which a signal can be true: the inputs of the or-gate that computes it. If
    /// the signal is true, at least one of them is.
    pub fn cases(&mut self, lit: Lit) -> Vec<Lit> {
        self.cases_below(lit, usize::MAX).unwrap_or_default()
    }

    /// The cases that are not known to be false; `None` if there are more than `most`.
    fn cases_below(&mut self, lit: Lit, most: usize) -> Option<Vec<Lit>> {
        self.seen_now += 1;
        let mut cases = Vec::new();
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            // By signal, not by node: a signal and its complement are two cases.
            if self.seen[lit.code() as usize] == self.seen_now {
                continue;
            }
            self.seen[lit.code() as usize] = self.seen_now;
            self.steps += 1;
            match self.logic.net.gate(lit.node()) {
                Gate::And(a, b) if lit.is_negated() => stack.extend([!b, !a]),
                _ => {
                    if most == usize::MAX || self.evaluate(lit) != FALSE {
                        cases.push(lit);
                    }
                    if cases.len() > most {
                        return None;
                    }
                }
            }
        }
        Some(cases)
    }

    /// The cases of the open gate with the fewest; of the first such gate.
    fn split(&mut self) -> Option<Vec<Lit>> {
        let mut best: Option<Vec<Lit>> = None;
        for at in 0..self.pending.len() {
            let node = self.pending[at] as usize;
            let most = best.as_ref().map_or(MAX_CASES, |best| best.len() - 1);
            if most < 2 {
                break;
            }
            let cases = match self.logic.net.gate(node) {
                Gate::And(a, b) => {
                    if self.evaluate(a) == FALSE || self.evaluate(b) == FALSE {
                        continue;
                    }
                    self.cases_below(Lit::new(node, true), most)
                }
                Gate::Xor(a, _) if self.evaluate(a) == UNKNOWN => Some(vec![a, !a]),
                _ => None,
            };
            best = cases.or(best);
        }
        best
    }
}
