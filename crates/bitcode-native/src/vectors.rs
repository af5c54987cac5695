//! Code for planes of four words: one AVX2 instruction for an operation.

use crate::address::Bases;
use crate::inst::{Inst, Operand};
use bitcode::Kind;
use x86::{Bytes, Rm, Vex};

/// The number of registers for values.
pub(crate) const REGISTERS: u8 = 16;
/// The register with the start of the memory: the first argument of a function.
pub(crate) const MAIN: u8 = 7;
/// The other base registers. Those below 8 come first, because they make shorter instructions.
/// Within each group, those that a function need not restore come first.
pub(crate) const BASES: [u8; 14] = [0, 1, 2, 6, 3, 5, 8, 9, 10, 11, 13, 14, 15, 12];
/// Registers that a function must restore.
pub(crate) const SAVED: [u8; 6] = [3, 5, 12, 13, 14, 15];

const fn op(prefix: u8, table: u8, code: u8) -> Vex {
    Vex {
        prefix,
        table,
        wide: false,
        vector: true,
        code,
    }
}

// The variants that do not need aligned addresses, which are as fast.
pub(crate) const LOAD: Vex = op(2, 1, 0x6f);
pub(crate) const STORE: Vex = op(2, 1, 0x7f);
pub(crate) const AND: Vex = op(1, 1, 0xdb);
pub(crate) const AND_NOT: Vex = op(1, 1, 0xdf);
pub(crate) const OR: Vex = op(1, 1, 0xeb);
pub(crate) const XOR: Vex = op(1, 1, 0xef);
const EQUAL: Vex = op(1, 1, 0x76);
const TEST: Vex = op(1, 2, 0x17);
pub(crate) const ZERO_UPPER: [u8; 3] = [0xc5, 0xf8, 0x77];

/// Writes a function that runs the instructions. `ones` is the position in the code of a
/// constant of 256 ones.
pub(crate) fn write(bytes: &mut Bytes, insts: &[Inst], ones: usize) {
    let bases = Bases::new(insts, MAIN, &BASES, 1);
    let used = |reg: &&u8| bases.others.iter().any(|(base, _)| base == *reg);
    for &reg in SAVED.iter().filter(used) {
        bytes.push(reg);
    }
    bases.enter(bytes);
    let memory = |place| Rm::Memory(bases.address(place));
    let mut back = 0;
    for &inst in insts {
        match inst {
            Inst::Load { to, from } => bytes.vex(LOAD, to, 0, memory(from)),
            Inst::Store { from, to } => bytes.vex(STORE, from, 0, memory(to)),
            Inst::Op { kind, to, a, b } => {
                let op = match kind {
                    Kind::And => AND,
                    Kind::AndNot => AND_NOT,
                    Kind::Or => OR,
                    Kind::Xor => XOR,
                    Kind::Table(_) => unreachable!("this machine has no such instruction"),
                };
                let b = match b {
                    Operand::Reg(reg) => Rm::Reg(reg),
                    Operand::Memory(place) => memory(place),
                };
                bytes.vex(op, to, a, b);
            }
            Inst::Table { .. } | Inst::Move { .. } => {
                unreachable!("programs for this machine have operations on two values")
            }
            Inst::Not { to, a } => bytes.vex(XOR, to, a, Rm::Constant(ones)),
            Inst::Constant { to, value } => {
                bytes.vex(if value { EQUAL } else { XOR }, to, to, Rm::Reg(to));
            }
            Inst::Repeat => back = bytes.0.len(),
            Inst::Until { changed } => {
                bytes.vex(TEST, changed, 0, Rm::Reg(changed));
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
