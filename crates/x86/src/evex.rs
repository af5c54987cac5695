//! Encoding of the vector instructions of AVX-512.
//!
//! They have 32 registers, and vectors of 256 or 512 bits. An offset of one byte counts whole
//! vectors.

use crate::{Bytes, Rm};

/// The length of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// 256 bits: registers `ymm0` to `ymm31`.
    Ymm,
    /// 512 bits: registers `zmm0` to `zmm31`.
    Zmm,
}

impl Length {
    /// The number of bytes of a vector.
    pub const fn bytes(self) -> i32 {
        match self {
            Length::Ymm => 32,
            Length::Zmm => 64,
        }
    }
}

/// The encoding of an instruction on vectors of 64-bit elements.
#[derive(Debug, Clone, Copy)]
pub struct Evex {
    /// The mandatory prefix: 0 none, 1 66, 2 F3, 3 F2.
    pub prefix: u8,
    /// The opcode table of `code`: 1 0F, 2 0F38, 3 0F3A.
    pub table: u8,
    /// The opcode in the table.
    pub code: u8,
}

impl Bytes {
    /// Writes an instruction on vectors with three operands: `to`, `a` and `b`. For those
    /// without `a`, it is 0. The registers are 0 to 31; a base register in memory is 0 to 15.
    /// An instruction with a constant byte needs it pushed behind.
    ///
    /// # Panics
    /// If `b` is a constant in the code, which this encoding does not support.
    pub fn evex(&mut self, evex: Evex, length: Length, to: u8, a: u8, b: Rm) {
        // This encoding uses complemented register numbers. The fifth bit of a register `b` is
        // where an index register would have its fourth.
        let bit = |reg: u8, bit: u8| !(reg >> bit) & 1;
        let (b_fourth, b_fifth) = match b {
            Rm::Reg(reg) => (bit(reg, 3), bit(reg, 4)),
            Rm::Memory(address) => (bit(address.base, 3), 1),
            Rm::Constant(_) => panic!("constants have no vectors in this encoding"),
        };
        let first = bit(to, 3) << 7 | b_fifth << 6 | b_fourth << 5 | bit(to, 4) << 4 | evex.table;
        let second = 1 << 7 | (!a & 15) << 3 | 1 << 2 | evex.prefix;
        let long = u8::from(length == Length::Zmm) + 1;
        let third = long << 5 | bit(a, 4) << 3;
        self.0.extend([0x62, first, second, third, evex.code]);
        self.operands(to, b, length.bytes());
    }
}
