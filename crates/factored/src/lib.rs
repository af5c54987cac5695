//! Plays games that consist of independent parts, by these parts.
//!
//! A game made of parts that do not influence each other (`analysis::factors`) need not be
//! searched as a whole: the whole has the product of the numbers of positions of its parts, but
//! here only their sum is searched. [`solve`] solves puzzles: every part is explored by itself,
//! the outputs of the parts are combined to the results of the whole, and the paths through the
//! parts are merged into one line, which is replayed on the whole before it is accepted. Where
//! several roles play, and the turn or the moving role decides in which part
//! ([`Parts::searched`]), each part is a game of its own ([`Parts::game`]) that any search can
//! play. The caller then compares the moves of the parts with those of the whole.
//! Theory: docs/theory/factors.md.
//!
//! # Scope
//! The analysis knows nothing of play, and the search nothing of parts. This crate connects
//! them.
//!
//! # Key decisions
//! - A line counts only once an engine of the whole has replayed it. So a wrong factor could
//!   lose a solution, but never produce a wrong one.
//! - A solution is called the best only where the factors are proved, all positions of all
//!   parts were explored, and no combination of their outputs is better, in whatever order.
//! - The outputs of a part are all that the whole reads from it. So many positions of a part
//!   are equivalent when parts are combined.
//!
//! # Example
//! Three dials of four places, of which each move turns one; all are to be in their last
//! places:
//!
//! ```
//! use budget::Budget;
//! use factored::{Parts, solve};
//!
//! let rules = "(role robot) (dial a) (dial b) (dial c) (on 0 1) (on 1 2) (on 2 3) (on 3 0)
//!     (<= (init (at ?d 0)) (dial ?d)) (<= (legal robot (turn ?d)) (dial ?d))
//!     (<= (next (at ?d ?q)) (does robot (turn ?d)) (true (at ?d ?p)) (on ?p ?q))
//!     (<= (next (at ?d ?p)) (true (at ?d ?p)) (not (does robot (turn ?d))))
//!     (<= all (true (at a 3)) (true (at b 3)) (true (at c 3)))
//!     (<= terminal all) (<= (goal robot 100) all) (<= (goal robot 0) (not all))";
//! let budget = Budget::system();
//! let options = prepare::Options { engine: prepare::EngineChoice::Scalar, ..Default::default() };
//! let mut playable = prepare::prepare(rules, &options, &budget)?.playable;
//! let (engine, compiled) = (&mut *playable.engine, playable.compiled.expect("it is compiled"));
//!
//! let proved = compile::Proved::find(compiled, 1, &budget);
//! let parts = Parts::find(&proved, 1, &budget).expect("it falls apart");
//! let start = engine.initial();
//! let found = solve(&parts, engine, &start, &budget).expect("there is a solution");
//! assert_eq!((found.result, found.best, found.steps.len()), (100, true, 9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod combine;
mod control;
mod judge;
mod parts;
mod positions;
mod puzzle;
mod walk;

pub use parts::Parts;
pub use puzzle::{Solution, solve};
