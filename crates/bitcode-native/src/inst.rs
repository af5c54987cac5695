//! Programs with registers and places in memory, before they are bytes.

use bitcode::Kind;

/// A register, by the number that allocation gives it.
pub(crate) type Reg = u8;

/// A place in memory, in words of 64 bits from its begin.
pub(crate) type Place = u32;

/// Where a second operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    Reg(Reg),
    Memory(Place),
}

/// What a machine instruction, or nearly one, does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inst {
    /// `to` becomes what memory holds.
    Load { to: Reg, from: Place },
    /// Memory becomes what `from` holds.
    Store { from: Reg, to: Place },
    /// `to` becomes `kind` of `a` and `b`. `to` may be any of them.
    Op {
        kind: Kind,
        to: Reg,
        a: Reg,
        b: Operand,
    },
    /// `to` becomes the complement of `a`.
    Not { to: Reg, a: Reg },
    /// `to` becomes false or true in every lane.
    Constant { to: Reg, value: bool },
    /// The next instructions are repeated.
    Repeat,
    /// Goes back to the last [`Inst::Repeat`], if `changed` is true in any lane.
    Until { changed: Reg },
}

/// The reference for what instructions mean, on one word.
#[cfg(test)]
pub(crate) fn simulate(insts: &[Inst], memory: &mut [u64]) {
    let mut regs = [0xdead_beef_dead_beefu64; 16];
    let mut at = 0;
    let mut back = 0;
    while let Some(&inst) = insts.get(at) {
        at += 1;
        match inst {
            Inst::Load { to, from } => regs[usize::from(to)] = memory[from as usize],
            Inst::Store { from, to } => memory[to as usize] = regs[usize::from(from)],
            Inst::Op { kind, to, a, b } => {
                let a = regs[usize::from(a)];
                let b = match b {
                    Operand::Reg(b) => regs[usize::from(b)],
                    Operand::Memory(place) => memory[place as usize],
                };
                regs[usize::from(to)] = match kind {
                    Kind::And => a & b,
                    Kind::AndNot => !a & b,
                    Kind::Or => a | b,
                    Kind::Xor => a ^ b,
                };
            }
            Inst::Not { to, a } => regs[usize::from(to)] = !regs[usize::from(a)],
            Inst::Constant { to, value } => regs[usize::from(to)] = if value { !0 } else { 0 },
            Inst::Repeat => back = at,
            Inst::Until { changed } => {
                if regs[usize::from(changed)] != 0 {
                    at = back;
                }
            }
        }
    }
}
