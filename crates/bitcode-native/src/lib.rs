//! Machine code for straight-line bit-parallel programs, made at run time.
//!
//! [`Native`] turns a [`bitcode::Code`] into functions, one for each segment: with AVX2 for 256
//! lanes at a time, with general-purpose registers for 64. It does what [`bitcode::Interpreter`]
//! does, several times as fast. Where the machine is another one, [`Native::compile`] says so, and
//! the interpreter remains.
//!
//! # Why apart
//! Code made from data is to be trusted, so this is kept small and knows nothing of games. Whoever
//! does not trust it can leave it out: it is one of several evaluators.
//!
//! # Key decisions
//! - A program is straight, so the time of every use is known: registers are given by Belady's rule,
//!   and most operations are one instruction (module `allocate`).
//! - Instructions are a list before they are bytes, with a reference of what they mean, so that
//!   allocation is tested on every machine and apart from encoding.
//! - Bytes, and the memory in which they run, are the business of crate `x86`.
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
//! let evaluator: Box<dyn Evaluator<4>> = match Native::compile(&code, 1 << 20, &Budget::system()) {
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
mod words;

#[cfg(test)]
mod tests;

pub use figures::Figures;

use bitcode::{Code, Evaluator, Malformed, Plane};
use budget::{Budget, Exhausted};

/// Where functions begin, so that they do not share lines with others.
const ALIGN: usize = 64;
/// Bytes of tables for each operation while code is made, roughly.
const BYTES_FOR_OP: usize = 64;
/// More would not be reached by the offsets of instructions.
const MAX_BYTES: usize = 1 << 30;

/// Why there is no machine code for a program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The machine is another one, or this width is not among those that there is code for.
    #[error("no machine code for this machine and width")]
    Machine,
    /// The code would be longer than allowed, or the memory more than can be addressed.
    #[error("the code is too large")]
    Size,
    /// Not a program.
    #[error("not a program: {0}")]
    Malformed(#[from] Malformed),
    /// The budget ran out.
    #[error("{0}")]
    Exhausted(#[from] Exhausted),
    /// The system gave no memory for code.
    #[error("no memory for code: {0}")]
    System(#[from] std::io::Error),
}

/// A program as machine code, for planes of `W` words; 1 and 4 there is code for.
pub struct Native<const W: usize> {
    code: memory::Executable,
    planes: usize,
    figures: Figures,
}

/// Whether this machine runs code for planes of that many words.
fn supported(words: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    match words {
        1 => std::arch::is_x86_feature_detected!("bmi1"),
        4 => std::arch::is_x86_feature_detected!("avx2"),
        _ => false,
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = words;
        false
    }
}

impl<const W: usize> Native<W> {
    /// Makes code for a program, at most `max_bytes` of it. Takes a fraction of a microsecond for
    /// an operation.
    ///
    /// # Errors
    /// Where the interpreter must do: see [`Refusal`].
    pub fn compile(code: &Code, max_bytes: usize, budget: &Budget) -> Result<Native<W>, Refusal> {
        if !supported(W) {
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
        let registers = if W == 1 {
            words::REGISTERS
        } else {
            vectors::REGISTERS
        };
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
            match W {
                1 => words::write(&mut bytes, &insts),
                _ => vectors::write(&mut bytes, &insts, 0),
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

    /// What the code consists of.
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
