//! Counts move paths and states by depth, and compares them with records.
//!
//! *Perft* is the chess programmers' test of a move generator: the number of move sequences of
//! length N from the initial position. A wrong legal move, transition or terminal state within
//! that depth changes it. Here a "move" is a joint move, one move of each role. Besides the
//! paths, the distinct states at each depth are counted. Counting by state also keeps it cheap
//! where many paths meet.
//!
//! The crate is separate because any [`game::Engine`] can be counted and the records are plain
//! text that other programs can read. A record (`fixtures/games/NAME.perft`) has one line for
//! each depth, `depth N paths P states S`, from 0 on and without gaps. Lines that begin with
//! `#` are comments, and cite independent sources of the counts. Terminal states have no
//! successors, so a game whose record ends with `paths 0 states 0` has been counted completely.
//!
//! ```
//! let record: perft::Record = "# a comment\ndepth 0 paths 1 states 1\n".parse().unwrap();
//! assert_eq!(record.levels[0].states, 1);
//! assert!("depth 1 paths 9 states 9".parse::<perft::Record>().is_err());
//! ```

mod count;
mod record;

pub use count::{Limits, count};
pub use record::{Level, Record, RecordError};
