//! Hundreds of random playouts side by side, one bit each.
//!
//! A [`Step`] is a program that evaluates a state, chooses a legal move for every role and
//! applies it. Since it is the same for every state, a word of bits does it for 64 playouts at
//! once, and a vector register for several times as many. [`LanePlayouts`] runs it until the
//! games are over, fills the lanes that have ended with new playouts, and adds up the results.
//! An [`Expander`] applies given moves: it generates all children of a state, or of many, in
//! one pass.
//! Theory: docs/theory/lanes.md.
//!
//! # Scope
//! The speed of everything above comes from this crate. It is the only one that knows how play
//! proceeds in many lanes. It runs `bitcode` programs, with any evaluator.
//!
//! # Key decisions
//! - Everything is a circuit, including the choice of moves ([`choice`]). So there is one
//!   mechanism, and all optimisations of netlists apply to all of it. The exception are choices
//!   among tens of thousands of moves, of which few are legal ([`Scan`]).
//! - All lanes are in one phase of the game ([`netlist::Phases`]). Whose turn it is, is known
//!   when the program is built, so that half of the rules fall away, and a role that can only
//!   pass costs nothing.
//! - Moves are uniform unless a [`Policy`] changes that. A policy becomes part of the circuit
//!   too.
//! - Playouts that were begun are finished or cut at the step limit, so that short ones are not
//!   over-represented.
//!
//! # Example
//! ```
//! use bitcode::{Code, Evaluator, Interpreter};
//! use budget::Budget;
//! use game::{Playouts, Start, State};
//! use lanes::{Choice, LanePlayouts};
//!
//! // The robot tosses a coin once.
//! let rules = "(role robot) (init toss) (side heads) (side tails)
//!     (<= (legal robot ?side) (side ?side)) (<= (next (lies ?side)) (does robot ?side))
//!     (<= terminal (true (lies ?side)))
//!     (<= (goal robot 100) (true (lies heads))) (<= (goal robot 0) (true (lies tails)))";
//! let budget = Budget::system();
//! let compile::Compiled { logic, phased, .. } = compile::compile(rules, &budget)?;
//!
//! let interpret = |code: &Code| Box::new(Interpreter::new(code)) as Box<dyn Evaluator<4>>;
//! let choices = Choice::plain(&logic);
//! let mut lanes = LanePlayouts::<4>::new(&phased, &choices, interpret, 1, 1000);
//! let mut words = vec![0; logic.facts.len().div_ceil(64)];
//! for &fact in &logic.words.initial {
//!     words[fact as usize / 64] |= 1 << (fact % 64);
//! }
//! let state = State::from_words(words);
//! let start = Start { state: &state, playouts: 10_000 };
//! let mut tallies = Vec::new();
//! lanes.run(&[start], &mut tallies, &budget)?;
//! assert_eq!(tallies[0].steps, 10_000);
//! assert!((tallies[0].mean(0).unwrap() - 50.0).abs() < 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ages;
pub mod choice;
mod effects;
mod ends;
mod expand;
mod import;
mod jobs;
mod mend;
mod playouts;
mod policy;
mod random;
mod scan;
mod step;
mod sums;
mod transpose;

pub use expand::{Ask, AskGoals, Children, Expander, LaneFans, Order, Pair};
pub use playouts::LanePlayouts;
pub use policy::{Applied, Declined, Figures, Guide, Guided, GuidedPlaces, Policy};
pub use random::RandomPlanes;
pub use scan::{SCAN_FROM, Scan};
pub use step::{Banks, Choice, ChoicePlaces, LOOK, MOVE, Places, RESULTS, Step};
pub use transpose::{load, transpose, unload, unload_all};
