//! Proof-number search over any engine: what a role can force.
//!
//! A [`Prover`] is asked whether a role gets at least some result from a state, and examines no
//! more states than it is allowed. It keeps what it found out in a table of fixed size, so that
//! the same question, asked again, or one about a nearby state, continues from there. An answer
//! is a proof or [`Answer::Open`], never a guess.
//! Theory: docs/theory/df-pn.md.
//!
//! # The idea
//! For each state it keeps the least number of leaves that would have to be proved so that the
//! answer is yes, and the least number so that it is no (Allis, van der Meulen and van den
//! Herik, "Proof-number search", 1994). It always expands a leaf that counts for both, so it
//! follows narrow lines, where one side has few answers, far deeper than wide ones. The search
//! is depth-first, with a threshold on both numbers for each state, and needs no tree but the
//! table (df-pn: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! 2002).
//!
//! # Key decisions
//! - Instead of the sum of the children's numbers it takes the greatest one, plus 1 for each of
//!   the others (Ueda, Hashimoto, Hashimoto and Iida, "Weak proof-number search", 2008): states
//!   have transpositions, and sums count them twice.
//! - A leaf's numbers start at its number of moves (mobility, as in many solvers since Allis).
//! - Where many moves are evaluated side by side and wins that are one move away are detected
//!   ([`Prover::foresee`]), these decide a state, and only moves that do not lose at once count
//!   for mobility. So the search follows threats, which leave few answers, as threat-space
//!   search does (Allis, van den Herik and Huntjens, "Go-Moku and threat-space search", 1993),
//!   without any definition of a threat.
//! - The threshold on the smallest number is a quarter more than the second smallest one (the 1 +
//!   ε trick: Pawlewicz and Lew, "Improving depth-first PN-search", 2006), so that the search
//!   switches between lines less often.
//! - A value of states that was learnt before may guide the search ([`Subject::guide`]): a leaf's
//!   numbers are larger the less likely the answer is (Winands and Schadd, "Evaluation-function
//!   based proof-number search", 2010). A search that plunges ([`Subject::plunge`]) goes deep
//!   before it goes wide.
//! - All others play together against the role. With two roles whose results add up to a
//!   constant, that is the value. Where several roles choose at once, nothing is proved.
//! - Proofs rest on terminal states alone. A repeated state on a line proves nothing, so
//!   answers do not depend on the path to a state. Cycles are bounded by the depth and by the
//!   number of states.
//! - Questions about results between which there is none are one question ([`Results`]): where a
//!   role wins or loses, whether it can avoid the loss is whether it can win.
//! - Several threads share a table without locks, and a [`Team`] of them answers one question
//!   together (Kaneko, "Parallel depth first proof number search", 2010).
//! - The table identifies a state by 64 bits, besides its position, which comes from other
//!   bits, and compares four entries. At ten million states a second it confuses two states
//!   once in some ten thousand years. That is the only gap in the proofs.
//!
//! # Scope
//! The crate `exhaustive` answers the same questions by searching everything in a fixed order;
//! this crate is tested against it. This crate is made for searches, in which it runs beside
//! playouts. The crate `pnsearch` does the same over an explicit graph, in batches.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use dfpn::{Answer, ProofSearch, Prover};
//! use game::{Engine, RoleId};
//!
//! // Five tokens; each role in turn takes one or two, and who takes the last one has won.
//! let rules = "(role a) (role b) (init (left 5)) (init (turn a)) (other a b) (other b a)
//!     (less 5 1 4) (less 5 2 3) (less 4 1 3) (less 4 2 2) (less 3 1 2) (less 3 2 1)
//!     (less 2 1 1) (less 2 2 0) (less 1 1 0)
//!     (<= (legal ?r (take ?k)) (true (turn ?r)) (true (left ?n)) (less ?n ?k ?m))
//!     (<= (legal ?r wait) (true (turn ?q)) (other ?q ?r))
//!     (<= (next (left ?m)) (does ?r (take ?k)) (true (left ?n)) (less ?n ?k ?m))
//!     (<= (next (turn ?q)) (true (turn ?r)) (other ?r ?q))
//!     (<= terminal (true (left 0)))
//!     (<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (true (turn ?q)) (other ?q ?r))";
//! let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
//! let engine = reasoner::Reasoner::new(&sheet, &Budget::system())?;
//! let state = engine.initial();
//! let mut prover = Prover::new(Box::new(engine), RoleId(0), 1 << 16, 0);
//! let answer = prover.ask(&state, 100, 1_000, &Budget::system())?;
//! assert!(matches!(answer, Answer::Yes { at_least: 100, .. }));
//! # Ok::<(), game::EngineError>(())
//! ```

mod children;
mod chooser;
mod descend;
mod guide;
mod interface;
mod judge;
mod numbers;
mod prover;
mod results;
mod subject;
mod table;
mod team;
#[cfg(test)]
mod tests;

pub use chooser::{Chooser, find_chooser};
pub use guide::Guide;
pub use interface::{Helper, ProofSearch};
pub use judge::Judge;
pub use numbers::Numbers;
pub use prover::{Answer, Prover};
pub use results::Results;
pub use subject::Subject;
pub use table::{Name, Table};
pub use team::Team;
