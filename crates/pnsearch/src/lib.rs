//! Proof-number search over an explicit graph, whose leaves are expanded in batches.
//!
//! A [`Prover`] answers the same questions as that of the crate `dfpn`, in the same way: whether a
//! role gets at least some result from a state, whatever all others do. The difference is how it
//! searches. Theory: docs/theory/df-pn.md.
//!
//! # The idea
//! Df-pn keeps nothing but a table, so it generates the children of a state again at every descent
//! to it, and it wants them one state at a time. Here nodes keep their edges, and a round of the
//! search collects up to 64 of the most proving leaves before it expands any: a leaf that waits
//! gets virtual numbers, a little worse than its own, so that the next descent goes elsewhere. The
//! children of all of them are made in one call ([`game::Fans::fan_all`]), hundreds of lanes at a
//! time.
//!
//! # Key decisions
//! - The proof and disproof numbers of the children lie beside the edges, so that selection reads
//!   one list. Children that are decided have no edges: they decided the node, or they do not
//!   count any more.
//! - The numbers are combined as in `dfpn`: the greatest, and one for each other child; leaves
//!   begin at their number of moves; wins that are one move away are foreseen. There is no slack
//!   in thresholds, because there are no thresholds: a descent from the root costs a few steps.
//! - Memory is bounded. When it is full, nodes with few descents become leaves again, which keep
//!   their numbers, and what was below them is forgotten.
//! - Nodes are found by their whole state, so that there is no gap in the proofs.
//! - A state that repeats on a line closes the edge for good. That may leave a question open; it
//!   never proves anything.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::{Engine, RoleId};
//! use pnsearch::{Answer, ProofSearch, Prover};
//! use testkit::toys::TakeAway;
//!
//! // The role that takes the last token wins; with five left and up to three to take, leave four.
//! let game = TakeAway::new(2, 5, 3);
//! let mut prover = Prover::new(game.fork(), RoleId(0), 1 << 16, 0);
//! let answer = prover.ask(&game.initial(), 100, 1_000, &Budget::system())?;
//! assert!(matches!(answer, Answer::Yes { at_least: 100, .. }));
//! # Ok::<(), game::EngineError>(())
//! ```

mod expand;
mod graph;
mod prover;
mod search;
mod table;
#[cfg(test)]
mod tests;

pub use dfpn::{Answer, ProofSearch};
pub use prover::Prover;
