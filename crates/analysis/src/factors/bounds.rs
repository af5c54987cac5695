//! Upper bounds of signals as functions of some of the inputs.

use budget::{Budget, Exhausted};
use netlist::{GameLogic, Gate, Lit, Netlist};

/// For signals, whether they may be true and whether they may be false, as circuits over some of
/// the inputs of a game.
///
/// These are upper bounds: all other inputs are taken to be free, independently at every read.
/// The bound of a signal that reads no other input is the signal itself.
pub(super) struct Bounds<'l> {
    logic: &'l GameLogic,
    /// For each node, its two bounds if they are computed.
    bounds: Vec<Option<(Lit, Lit)>>,
    known: usize,
}

impl<'l> Bounds<'l> {
    /// `known` returns the signal that stands for an input in the netlist to which the bounds
    /// are written, and `None` for free inputs.
    pub fn new(logic: &'l GameLogic, known: impl Fn(u32) -> Option<Lit>) -> Self {
        let gates = logic.net.gates().iter();
        let bounds = gates.map(|&gate| match gate {
            Gate::False => Some((Lit::FALSE, Lit::TRUE)),
            Gate::Input(number) => {
                let known = known(number).map(|lit| (lit, !lit));
                Some(known.unwrap_or((Lit::TRUE, Lit::TRUE)))
            }
            Gate::And(..) | Gate::Xor(..) => None,
        });
        Bounds {
            bounds: bounds.collect(),
            logic,
            known: 0,
        }
    }

    fn side(&self, lit: Lit) -> (Lit, Lit) {
        let (yes, no) = self.bounds[lit.node()].unwrap_or((Lit::TRUE, Lit::TRUE));
        if lit.is_negated() {
            (no, yes)
        } else {
            (yes, no)
        }
    }

    /// Whether the signal may be true, as a signal of `net`, which must be the same netlist in
    /// every call.
    pub fn may_be(
        &mut self,
        net: &mut Netlist,
        lit: Lit,
        budget: &Budget,
    ) -> Result<Lit, Exhausted> {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.bounds[node].is_some() {
                stack.pop();
                continue;
            }
            let gate = self.logic.net.gate(node);
            let open = gate.reads().map(Lit::node);
            let before = stack.len();
            stack.extend(open.filter(|read| self.bounds[*read].is_none()));
            if stack.len() > before {
                continue;
            }
            let bound = match gate {
                Gate::And(a, b) => {
                    let ((a1, a0), (b1, b0)) = (self.side(a), self.side(b));
                    (net.and(a1, b1), net.or(a0, b0))
                }
                Gate::Xor(a, b) => {
                    let ((a1, a0), (b1, b0)) = (self.side(a), self.side(b));
                    let (one, other) = (net.and(a1, b0), net.and(a0, b1));
                    let (both, neither) = (net.and(a1, b1), net.and(a0, b0));
                    (net.or(one, other), net.or(both, neither))
                }
                Gate::False | Gate::Input(_) => (Lit::TRUE, Lit::TRUE),
            };
            self.bounds[node] = Some(bound);
            self.known += 1;
            if self.known.is_multiple_of(4096) {
                budget.check()?;
            }
        }
        Ok(self.side(lit).0)
    }
}
