//! Alpha-beta as a proof search: what a role can force, searched to the end of play.
//!
//! A [`Prover`] answers the same questions as that of the crate `dfpn`: whether a role gets at
//! least some result from a state, whatever all others do. An answer is a proof or
//! [`Answer::Open`], never a guess. Theory: docs/theory/alpha-beta.md.
//!
//! # The idea
//! A question has two answers, so that alpha-beta is a search with a null window: a state is
//! decided by one move with the right answer, and a wrong first move costs all below it. There is
//! no depth and no value of states: lines end where play does. That is hopeless in the middle of
//! long games, and better than proof numbers where few moves are left and many lines lead to the
//! same states, as in endings that are counted out.
//!
//! # Key decisions
//! - Before any child is searched, all children are looked up in the table, and ends of play and
//!   wins that are one move away are seen (`dfpn::Judge`): one of them may decide the state
//!   (enhanced transposition cutoffs: Plaat and others, "Exploiting graph properties of game
//!   trees", 1996).
//! - Moves after which the same side chooses again come first, then those that leave the other side
//!   the fewest moves ("fastest first", as in programs for the end of Othello); those that lose at
//!   once do not count. Among equals, moves that decided other states come first (Schaeffer, "The
//!   history heuristic", 1989).
//! - The table (`dfpn::Table`) keeps only what is proved, and a question that was cut off begins
//!   again from it.
//! - All others play together against the role; where several roles choose at once, nothing is
//!   proved. A repeated state on a line proves nothing.
//!
//! # Example
//! ```
//! use alphabeta::{Answer, ProofSearch, Prover};
//! use budget::Budget;
//! use game::{Engine, RoleId};
//! use testkit::toys::TakeAway;
//!
//! // The role that takes the last token wins; with five left and up to three to take, leave four.
//! let game = TakeAway::new(2, 5, 3);
//! let mut prover = Prover::new(game.fork(), RoleId(0), 1 << 16, 0);
//! let answer = prover.ask(&game.initial(), 100, 1_000, &Budget::system())?;
//! assert!(matches!(answer, Answer::Yes { at_least: 100, .. }));
//! # Ok::<(), game::EngineError>(())
//! ```

mod children;
mod history;
mod prover;
mod search;
#[cfg(test)]
mod tests;

pub use dfpn::{Answer, ProofSearch};
pub use prover::Prover;
