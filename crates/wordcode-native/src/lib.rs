//! Machine code for programs on words, made at run time.
//!
//! [`compile`] turns [`wordcode::Program`]s into functions that do what [`Program::run`] does,
//! several times as fast. Where the machine is another one there are none, and the interpreter
//! remains.
//!
//! # Why apart
//! Code made from data is to be trusted, so this is kept small and knows nothing of games. Whoever
//! does not trust it can leave it out.
//!
//! # Key decisions
//! - A program is straight, so the time of every use is known. Every result gets a register, and
//!   inputs are used from memory; when no register is free, the result that is used last of all
//!   goes to its slot (Belady's rule).
//! - Many programs are small and short-lived in the cache, so several are put into the same pages,
//!   one behind the other.
//! - Bytes, and the memory in which they run, are the business of crate `x86`.
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

/// Where functions begin, so that short ones share few lines of the cache.
const ALIGN: usize = 32;
/// More slots or outputs would not be reached by the offsets of instructions.
const MOST_WORDS: usize = 1 << 28;

/// A program as machine code.
#[derive(Debug, Clone)]
pub struct Function {
    pages: Arc<Pages>,
    /// Where it begins.
    at: usize,
    /// Bytes of code.
    bytes: usize,
    slots: usize,
    outputs: usize,
}

/// Makes functions for programs, in the same order, side by side in memory; `None` where this
/// machine cannot run them, or a program reads inputs that it does not have.
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

/// Whether a program touches nothing but its slots and the words that it says are written, and
/// these are few enough.
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
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

impl Function {
    /// Bytes of code.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Runs the program as [`Program::run`] does. What is in the slots behind the inputs
    /// afterwards means nothing.
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
        // SAFETY: `compile` wrote a function there, after it made sure that the machine has the
        // instructions. It reads and writes only whole words below `Program::slots` of the first
        // argument and below the end of `Program::written` of the second, because the program names
        // no others (`is_sound`); both lengths have been compared with these. It keeps the
        // registers and the stack as the convention asks.
        unsafe {
            self.pages
                .call(self.at, slots.as_mut_ptr(), outputs.as_mut_ptr());
        }
    }
}
