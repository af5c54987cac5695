//! Code for planes of four or eight words with AVX-512: one instruction for an operation on two
//! or three values, and 32 registers.

use crate::address::Bases;
use crate::inst::{Inst, Operand};
use crate::vectors::{AND, AND_NOT, BASES, LOAD, MAIN, OR, SAVED, STORE, XOR, ZERO_UPPER};
use bitcode::Kind;
use x86::{Bytes, Evex, Length, Rm, Vex};

/// The number of registers for values.
pub(crate) const REGISTERS: u8 = 32;
/// Instructions that cannot name the registers from here on are shorter.
const SHORT: u8 = 16;
/// The mask register for tests.
const MASK: u8 = 1;

const fn op(prefix: u8, table: u8, code: u8) -> Evex {
    Evex {
        prefix,
        table,
        code,
    }
}

/// The constant byte after it is the truth table.
const TERNARY: Evex = op(1, 3, 0x25);
/// Sets a bit of a mask for each element that has a common bit.
const TEST: Evex = op(1, 2, 0x27);
/// Tests whether two masks have a bit, as [`Bytes::jump_back`] needs it.
const MASK_TEST: Vex = Vex {
    prefix: 0,
    table: 1,
    wide: false,
    vector: false,
    code: 0x98,
};
/// The truth table of the complement of the third operand.
const COMPLEMENT: u8 = 0x55;

/// Writes a function that runs the instructions.
pub(crate) fn write(bytes: &mut Bytes, insts: &[Inst], length: Length) {
    let bases = Bases::new(insts, MAIN, &BASES, length.bytes() as u32);
    let used = |reg: &&u8| bases.others.iter().any(|(base, _)| base == *reg);
    for &reg in SAVED.iter().filter(used) {
        bytes.push(reg);
    }
    bases.enter(bytes);
    let memory = |place| Rm::Memory(bases.address(place));
    let operand = |operand| match operand {
        Operand::Reg(reg) => Rm::Reg(reg),
        Operand::Memory(place) => memory(place),
    };
    let mut back = 0;
    for &inst in insts {
        match inst {
            Inst::Load { to, from } => two(bytes, LOAD, length, to, 0, memory(from)),
            Inst::Store { from, to } => two(bytes, STORE, length, from, 0, memory(to)),
            Inst::Move { to, from } => two(bytes, LOAD, length, to, 0, Rm::Reg(from)),
            Inst::Op { kind, to, a, b } => {
                let op = match kind {
                    Kind::And => AND,
                    Kind::AndNot => AND_NOT,
                    Kind::Or => OR,
                    Kind::Xor => XOR,
                    Kind::Table(_) => unreachable!("it has an instruction of its own"),
                };
                two(bytes, op, length, to, a, operand(b));
            }
            Inst::Table { table, to, b, c } => {
                bytes.evex(TERNARY, length, to, b, operand(c));
                bytes.0.push(table);
            }
            Inst::Not { to, a } => {
                bytes.evex(TERNARY, length, to, a, Rm::Reg(a));
                bytes.0.push(COMPLEMENT);
            }
            Inst::Constant { to, value: false } => {
                two(bytes, XOR, length, to, to, Rm::Reg(to));
            }
            Inst::Constant { to, value: true } => {
                bytes.evex(TERNARY, length, to, to, Rm::Reg(to));
                bytes.0.push(!0);
            }
            Inst::Repeat => back = bytes.0.len(),
            Inst::Until { changed } => {
                bytes.evex(TEST, length, MASK, changed, Rm::Reg(changed));
                bytes.vex(MASK_TEST, MASK, 0, Rm::Reg(MASK));
                bytes.jump_back(back);
            }
        }
    }
    for &reg in SAVED.iter().rev().filter(used) {
        bytes.pop(reg);
    }
    bytes.0.extend(ZERO_UPPER);
    bytes.ret();
}

/// Writes an instruction that AVX2 has, too: in that form if it is shorter and can be had.
fn two(bytes: &mut Bytes, op: Vex, length: Length, to: u8, a: u8, b: Rm) {
    match b {
        Rm::Reg(reg) if length == Length::Ymm && to.max(a).max(reg) < SHORT => {
            bytes.vex(op, to, a, b);
        }
        _ => {
            let Vex {
                prefix,
                table,
                code,
                ..
            } = op;
            let long = Evex {
                prefix,
                table,
                code,
            };
            bytes.evex(long, length, to, a, b);
        }
    }
}
