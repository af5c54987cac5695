//! The parts that instructions of this machine are made of.
//!
//! After the manuals: a prefix names the registers' fourth bits, then come the operation, a byte
//! that names the registers, and perhaps an offset in memory.

use crate::address::Address;

/// The stack pointer's number, and that of the register that cannot be told from it without more.
const NEEDS_SIB: u8 = 4;

/// The second or only operand of an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rm {
    Reg(u8),
    Memory(Address),
    /// A constant, by its position in the code.
    Constant(usize),
}

impl Rm {
    /// The fourth bit of the register's number.
    fn high(self) -> u8 {
        match self {
            Rm::Reg(reg) => reg >> 3,
            Rm::Memory(address) => address.base >> 3,
            Rm::Constant(_) => 0,
        }
    }
}

/// An operation of an extension that has three operands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vex {
    /// The mandatory prefix: 0 none, 1 66, 2 F3, 3 F2.
    pub prefix: u8,
    /// The table that `code` is from: 1 0F, 2 0F38.
    pub table: u8,
    pub wide: bool,
    pub vector: bool,
    pub code: u8,
}

/// Code that is being written.
pub(crate) struct Bytes(pub Vec<u8>);

impl Bytes {
    /// Three operands: `to`, `a` and `b`. Those without `a` have 0 for it.
    pub(crate) fn vex(&mut self, vex: Vex, to: u8, a: u8, b: Rm) {
        let Vex {
            prefix,
            table,
            wide,
            vector,
            code,
        } = vex;
        // Numbers of registers are complemented here.
        let last = (!a & 15) << 3 | u8::from(vector) << 2 | prefix;
        let to_high = (!(to >> 3) & 1) << 7;
        if b.high() == 0 && table == 1 && !wide {
            self.0.extend([0xc5, to_high | last, code]);
        } else {
            let high = to_high | 1 << 6 | (!b.high() & 1) << 5;
            let last = u8::from(wide) << 7 | last;
            self.0.extend([0xc4, high | table, last, code]);
        }
        self.operands(to, b);
    }

    /// Two operands of 64 bits.
    pub(crate) fn wide(&mut self, code: u8, reg: u8, rm: Rm) {
        let prefix = 0x48 | (reg >> 3) << 2 | rm.high();
        self.0.extend([prefix, code]);
        self.operands(reg, rm);
    }

    fn operands(&mut self, reg: u8, rm: Rm) {
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(rm) => self.0.push(0xc0 | reg | rm & 7),
            Rm::Memory(Address { base, offset }) => {
                let short = i8::try_from(offset);
                let mode = if short.is_ok() { 0x40 } else { 0x80 };
                self.0.push(mode | reg | base & 7);
                if base & 7 == NEEDS_SIB {
                    self.0.push(0x24);
                }
                match short {
                    Ok(offset) => self.0.push(offset as u8),
                    Err(_) => self.0.extend(offset.to_le_bytes()),
                }
            }
            Rm::Constant(at) => {
                self.0.push(reg | 5);
                let offset = at as i64 - (self.0.len() as i64 + 4);
                self.0.extend((offset as i32).to_le_bytes());
            }
        }
    }

    /// Moves the bases to where they belong.
    pub(crate) fn enter(&mut self, bases: &crate::address::Bases) {
        const ADDRESS: u8 = 0x8d;
        let (main, at) = bases.main;
        for &(base, to) in bases.others.iter().chain([&(main, at)]) {
            let from = Address {
                base: main,
                offset: to,
            };
            self.wide(ADDRESS, base, Rm::Memory(from));
        }
    }

    /// Saves a register on the stack.
    pub(crate) fn push(&mut self, reg: u8) {
        if reg >= 8 {
            self.0.push(0x41);
        }
        self.0.push(0x50 | reg & 7);
    }

    /// Restores a register from the stack.
    pub(crate) fn pop(&mut self, reg: u8) {
        if reg >= 8 {
            self.0.push(0x41);
        }
        self.0.push(0x58 | reg & 7);
    }

    /// Goes to an earlier position if the last test found something.
    pub(crate) fn jump_back(&mut self, to: usize) {
        self.0.extend([0x0f, 0x85]);
        let offset = to as i64 - (self.0.len() as i64 + 4);
        self.0.extend((offset as i32).to_le_bytes());
    }

    /// Goes back to the caller.
    pub(crate) fn ret(&mut self) {
        self.0.push(0xc3);
    }
}
