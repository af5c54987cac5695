//! Encodes x86-64 instructions, and provides memory in which they can be run.
//!
//! [`Bytes`] is code under construction, written instruction by instruction. [`Pages`] is code
//! that can be called. The crate does not know the purpose of the instructions.
//!
//! # Scope
//! Two compilers share this crate: `bitcode-native` for many states at once, `wordcode-native`
//! for one. All risks of executable memory are in one place.
//!
//! # Key decisions
//! - Instructions are encoded by hand and not by an assembler. The choice of registers is only
//!   known at run time. Assemblers then write the longest form, but short forms matter. A
//!   disassembler checks them in tests.
//! - Pages are writable or executable, never both.
//! - Writing and mapping are safe. Calling is not, and the caller must justify it.
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
mod evex;
mod pages;

pub use bytes::{AND, Address, Bytes, LOAD, OR, Rm, STORE, SUB_BORROW, TEST, Vex, XOR, registers};
pub use evex::{Evex, Length};
pub use pages::Pages;

#[cfg(test)]
mod tests;
