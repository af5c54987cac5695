//! Instructions of x86-64 as bytes, and memory in which they can be run.
//!
//! [`Bytes`] is code that is being written, instruction by instruction; [`Pages`] is code that can
//! be called. What the instructions are for is the business of whoever writes them.
//!
//! # Why apart
//! Two compilers share it: `bitcode-native` for many states at once, `wordcode-native` for one. What can go
//! wrong with memory that is run is in one place.
//!
//! # Key decisions
//! - Bytes are written by hand and not by an assembler: the choice of registers is only known at
//!   run time, for which assemblers write the longest form, and short forms count. A disassembler
//!   checks them in tests.
//! - Pages are written or run, never both.
//! - Writing and mapping are safe; calling is not, and whoever calls says why it is right.
//!
//! # Example
//! ```
//! use x86::{Address, Bytes, Rm, registers};
//!
//! let mut bytes = Bytes::default();
//! let second = Address { base: registers::FIRST, offset: 8 };
//! bytes.wide(x86::LOAD, registers::RAX, Rm::Memory(second));
//! bytes.ret();
//! assert_eq!(bytes.0, [0x48, 0x8b, 0x47, 0x08, 0xc3]);
//! ```

mod bytes;
mod pages;

pub use bytes::{AND, Address, Bytes, LOAD, OR, Rm, STORE, SUB_BORROW, TEST, Vex, XOR, registers};
pub use pages::Pages;

#[cfg(test)]
mod tests;
