//! Instructions with registers and places in memory, before encoding.

use bitcode::Kind;

/// A register, by its number in allocation.
pub(crate) type Reg = u8;

/// A place in memory, in 64-bit words from its start.
pub(crate) type Place = u32;

/// The location of a second operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    Reg(Reg),
    Memory(Place),
}

/// An instruction that is one machine instruction, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inst {
    /// Loads memory to `to`.
    Load { to: Reg, from: Place },
    /// Stores `from` in memory.
    Store { from: Reg, to: Place },
    /// Sets `to` to `kind` of `a` and `b`. `to` may be the same register as an operand.
    Op {
        kind: Kind,
        to: Reg,
        a: Reg,
        b: Operand,
    },
    /// Sets `to` to the function of `to`, `b` and `c` with this truth table.
    Table {
        table: u8,
        to: Reg,
        b: Reg,
        c: Operand,
    },
    /// Copies a register.
    Move { to: Reg, from: Reg },
    /// Sets `to` to the complement of `a`.
    Not { to: Reg, a: Reg },
    /// Sets `to` to false or true in every lane.
    Constant { to: Reg, value: bool },
    /// Starts the instructions of a loop.
    Repeat,
    /// Jumps back to the last [`Inst::Repeat`] if `changed` is true in any lane.
    Until { changed: Reg },
}

#[cfg(test)]
fn operand(operand: Operand, regs: &[u64], memory: &[u64]) -> u64 {
    match operand {
        Operand::Reg(reg) => regs[usize::from(reg)],
        Operand::Memory(place) => memory[place as usize],
    }
}

/// Executes instructions on one word. This is the reference for their meaning.
#[cfg(test)]
pub(crate) fn simulate(insts: &[Inst], memory: &mut [u64]) {
    let mut regs = [0xdead_beef_dead_beefu64; 32];
    let mut at = 0;
    let mut back = 0;
    while let Some(&inst) = insts.get(at) {
        at += 1;
        match inst {
            Inst::Load { to, from } => regs[usize::from(to)] = memory[from as usize],
            Inst::Store { from, to } => memory[to as usize] = regs[usize::from(from)],
            Inst::Op { kind, to, a, b } => {
                let b = operand(b, &regs, memory);
                regs[usize::from(to)] = kind.of(regs[usize::from(a)], b, b);
            }
            Inst::Table { table, to, b, c } => {
                let [a, b] = [to, b].map(|reg| regs[usize::from(reg)]);
                let c = operand(c, &regs, memory);
                regs[usize::from(to)] = Kind::Table(table).of(a, b, c);
            }
            Inst::Move { to, from } => regs[usize::from(to)] = regs[usize::from(from)],
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
