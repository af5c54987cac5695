//! Machine code for programs on words, generated at run time.
//!
//! [`compile`] compiles [`wordcode::Program`]s to functions that do the same as
//! [`Program::run`], several times as fast. On other machines it returns nothing, and the
//! interpreter remains.
//!
//! # Scope
//! Code generated from data must be trusted, so this crate is small and knows nothing about
//! games. Callers that do not trust it can omit it.
//!
//! # Key decisions
//! - A program is straight-line code, so the time of every use is known. Every result gets a
//!   register, and inputs are used from memory. When no register is free, the result whose next
//!   use is furthest away goes to its slot (Belady's rule).
//! - Many programs are small and do not stay in the cache for long, so several are stored in
//!   the same pages, one after the other.
//! - Encoding, and the memory in which code runs, are in crate `x86`.
//!
//! # Example
//! ```
//! use netlist::Netlist;
//! use wordcode::{Packer, Place};
//!
//! let mut net = Netlist::new();
//! let (a, b) = (net.input(), net.input());
//! let both = net.and(a, b);
//! // The inputs are bits 0 and 1 of the first word, the output is bit 5 of another.
//! let given = vec![None, Some(Place::new(0)), Some(Place::new(1))];
//! let program = Packer::new(given, 1).pack(&net, &[(!both, Place::new(5))]);
//!
//! let mut slots = vec![0b11; program.slots()];
//! let mut output = [!0];
//! match wordcode_native::compile(&[&program]) {
//!     Some(functions) => functions[0].run(&mut slots, &mut output),
//!     None => program.run(&mut slots, &mut output),
//! }
//! assert_eq!(output, [!(1 << 5)]);
//! ```

mod write;

use std::sync::Arc;
use wordcode::{Kind, Program};
use x86::{Bytes, Pages};

/// The alignment of functions in bytes, so that short ones share few cache lines.
const ALIGN: usize = 32;
/// The offsets of instructions could not reach more slots or outputs.
const MOST_WORDS: usize = 1 << 28;

/// A program as machine code.
#[derive(Debug, Clone)]
pub struct Function {
    pages: Arc<Pages>,
    /// The offset of the function in its pages.
    at: usize,
    /// The number of bytes of code.
    bytes: usize,
    slots: usize,
    outputs: usize,
}

/// Compiles programs to functions, in the same order, side by side in memory. `None` if this
/// machine cannot run them, or if a program reads inputs that it does not have.
pub fn compile(programs: &[&Program]) -> Option<Vec<Function>> {
    if !supported() || !programs.iter().all(|program| is_sound(program)) {
        return None;
    }
    let mut code = Bytes::default();
    let mut ranges = Vec::new();
    for program in programs {
        let start = code.0.len().next_multiple_of(ALIGN);
        code.0.resize(start, 0);
        write::write(&mut code, program);
        ranges.push(start..code.0.len());
    }
    let pages = Arc::new(Pages::new(&code.0).ok()?);
    let function = |(range, program): (std::ops::Range<usize>, &&Program)| Function {
        pages: pages.clone(),
        at: range.start,
        bytes: range.len(),
        slots: program.slots(),
        outputs: program.written().end,
    };
    Some(ranges.into_iter().zip(programs).map(function).collect())
}

/// Whether a program accesses only its slots and its declared output words, and these are few
/// enough.
fn is_sound(program: &Program) -> bool {
    let (slots, end) = (program.slots(), program.written().end);
    let mut ops = (program.inputs()..).zip(program.ops());
    slots.max(end) < MOST_WORDS
        && ops.all(|(slot, op)| {
            let limit = match op.kind {
                Kind::Any | Kind::All => program.masks().len(),
                _ => slot,
            };
            (op.a as usize) < slot && (op.b as usize) < limit
        })
        && (program.outs().iter()).all(|out| (out.slot as usize) < slots)
        && (program.frames().iter()).all(|frame| (frame.word as usize) < end)
}

/// Whether this machine runs the code.
fn supported() -> bool {
    #[cfg(all(target_arch = "x86_64", not(portable)))]
    {
        std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2")
    }
    #[cfg(any(not(target_arch = "x86_64"), portable))]
    {
        false
    }
}

impl Function {
    /// The number of bytes of code.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Runs the program as [`Program::run`] does. Afterwards the contents of the slots after
    /// the inputs are unspecified.
    ///
    /// # Panics
    /// If there are fewer slots or outputs than the program has.
    #[expect(
        unsafe_code,
        reason = "calling code made at run time is what this crate is for"
    )]
    #[inline]
    pub fn run(&self, slots: &mut [u64], outputs: &mut [u64]) {
        assert!(slots.len() >= self.slots && outputs.len() >= self.outputs);
        // SAFETY: `compile` wrote a function there, after it checked that the machine has the
        // instructions. The function reads and writes only whole words below `Program::slots`
        // of the first argument and below the end of `Program::written` of the second, because
        // the program names no others (`is_sound`); both lengths have been compared with these.
        // The function preserves the registers and the stack as the calling convention
        // requires.
        unsafe {
            self.pages
                .call(self.at, slots.as_mut_ptr(), outputs.as_mut_ptr());
        }
    }
}
