//! Exhaustive proof of what a role can force, over any engine.
//!
//! For a state, a role and each of its legal moves, a [`Solver`] bounds the role's result: by
//! what it can force whatever all others do, and by what the others together can hold it to.
//! Where it runs out of states, time or depth it returns [`Verdict::Unknown`], never a guess.
//!
//! # Scope
//! Searches are tested against this crate, so it shares nothing with them: no statistics, no
//! playouts, no tree, only the rules and exhaustive search. It knows engines through `game`
//! alone.
//!
//! # Key decisions
//! - The question is always "at least `g`?", answered by yes or no, for one goal value after
//!   the other. Answers carry the bound that their proof has shown (fail-soft), so that few
//!   values need to be asked for.
//! - Depth is counted in *own moves*: states in which the role has a choice. Iterative
//!   deepening increases it by one until everything is answered. At each depth there are two
//!   searches: one takes what lies beyond the horizon as lost and looks for a yes, the other
//!   takes it as won and looks for a no. A single search with three values would have to
//!   examine every move of both sides.
//! - All others play together against the role. That is the definition of what can be forced,
//!   and with two players of opposed interests it is the value of the game. Where others choose
//!   at the same time as the role there are two [`Reading`]s, which are bounds from below and
//!   above.
//! - The transposition table holds only what was proved by a tree of bounded depth, so an
//!   answer does not depend on the path to a state.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::{Engine, RoleId};
//! use exhaustive::{Limits, Solver};
//! use testkit::toys::TakeAway;
//!
//! // The role that takes the last token wins; with five left and up to three to take, leave four.
//! let mut game = TakeAway::new(2, 5, 3);
//! let state = game.initial();
//! let mut solver = Solver::new(&mut game, RoleId(0), Limits::default());
//! let values = solver.intervals(&state, &Budget::system()).unwrap();
//! let bounds: Vec<(u8, u8)> = values.iter().map(|v| (v.lower, v.upper)).collect();
//! assert_eq!(bounds, [(100, 100), (0, 0), (0, 0)]);
//! ```

mod answer;
mod children;
mod search;
mod solver;
mod table;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Interval, Verdict};
pub use search::Reading;
pub use solver::{Limits, Outcome, Solver};
