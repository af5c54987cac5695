//! Straight-line bit-parallel programs made from netlists, and their interpreter.
//!
//! A [`Code`] is a list of operations on [`Plane`]s, which hold one bit for each of some hundreds
//! of lanes; what one lane computes has nothing to do with the others. An [`Assembler`] writes
//! parts of a netlist as the segments of a program, and an [`Evaluator`] runs them.
//!
//! # Why apart
//! The netlist says what is computed, a program in which order and from where to where. Whoever
//! runs many games side by side, or one game on one state, needs programs and not netlists; and
//! programs can be run in several ways (interpreted, or turned into machine code) that must agree.
//!
//! # Key decisions
//! - One operation for each gate. Complements cost nothing, because a value may be held as its
//!   complement.
//! - Programs have segments, because play asks for the parts of a state's logic at different times:
//!   first what is legal, then perhaps the results, then what comes next.
//! - The interpreter is the reference for all other evaluators.
//!
//! # Example
//! ```
//! use bitcode::{Assembler, Evaluator, Interpreter, Plane};
//! use netlist::Netlist;
//!
//! let mut net = Netlist::new();
//! let (a, b) = (net.input(), net.input());
//! let either = net.or(a, b);
//! // The inputs are in planes 0 and 1, the result goes to plane 2.
//! let mut assembler = Assembler::new(&net, 3, &[0, 1]);
//! assembler.segment(&[(either, 2)]);
//! let interpreter = Interpreter::new(&assembler.finish());
//!
//! let planes = Evaluator::<1>::planes(&interpreter);
//! let mut memory = vec![Plane::<1>::FALSE; planes];
//! memory[0] = Plane([0b0011]);
//! memory[1] = Plane([0b0101]);
//! interpreter.run(0, &mut memory);
//! assert_eq!(memory[2], Plane([0b0111]));
//! ```

mod assemble;
mod check;
mod code;
mod interpret;
mod plane;
mod slots;

pub use assemble::Assembler;
pub use check::Malformed;
pub use code::{Code, Kind, Loop, Op, Output, Segment, Term, Value};
pub use interpret::Interpreter;
pub use plane::Plane;

/// Runs the segments of a program, `64 * W` lanes at a time.
pub trait Evaluator<const W: usize>: Send + Sync {
    /// What kind of evaluator this is, for logs.
    fn name(&self) -> &'static str;

    /// How many planes the memory must have: those of the program, and more for the evaluator.
    fn planes(&self) -> usize;

    /// Runs a segment.
    ///
    /// # Panics
    /// If the program has no such segment or the memory has too few planes.
    fn run(&self, segment: usize, memory: &mut [Plane<W>]);
}
