//! Code for planes of one word, in general-purpose registers.

use crate::address::Bases;
use crate::inst::{Inst, Operand};
use bitcode::Kind;
use x86::{AND, Bytes, LOAD, OR, Rm, STORE, TEST, Vex, XOR};

/// Registers for values, indexed by their numbers in allocation. Those that a function need not
/// restore come first.
const VALUES: [u8; 14] = [0, 1, 2, 6, 8, 9, 10, 11, 3, 5, 12, 13, 14, 15];
/// How many of `VALUES` need not be restored.
const UNSAVED: usize = 8;
/// The number of registers for values.
pub(crate) const REGISTERS: u8 = VALUES.len() as u8;
/// The register with the start of the memory: the first argument of a function.
const MAIN: u8 = 7;

/// The opcode, with 2 in the register field.
const NOT: u8 = 0xf7;
/// The opcode, with 0 in the register field and a 32-bit constant after it.
const SET: u8 = 0xc7;
const AND_NOT: Vex = Vex {
    prefix: 0,
    table: 2,
    wide: true,
    vector: false,
    code: 0xf2,
};

/// Writes a function that runs the instructions.
pub(crate) fn write(bytes: &mut Bytes, insts: &[Inst]) {
    let bases = Bases::new(insts, MAIN, &[], 1);
    let reg = |number: u8| VALUES[usize::from(number)];
    let most = insts.iter().map(|inst| match *inst {
        Inst::Load { to, .. }
        | Inst::Op { to, .. }
        | Inst::Table { to, .. }
        | Inst::Move { to, .. }
        | Inst::Not { to, .. }
        | Inst::Constant { to, .. } => usize::from(to) + 1,
        Inst::Store { .. } | Inst::Repeat | Inst::Until { .. } => 0,
    });
    let saved = &VALUES[UNSAVED..most.max().unwrap_or(0).max(UNSAVED)];
    for &reg in saved {
        bytes.push(reg);
    }
    bases.enter(bytes);
    let memory = |place| Rm::Memory(bases.address(place));
    let mut back = 0;
    for &inst in insts {
        match inst {
            Inst::Load { to, from } => bytes.wide(LOAD, reg(to), memory(from)),
            Inst::Store { from, to } => bytes.wide(STORE, reg(from), memory(to)),
            Inst::Op { kind, to, a, b } => {
                let (to, a) = (reg(to), reg(a));
                let b = match b {
                    Operand::Reg(b) => Rm::Reg(reg(b)),
                    Operand::Memory(place) => memory(place),
                };
                operation(bytes, kind, to, a, b);
            }
            Inst::Table { .. } | Inst::Move { .. } => {
                unreachable!("programs for this machine have operations on two values")
            }
            Inst::Not { to, a } => {
                if to != a {
                    bytes.wide(LOAD, reg(to), Rm::Reg(reg(a)));
                }
                bytes.wide(NOT, 2, Rm::Reg(reg(to)));
            }
            Inst::Constant { to, value } => {
                bytes.wide(SET, 0, Rm::Reg(reg(to)));
                bytes.0.extend((-i32::from(value)).to_le_bytes());
            }
            Inst::Repeat => back = bytes.0.len(),
            Inst::Until { changed } => {
                bytes.wide(TEST, reg(changed), Rm::Reg(reg(changed)));
                bytes.jump_back(back);
            }
        }
    }
    for &reg in saved.iter().rev() {
        bytes.pop(reg);
    }
    bytes.ret();
}

fn operation(bytes: &mut Bytes, kind: Kind, to: u8, a: u8, b: Rm) {
    let code = match kind {
        Kind::And => AND,
        Kind::AndNot => return bytes.vex(AND_NOT, to, a, b),
        Kind::Or => OR,
        Kind::Xor => XOR,
        Kind::Table(_) => unreachable!("this machine has no such instruction"),
    };
    match b {
        Rm::Reg(b) if b == to => bytes.wide(code, to, Rm::Reg(a)),
        _ => {
            if to != a {
                bytes.wide(LOAD, to, Rm::Reg(a));
            }
            bytes.wide(code, to, b);
        }
    }
}
