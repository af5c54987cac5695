//! Encoding of x86-64 instructions.
//!
//! After the manuals, an instruction consists of a prefix with the registers' fourth bits, the
//! opcode, a byte that names the registers, and possibly an offset in memory and a constant.

/// Register numbers.
pub mod registers {
    /// The first argument of a function. It need not be restored.
    pub const FIRST: u8 = 7;
    /// The second argument.
    pub const SECOND: u8 = 6;
    /// A register that need not be restored.
    pub const RAX: u8 = 0;
    /// A register that need not be restored.
    pub const RCX: u8 = 1;
    /// A register that need not be restored.
    pub const RDX: u8 = 2;
}

/// Sets the first operand to the second.
pub const LOAD: u8 = 0x8b;
/// Sets the second operand to the first.
pub const STORE: u8 = 0x89;
/// Sets the first operand to the and of both.
pub const AND: u8 = 0x23;
/// Sets the first operand to the or of both.
pub const OR: u8 = 0x0b;
/// Sets the first operand to the exclusive or of both.
pub const XOR: u8 = 0x33;
/// Tests whether two operands have a bit in common.
pub const TEST: u8 = 0x85;
/// With the same register twice: sets it to all ones if there was a borrow, else to zero.
pub const SUB_BORROW: u8 = 0x1b;

/// A memory operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// The number of the base register.
    pub base: u8,
    /// The offset in bytes from the address in the base register.
    pub offset: i32,
}

/// The low bits of the stack pointer's number. A base register with these bits needs an
/// additional byte.
const NEEDS_SIB: u8 = 4;

/// The second or only operand of an instruction.
#[derive(Debug, Clone, Copy)]
pub enum Rm {
    /// A register.
    Reg(u8),
    /// A word in memory.
    Memory(Address),
    /// A constant in the code, by its position.
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

/// The encoding of an instruction with three operands.
#[derive(Debug, Clone, Copy)]
pub struct Vex {
    /// The mandatory prefix: 0 none, 1 66, 2 F3, 3 F2.
    pub prefix: u8,
    /// The opcode table of `code`: 1 0F, 2 0F38, 3 0F3A.
    pub table: u8,
    /// Whether operands have 64 bits. False for vectors.
    pub wide: bool,
    /// Whether operands are vectors of 256 bits.
    pub vector: bool,
    /// The opcode in the table.
    pub code: u8,
}

/// Code under construction.
#[derive(Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// Writes an instruction with three operands: `to`, `a` and `b`. For those without `a`, it
    /// is 0.
    pub fn vex(&mut self, vex: Vex, to: u8, a: u8, b: Rm) {
        let Vex {
            prefix,
            table,
            wide,
            vector,
            code,
        } = vex;
        // This encoding uses complemented register numbers.
        let last = (!a & 15) << 3 | u8::from(vector) << 2 | prefix;
        let to_high = (!(to >> 3) & 1) << 7;
        if b.high() == 0 && table == 1 && !wide {
            self.0.extend([0xc5, to_high | last, code]);
        } else {
            let high = to_high | 1 << 6 | (!b.high() & 1) << 5;
            let last = u8::from(wide) << 7 | last;
            self.0.extend([0xc4, high | table, last, code]);
        }
        self.operands(to, b, 1);
    }

    /// Writes an instruction with two operands of 64 bits.
    pub fn wide(&mut self, code: u8, reg: u8, rm: Rm) {
        let prefix = 0x48 | (reg >> 3) << 2 | rm.high();
        self.0.extend([prefix, code]);
        self.operands(reg, rm, 1);
    }

    /// Writes the operands after the opcode. Offsets of one byte count in units of `unit` bytes.
    pub(crate) fn operands(&mut self, reg: u8, rm: Rm, unit: i32) {
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(rm) => self.0.push(0xc0 | reg | rm & 7),
            Rm::Memory(Address { base, offset }) => {
                let short = match offset % unit {
                    0 => i8::try_from(offset / unit).ok(),
                    _ => None,
                };
                let mode = if short.is_some() { 0x40 } else { 0x80 };
                self.0.push(mode | reg | base & 7);
                if base & 7 == NEEDS_SIB {
                    self.0.push(0x24);
                }
                match short {
                    Some(offset) => self.0.push(offset as u8),
                    None => self.0.extend(offset.to_le_bytes()),
                }
            }
            Rm::Constant(at) => {
                self.0.push(reg | 5);
                let offset = at as i64 - (self.0.len() as i64 + 4);
                self.0.extend((offset as i32).to_le_bytes());
            }
        }
    }

    /// Sets a register to a constant.
    pub fn constant(&mut self, to: u8, value: u64) {
        let high = to >> 3;
        match u32::try_from(value) {
            Ok(value) => {
                if high > 0 {
                    self.0.push(0x41);
                }
                self.0.push(0xb8 | to & 7);
                self.0.extend(value.to_le_bytes());
            }
            Err(_) => {
                self.0.extend([0x48 | high, 0xb8 | to & 7]);
                self.0.extend(value.to_le_bytes());
            }
        }
    }

    /// Sets a register to an operand rotated to the right.
    pub fn turn_right(&mut self, to: u8, from: Rm, by: u8) {
        let turn = Vex {
            prefix: 3,
            table: 3,
            wide: true,
            vector: false,
            code: 0xf0,
        };
        self.vex(turn, to, 0, from);
        self.0.push(by);
    }

    /// Negates a register, with a borrow unless it is zero.
    pub fn negate(&mut self, reg: u8) {
        self.wide(0xf7, 3, Rm::Reg(reg));
    }

    /// Sets the borrow flag if a register is zero.
    pub fn borrow_if_zero(&mut self, reg: u8) {
        self.wide(0x83, 7, Rm::Reg(reg));
        self.0.push(1);
    }

    /// Saves a register on the stack.
    pub fn push(&mut self, reg: u8) {
        if reg >= 8 {
            self.0.push(0x41);
        }
        self.0.push(0x50 | reg & 7);
    }

    /// Restores a register from the stack.
    pub fn pop(&mut self, reg: u8) {
        if reg >= 8 {
            self.0.push(0x41);
        }
        self.0.push(0x58 | reg & 7);
    }

    /// Jumps to an earlier position if the last test found a common bit.
    pub fn jump_back(&mut self, to: usize) {
        self.0.extend([0x0f, 0x85]);
        let offset = to as i64 - (self.0.len() as i64 + 4);
        self.0.extend((offset as i32).to_le_bytes());
    }

    /// Returns to the caller.
    pub fn ret(&mut self) {
        self.0.push(0xc3);
    }
}
