//! What is known of games from one match to the next, in one file.
//!
//! A game is kept under the certificate of its form (`analysis::form`), so that it is found
//! again under other names. Of each there may be a plan, a learnt value, the solution of a puzzle,
//! and statistics of openings; [`Store`] reads and writes them, and [`Keeper`] is the archive that
//! players use ([`metagame::Archive`]). Theory: docs/theory/store.md.
//!
//! # Scope
//! The crate knows what is kept and how it is written, not what it is good for. Facts and moves
//! appear as canonical numbers, never as terms.
//!
//! # Key decisions
//! - One file that is never half written (redb). It is open only while something is read or
//!   written, so that processes share it.
//! - A store is a convenience: a file that is torn, foreign or of a newer program is set aside
//!   under another name, and whatever fails in a match is a warning.
//! - Large values are written by a thread of the keeper, beside the search.
//! - Values are compact (postcard) and packed with a checksum (zlib); plans are JSON, which people
//!   read.

mod encoded;
mod entries;
mod error;
mod export;
mod file;
mod keeper;
mod prune;

pub use entries::{Entry, Game, Opening, Solution};
pub use error::{SetAside, StoreError};
pub use file::Store;
pub use keeper::Keeper;
pub use prune::Limits;
