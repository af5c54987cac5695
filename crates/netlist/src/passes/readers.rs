//! Which and-gates read a signal.

use crate::{Gate, Lit};

/// The and-gates that read each signal.
pub struct Readers {
    /// For each signal, by its code, where its part of `gates` starts; then the end of the last.
    starts: Vec<u32>,
    gates: Vec<u32>,
}

impl Readers {
    /// Collects the readers in a network of these gates.
    pub fn new(gates: &[Gate]) -> Readers {
        let ands = || {
            gates
                .iter()
                .enumerate()
                .filter_map(|(node, gate)| match *gate {
                    Gate::And(a, b) => Some((node as u32, [a, b])),
                    _ => None,
                })
        };
        let mut starts = vec![0; 2 * gates.len() + 1];
        for (_, reads) in ands() {
            for lit in reads {
                starts[lit.code() as usize] += 1;
            }
        }
        let mut all = 0;
        for start in &mut starts {
            all += *start;
            *start = all;
        }
        let mut gates = vec![0; all as usize];
        for (node, reads) in ands() {
            for lit in reads {
                let start = &mut starts[lit.code() as usize];
                *start -= 1;
                gates[*start as usize] = node;
            }
        }
        Readers { starts, gates }
    }

    /// The gates that read a signal, but not its complement.
    pub fn of(&self, lit: Lit) -> &[u32] {
        let code = lit.code() as usize;
        &self.gates[self.starts[code] as usize..self.starts[code + 1] as usize]
    }

    /// The number of gates that read a signal or its complement.
    pub fn count(&self, lit: Lit) -> usize {
        // The two signals of a node follow each other.
        let code = Lit::new(lit.node(), false).code() as usize;
        (self.starts[code + 2] - self.starts[code]) as usize
    }
}
