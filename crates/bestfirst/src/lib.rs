//! Best-first minimax search with a learnt value.
//!
//! From the root the search always descends to the successor that is worth most for the role
//! that chooses, expands the state at the end of that line, and backs values up as minima and
//! maxima: unbounded best-first minimax (Korf and Chickering, "Best-first minimax search", 1996)
//! with exact ends ("completion": Cohen-Solal, "Learning to play two-player perfect-information
//! games without knowledge", 2020). All successors of an expanded state are evaluated at once,
//! terminal states exactly. Proof-number search runs beside it, from states with many visits.
//! Theory: docs/theory/knowledge.md.
//!
//! # Scope
//! The search is as good as its value; learning one is up to `selfplay`. At most one role may
//! choose in each state. With more than two roles, each maximises its own result.
//!
//! # Key decisions
//! - No parameter of exploration: the estimates of a good value need none.
//! - Certain results are kept apart from estimates, with the plies to them, so that the search
//!   prefers near wins and far losses.
//! - Equal states share a node, and the tree is kept from move to move. When memory is short,
//!   nodes with few visits are dropped; their values stay in the edges above them.

mod expand;
mod proofs;
mod search;
#[cfg(test)]
mod tests;
mod tree;

pub use search::{Publish, Report, Search, SearchError};
