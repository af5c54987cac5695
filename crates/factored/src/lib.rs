//! Plays games that fall apart by their parts.
//!
//! A game made of parts that do not influence each other (`analysis::factors`) need not be searched
//! as a whole: what takes the product of the positions of its parts there takes their sum here.
//! [`solve`] solves puzzles: every part is explored by itself, what is seen of the parts is put
//! together to what the whole comes to, and the ways through the parts are made into one, which is
//! tried on the whole before it is believed. Where several roles play, and the turn or whoever moves says in
//! which part ([`Parts::searched`]), each part is a game of its own ([`Parts::game`]) that any search can
//! play; who searches them compares the moves of the parts with those of the whole.
//!
//! # Why apart
//! The analysis knows nothing of play, and the search nothing of parts. What joins them is here.
//!
//! # Key decisions
//! - A way counts only once an engine of the whole has gone it. So a wrong factor could cost a way,
//!   but never bring a wrong one.
//! - That nothing better exists is said only where the factors are proved, all positions of all parts
//!   were seen, and no choice of what is seen of them brings more, in whatever order.
//! - What is seen of a part is all that the whole asks of it, so that of many positions few are told
//!   apart when parts are put together.
//!
//! # Example
//! Three dials of four places, of which each move turns one; all are to be in their last places:
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
