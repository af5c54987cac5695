//! Statistics of generated code.

use crate::inst::{Inst, Operand, Place};

/// Statistics of the code of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Operations of the program that some output depends on.
    pub operations: usize,
    /// Separate instructions that read memory.
    pub loads: usize,
    /// Operations with a memory operand.
    pub folded: usize,
    /// Instructions that write planes of the caller.
    pub outputs: usize,
    /// Instructions that write values to the frame, because there are too few registers or
    /// because other segments need them.
    pub spills: usize,
    /// Complements, constants and similar instructions.
    pub others: usize,
    /// Bytes of code.
    pub bytes: usize,
}

impl Figures {
    /// The number of instructions.
    pub fn instructions(&self) -> usize {
        self.operations + self.loads + self.outputs + self.spills + self.others
    }

    /// Counts instructions. Places from `aside` on are not the caller's.
    pub(crate) fn count(&mut self, insts: &[Inst], aside: Place) {
        for inst in insts {
            match *inst {
                Inst::Load { .. } => self.loads += 1,
                Inst::Store { to, .. } if to < aside => self.outputs += 1,
                Inst::Store { .. } => self.spills += 1,
                Inst::Op { b, .. } => {
                    self.operations += 1;
                    self.folded += usize::from(matches!(b, Operand::Memory(_)));
                }
                Inst::Table { c, .. } => {
                    self.operations += 1;
                    self.folded += usize::from(matches!(c, Operand::Memory(_)));
                }
                Inst::Move { .. }
                | Inst::Not { .. }
                | Inst::Constant { .. }
                | Inst::Until { .. } => self.others += 1,
                Inst::Repeat => {}
            }
        }
    }
}
