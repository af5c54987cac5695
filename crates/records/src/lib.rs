//! Match records: what was played, when, and with which result.

mod record;
mod thought;
mod validate;

pub use record::{Record, RecordError};
pub use thought::Thought;
pub use validate::{Violation, parse_facts, validate};
