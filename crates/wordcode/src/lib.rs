//! The logic of one state as operations on machine words, where similar gates share an
//! operation.
//!
//! A [`Packer`] writes parts of a netlist as a [`Program`] whose inputs and outputs are bits of
//! words. Where gates compute the same function of bits in the same relative positions, one
//! operation computes all of them: capturing to the left with every pawn is a shift and an
//! `and`. The packer need not know that there is a board. It is enough that the bits of similar
//! facts are side by side.
//!
//! # Scope
//! The crate needs only a netlist and the positions of its inputs, and knows nothing about
//! games. `bitcode` evaluates many states at once, with one bit of a word for each. Here a word
//! is a part of one state.
//!
//! # Key decisions
//! - A value is a bit of the result of an operation. The first operand of an operation stays in
//!   place, the second is rotated so that its bit moves to the same position. Two gates whose
//!   operands have the same distance in the same words therefore need the same operation. It is
//!   found by a look-up in a table of existing operations.
//! - Bits that belong to no gate compute values that are never read.
//! - Wide gates over bits of one word test them all at once with a mask.
//!
//! # Example
//! ```
//! use netlist::{Lit, Netlist};
//! use wordcode::{Packer, Place};
//!
//! // Does any of 64 cells and its neighbour hold?
//! let mut net = Netlist::new();
//! let cells: Vec<Lit> = (0..64).map(|_| net.input()).collect();
//! let pairs: Vec<Lit> = cells.windows(2).map(|two| net.and(two[0], two[1])).collect();
//! let any = net.or_all(pairs);
//!
//! // Node 0 is the constant, the inputs follow.
//! let given = (0..=64).map(|node: usize| node.checked_sub(1).map(Place::new)).collect();
//! let program = Packer::new(given, 1).pack(&net, &[(any, Place::new(0))]);
//! assert_eq!(program.len(), 2);
//!
//! let mut slots = vec![0; program.slots()];
//! let mut output = [0];
//! slots[0] = 0b0110_0000;
//! program.run(&mut slots, &mut output);
//! assert_eq!(output, [1]);
//! ```

mod pack;
mod places;
mod program;

pub use pack::Packer;
pub use places::Group;
pub use program::{Frame, Kind, Op, Out, Place, Program};
