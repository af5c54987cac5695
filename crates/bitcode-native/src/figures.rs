//! What code consists of.

use crate::inst::{Inst, Operand, Place};

/// What the code of a program consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Operations of the program that something depends on.
    pub operations: usize,
    /// Instructions of their own that read memory.
    pub loads: usize,
    /// Operations that read an operand from memory.
    pub folded: usize,
    /// Instructions that set planes of the caller.
    pub outputs: usize,
    /// Instructions that put a value aside, because there are not enough registers or because other
    /// segments need it.
    pub spills: usize,
    /// Complements, constants and the like.
    pub others: usize,
    /// Bytes of code.
    pub bytes: usize,
}

impl Figures {
    /// How many instructions there are.
    pub fn instructions(&self) -> usize {
        self.operations + self.loads + self.outputs + self.spills + self.others
    }

    /// Adds instructions; those from `aside` on are not the caller's places.
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
                Inst::Not { .. } | Inst::Constant { .. } | Inst::Until { .. } => self.others += 1,
                Inst::Repeat => {}
            }
        }
    }
}
