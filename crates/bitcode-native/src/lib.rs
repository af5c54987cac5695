//! Machine code for straight-line bit-parallel programs, generated at run time.
//!
//! [`Native`] compiles a [`bitcode::Code`] to functions, one for each segment: with AVX-512 for
//! 512 or 256 lanes at a time, with AVX2 for 256, with general-purpose registers for 64. It does
//! the same as [`bitcode::Interpreter`], several times as fast. On other machines
//! [`Native::compile`] returns an error, and the interpreter remains.
//!
//! # Scope
//! Code generated from data must be trusted, so this crate is small and knows nothing about
//! games. Callers that do not trust it can omit it: it is one of several evaluators.
//!
//! # Key decisions
//! - A program is straight-line code, so the time of every use is known. Registers are
//!   allocated by Belady's rule, and most operations are one instruction (module `allocate`).
//! - AVX-512 has an instruction for every function of three values, so that programs are covered
//!   with such functions first ([`bitcode::cover`]).
//! - Instructions are a list before they are encoded, with a reference interpreter. Allocation
//!   is therefore tested on every machine and independently of encoding.
//! - Encoding, and the memory in which code runs, are in crate `x86`.
//!
//! # Example
//! ```
//! use bitcode::{Assembler, Evaluator, Interpreter, Plane};
//! use budget::Budget;
//! use bitcode_native::Native;
//! use netlist::Netlist;
//!
//! let mut net = Netlist::new();
//! let (a, b) = (net.input(), net.input());
//! let either = net.xor(a, b);
//! let mut assembler = Assembler::new(&net, 3, &[0, 1]);
//! assembler.segment(&[(!either, 2)]);
//! let code = assembler.finish();
//!
//! let native = Native::compile(&code, 1 << 20, &Budget::system());
//! let evaluator: Box<dyn Evaluator<4>> = match native {
//!     Ok(native) => Box::new(native),
//!     Err(_) => Box::new(Interpreter::new(&code)),
//! };
//! let mut memory = vec![Plane::FALSE; evaluator.planes()];
//! memory[0] = Plane([1, 0, 1, 0]);
//! memory[1] = Plane([0, 0, 1, 1]);
//! evaluator.run(0, &mut memory);
//! assert_eq!(memory[2], Plane([!1, !0, !0, !1]));
//! ```

mod address;
mod allocate;
mod figures;
mod frame;
mod inst;
mod memory;
mod uses;
mod vectors;
mod wide;
mod words;

#[cfg(test)]
mod tests;

pub use figures::Figures;

use bitcode::{Code, Evaluator, Kind, Malformed, Op, Plane};
use budget::{Budget, Exhausted};
use x86::Length;

/// The alignment of functions in bytes, so that they do not share cache lines.
const ALIGN: usize = 64;
/// Approximate number of bytes of tables for each operation during compilation.
const BYTES_FOR_OP: usize = 256;
/// The offsets of instructions could not reach more bytes.
const MAX_BYTES: usize = 1 << 30;

/// The reason why there is no machine code for a program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The machine is not supported, or there is no code for planes of this width, or none for
    /// operations on three values.
    #[error("no machine code for this machine, width and program")]
    Machine,
    /// The code would be longer than allowed, or the memory larger than can be addressed.
    #[error("the code is too large")]
    Size,
    /// The program is invalid.
    #[error("not a program: {0}")]
    Malformed(Malformed),
    /// The budget is exhausted.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The system provided no memory for code.
    #[error("no memory for code: {0}")]
    System(std::io::Error),
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Self {
        Refusal::Malformed(malformed)
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Refusal::System(error)
    }
}

/// The instructions of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// General-purpose registers, for planes of one word.
    Words,
    /// AVX2, for planes of four words.
    Avx2,
    /// AVX-512 (F and VL), for planes of four or eight words.
    Avx512,
}

impl Level {
    /// The best level of this machine for planes of `words` words.
    pub fn best(words: usize) -> Option<Level> {
        [Level::Avx512, Level::Avx2, Level::Words]
            .into_iter()
            .find(|level| level.supports(words))
    }

    /// Whether this machine has the instructions, and they work on planes of `words` words.
    #[cfg(all(target_arch = "x86_64", not(portable)))]
    pub fn supports(self, words: usize) -> bool {
        use std::arch::is_x86_feature_detected as has;
        match (self, words) {
            (Level::Words, 1) => has!("bmi1"),
            (Level::Avx2, 4) => has!("avx2"),
            (Level::Avx512, 4 | 8) => has!("avx2") && has!("avx512f") && has!("avx512vl"),
            _ => false,
        }
    }

    /// Whether this machine has the instructions, and they work on planes of `words` words.
    #[cfg(any(not(target_arch = "x86_64"), portable))]
    pub fn supports(self, _words: usize) -> bool {
        false
    }
}

/// A program as machine code, for planes of `W` words. `W` can be 1, 4 or 8.
pub struct Native<const W: usize> {
    code: memory::Executable,
    planes: usize,
    figures: Figures,
}

impl<const W: usize> Native<W> {
    /// Compiles a program to at most `max_bytes` of code, with the best instructions of the
    /// machine. Takes about a microsecond for an operation.
    ///
    /// # Errors
    /// If the caller must use the interpreter instead: see [`Refusal`].
    pub fn compile(code: &Code, max_bytes: usize, budget: &Budget) -> Result<Native<W>, Refusal> {
        let level = Level::best(W).ok_or(Refusal::Machine)?;
        Native::compile_for(level, code, max_bytes, budget)
    }

    /// Like [`Native::compile`], with the instructions of a level.
    ///
    /// # Errors
    /// If the caller must use another level, or the interpreter: see [`Refusal`].
    pub fn compile_for(
        level: Level,
        code: &Code,
        max_bytes: usize,
        budget: &Budget,
    ) -> Result<Native<W>, Refusal> {
        if level != Level::Avx512 || !level.supports(W) {
            return Native::compile_as_it_is(level, code, max_bytes, budget);
        }
        budget.check()?;
        budget.check_memory(code.ops.len().saturating_mul(BYTES_FOR_OP))?;
        code.check()?;
        let covered = bitcode::cover(code, budget)?;
        Native::compile_as_it_is(level, &covered, max_bytes, budget)
    }

    /// Like [`Native::compile_for`], without covering the program with functions of three values
    /// ([`bitcode::cover`]): the caller has done so, or does not want it.
    ///
    /// # Errors
    /// If the caller must use another level, or the interpreter: see [`Refusal`].
    pub fn compile_as_it_is(
        level: Level,
        code: &Code,
        max_bytes: usize,
        budget: &Budget,
    ) -> Result<Native<W>, Refusal> {
        let three = |op: &Op| matches!(op.kind, Kind::Table(_));
        if !level.supports(W) || level != Level::Avx512 && code.ops.iter().any(three) {
            return Err(Refusal::Machine);
        }
        budget.check()?;
        budget.check_memory(code.ops.len().saturating_mul(BYTES_FOR_OP))?;
        code.check()?;
        let stride = size_of::<Plane<W>>() / 8;
        let room = code.planes as usize + 2 * code.ops.len();
        if room.saturating_mul(stride * 8) > MAX_BYTES {
            return Err(Refusal::Size);
        }
        let frame = frame::Frame::new(code.planes, stride as u32, W != 1);
        let registers = match level {
            Level::Words => words::REGISTERS,
            Level::Avx2 => vectors::REGISTERS,
            Level::Avx512 => wide::REGISTERS,
        };
        let length = if W == 4 { Length::Ymm } else { Length::Zmm };
        let uses = uses::uses(code);
        let mut allocator = allocate::Allocator::new(code, &uses, frame, registers);
        let mut bytes = x86::Bytes(vec![0xff; 32]);
        let mut figures = Figures::default();
        let mut entries = Vec::new();
        for number in 0..code.segments.len() {
            let insts = allocator.segment(number, budget)?;
            figures.count(&insts, code.planes * stride as u32);
            let start = bytes.0.len().next_multiple_of(ALIGN);
            bytes.0.resize(start, 0);
            entries.push(start);
            match level {
                Level::Words => words::write(&mut bytes, &insts),
                Level::Avx2 => vectors::write(&mut bytes, &insts, 0),
                Level::Avx512 => wide::write(&mut bytes, &insts, length),
            }
            if bytes.0.len() > max_bytes.min(MAX_BYTES) {
                return Err(Refusal::Size);
            }
        }
        figures.bytes = bytes.0.len();
        Ok(Native {
            code: memory::Executable::new(&bytes.0, entries)?,
            planes: allocator.planes(),
            figures,
        })
    }

    /// The statistics of the code.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}

impl<const W: usize> Evaluator<W> for Native<W> {
    fn name(&self) -> &'static str {
        "native"
    }

    fn planes(&self) -> usize {
        self.planes
    }

    fn run(&self, segment: usize, memory: &mut [Plane<W>]) {
        assert!(memory.len() >= self.planes, "the memory is large enough");
        self.code.call(segment, memory);
    }
}
