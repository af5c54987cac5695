//! Straight-line bit-parallel programs written from netlists, and their interpreter.
//!
//! A [`Code`] is a list of operations on [`Plane`]s. A plane has one bit for each of some
//! hundreds of lanes, which are independent of each other. An [`Assembler`] writes parts of a
//! netlist as the segments of a program, and an [`Evaluator`] runs them.
//!
//! # Scope
//! The netlist defines what is computed. A program defines in which order, and where operands
//! and results are stored. Callers that run many games side by side, or one game on one state,
//! need programs instead of netlists. Programs can be run in several ways (interpreted, or
//! compiled to machine code), which must agree.
//!
//! # Key decisions
//! - One operation for each gate. Complements cost nothing, because a value may be stored
//!   complemented.
//! - Programs have segments, because play needs the parts of a state's logic at different
//!   times: first legality, then perhaps the goals, then the next state.
//! - [`cover`] rewrites a program for machines with instructions on three operands. Such a program
//!   is a program like others.
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
mod cover;
mod interpret;
mod plane;
mod slots;
mod tables;

pub use assemble::Assembler;
pub use check::Malformed;
pub use code::{Code, Kind, Loop, Op, Output, Segment, Term, Value};
pub use cover::cover;
pub use interpret::Interpreter;
pub use plane::Plane;
pub use tables::TableInterpreter;

/// Runs the segments of a program, `64 * W` lanes at a time.
pub trait Evaluator<const W: usize>: Send + Sync {
    /// The kind of evaluator, for logs.
    fn name(&self) -> &'static str;

    /// The number of planes that the memory must have: those of the program, and more for the
    /// evaluator.
    fn planes(&self) -> usize;

    /// Runs a segment.
    ///
    /// # Panics
    /// If the program has no such segment or the memory has too few planes.
    fn run(&self, segment: usize, memory: &mut [Plane<W>]);
}
