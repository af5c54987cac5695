//! The logic of one state as operations on machine words, in which like gates share an operation.
//!
//! A [`Packer`] writes parts of a netlist as a [`Program`] whose inputs and outputs are bits of
//! words. Where gates do the same with bits that lie alike, one operation does it for all: the
//! capture of every pawn to the left is a shift and an `and`. Nobody has to say that there is a
//! board; it is enough that the bits of like facts are side by side.
//!
//! # Why apart
//! It needs only a netlist and where the inputs are, and knows nothing of games. `bitcode` does the
//! same for many states at once, one bit of a word for each; here a word is a part of one state.
//!
//! # Key decisions
//! - A value is a bit of the result of an operation. The first operand of an operation stays where
//!   it is, the second is turned so that its bit comes to the same place. So two gates whose
//!   operands are as far from each other in the same words need the same operation, and finding
//!   them is a look into a table of the operations that there are.
//! - Bits that belong to no gate compute something that nobody reads.
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
