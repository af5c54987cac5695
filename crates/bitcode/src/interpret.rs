//! Interprets programs.

use crate::slots::{self, Layout};
use crate::{Code, Evaluator, Plane};
use multiversion::multiversion;

/// Runs programs operation by operation, with the widest instructions of the machine.
///
/// Values are stored in planes behind the caller's. Values that are not needed at the same time
/// share a plane.
pub struct Interpreter {
    layout: Layout,
}

impl Interpreter {
    /// Prepares a program for running.
    pub fn new(code: &Code) -> Self {
        Interpreter {
            layout: slots::layout(code),
        }
    }
}

impl<const W: usize> Evaluator<W> for Interpreter {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn planes(&self) -> usize {
        self.layout.planes
    }

    fn run(&self, segment: usize, memory: &mut [Plane<W>]) {
        self.layout.run(segment, memory, go);
    }
}

/// Runs operations. The layout guarantees that every index is below the number of planes, and
/// the caller has compared that number with the memory. The indexing checks it again.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn go<const W: usize>(ops: &[slots::Slotted], memory: &mut [Plane<W>]) {
    use crate::Kind;
    for op in ops {
        let (a, b) = (memory[op.a as usize], memory[op.b as usize]);
        memory[op.to as usize] = match op.kind {
            Kind::And => a.zip(&b, |a, b| a & b),
            Kind::AndNot => a.zip(&b, |a, b| !a & b),
            Kind::Or => a.zip(&b, |a, b| a | b),
            Kind::Xor => a.zip(&b, |a, b| a ^ b),
            Kind::Table(_) => {
                let c = memory[op.c as usize];
                Plane(std::array::from_fn(|w| op.kind.of(a.0[w], b.0[w], c.0[w])))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assembler, Evaluator, Interpreter, Plane};
    use netlist::Netlist;

    /// A reduced recursion may have no gates: here `x` if `y`, and `y` if `a`.
    #[test]
    fn a_cycle_without_operations_is_run() {
        let mut net = Netlist::new();
        let (a, x, y) = (net.input(), net.input(), net.input());
        let both = net.and(a, x);
        let mut assembler = Assembler::new(&net, 5, &[0, 1, 2]);
        assembler.cycle([(x, y), (y, a)]);
        assembler.segment(&[(x, 3)]);
        assembler.segment(&[(both, 4)]);
        let interpreter = Interpreter::new(&assembler.finish());
        let mut memory = vec![Plane::<1>::TRUE; Evaluator::<1>::planes(&interpreter)];
        memory[0] = Plane([0b01]);
        interpreter.run(0, &mut memory);
        interpreter.run(1, &mut memory);
        assert_eq!([memory[3], memory[4]], [Plane([0b01]); 2]);
    }
}
