//! Three-valued evaluation of the whole, where only some parts are known.

use analysis::factors::{Combination, Input};
use netlist::{Gate, Lit};

/// The possible values of each signal of a combination.
pub(crate) struct Possible {
    /// For each node, whether it may be false, and whether it may be true.
    nodes: Vec<[bool; 2]>,
}

impl Possible {
    /// Evaluates the combination with the inputs that are known.
    pub fn of(combination: &Combination, mut known: impl FnMut(Input) -> Option<bool>) -> Self {
        let mut nodes: Vec<[bool; 2]> = Vec::with_capacity(combination.net.len());
        for &gate in combination.net.gates() {
            let of = |lit: Lit| {
                let [no, yes] = nodes[lit.node()];
                if lit.is_negated() {
                    [yes, no]
                } else {
                    [no, yes]
                }
            };
            nodes.push(match gate {
                Gate::False => [true, false],
                Gate::Input(number) => match known(combination.inputs[number as usize]) {
                    Some(value) => [!value, value],
                    None => [true, true],
                },
                Gate::And(a, b) => {
                    let (a, b) = (of(a), of(b));
                    [a[0] || b[0], a[1] && b[1]]
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (of(a), of(b));
                    [a[0] && b[0] || a[1] && b[1], a[0] && b[1] || a[1] && b[0]]
                }
            });
        }
        Possible { nodes }
    }

    /// Whether a signal may be true.
    pub fn may(&self, lit: Lit) -> bool {
        self.nodes[lit.node()][usize::from(!lit.is_negated())]
    }

    /// Whether a signal is certainly true.
    pub fn must(&self, lit: Lit) -> bool {
        !self.may(!lit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netlist::Netlist;

    #[test]
    fn known_inputs_decide_what_they_can() {
        let mut net = Netlist::new();
        let (a, b) = (net.input(), net.input());
        let (both, either, one) = (net.and(a, b), net.or(a, b), net.xor(a, b));
        let inputs = [0, 1].map(|factor| Input::Output { factor, output: 0 });
        let combination = Combination {
            net,
            inputs: inputs.to_vec(),
            ..Combination::default()
        };
        let known = |first: bool| {
            Possible::of(&combination, |input| match input {
                Input::Output { factor: 0, .. } => Some(first),
                _ => None,
            })
        };
        let (yes, no) = (known(true), known(false));
        assert!(yes.must(either) && yes.may(both) && !yes.must(both) && yes.may(one));
        assert!(no.must(!both) && no.may(either) && !no.must(either) && no.may(!one));
    }
}
