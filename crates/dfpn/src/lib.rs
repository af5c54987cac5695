//! Proof-number search: what a role can force, found piece by piece, over any engine.
//!
//! A [`Prover`] is asked whether a role gets at least so much from a state, and looks at no more states than it
//! is told. What it found out on the way it keeps in a table of fixed size, so that the same question, asked
//! again, or one about a state near by, goes on from there. An answer is a proof or [`Answer::Open`], never a guess.
//!
//! # The idea
//! Of each state it keeps how many leaves would at least have to be proved so that the answer is yes, and how many
//! so that it is no (Allis, van der Meulen and van den Herik, "Proof-number search", 1994). It always looks at a
//! leaf that counts for both, so it follows narrow lines, where one side has few answers, far deeper than wide ones.
//! It goes depth first, with a bound on both numbers for each state, and needs no tree but the table (df-pn: Nagai,
//! "Df-pn algorithm for searching AND/OR trees and its applications", 2002).
//!
//! # Key decisions
//! - Where numbers would be added up, the greatest one counts, and 1 for each of the others (Ueda, Hashimoto,
//!   Hashimoto and Iida, "Weak proof-number search", 2008): states meet again, and sums count them twice.
//! - A state that was not looked at counts by how many moves there are (mobility, as in many solvers since Allis).
//! - Where many moves are looked at together and wins that are a move away are foreseen ([`Prover::foresee`]), that is an
//!   answer, and only moves that do not lose at once count for mobility. So it follows threats, which leave few answers,
//!   as threat-space search does (Allis, van den Herik and Huntjens, "Go-Moku and threat-space search", 1993), without
//!   being told what a threat is.
//! - A bound on the smallest number is a quarter more than the second smallest one asks for (the 1 + ε trick:
//!   Pawlewicz and Lew, "Improving depth-first PN-search", 2006), so that it jumps about less.
//! - All others play together against the role: with two whose results add up to a constant that is the value.
//!   Where several choose at once nothing is proved.
//! - Proofs rest on ends of play alone. That a state comes again on a way proves nothing, so answers do not depend
//!   on the way to a state, and going round is bounded by the depth and by the states that may be looked at.
//! - The table knows states by 64 bits beside the place where they lie, which is told by other bits, and looks at four
//!   of them: at ten million states a second it takes one state for another once in some ten thousand years. That is
//!   the one thing that answers do not prove.
//!
//! # Why apart
//! The crate `solver` answers the same questions by going through everything in a fixed order; it is what this one
//! is tested with. This one is made for searches, in which it runs beside playouts.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::{Engine, RoleId};
//! use dfpn::{Answer, Prover};
//! use testkit::toys::TakeAway;
//!
//! // Who takes the last token wins; with five left and up to three to take, the first one does.
//! let game = TakeAway::new(2, 5, 3);
//! let state = game.initial();
//! let mut prover = Prover::new(Box::new(game), RoleId(0), 1 << 16, 0);
//! let answer = prover.ask(&state, 100, 1_000, &Budget::system()).unwrap();
//! assert!(matches!(answer, Answer::Yes { at_least: 100, .. }));
//! ```

mod children;
mod descend;
mod prover;
mod table;
#[cfg(test)]
mod tests;

pub use prover::{Answer, Prover};
