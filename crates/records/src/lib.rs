//! Match records: what was played, when, and with which result.

mod lengths;
mod read;
mod record;
mod thought;
mod validate;

pub use lengths::{check_lengths, count_roles};
pub use read::{Entry, MOST_BYTES, ReadError, Records};
pub use record::Record;
pub use thought::Thought;
pub use validate::{Violation, add_states, parse_facts, validate};
