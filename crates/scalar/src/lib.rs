//! One state at a time, fast: an engine for the steps of a search.
//!
//! A [`ScalarEngine`] answers what is legal, who won and what comes next by short straight-line
//! programs on the words of a state (crate `wordcode`), as machine code where the machine can run it
//! (crate `wordcode-native`).
//!
//! # Why apart
//! It is one more engine behind `game::Engine`. It is made from the netlist of a game and needs
//! nothing else of what made it.
//!
//! # Key decisions
//! - What a joint move does is worked out when it is first made (module `specialise`): with the moves
//!   given, most of the transition says that facts stay as they are, and what remains is a few
//!   masks, where the whole has thousands of gates. (Partial evaluation, per joint move.)
//! - The facts have places in the state's words by which like facts lie alike ([`Layout`]), so
//!   that many gates share an operation.
//! - Each phase of the game has programs of its own ([`netlist::Phases`]); a state that play does
//!   not reach is answered by programs for all phases, made when they are first needed.
//! - Legal moves are bits in an order that is cheap to compute; the table that turns them to moves
//!   gives a list its order.
//! - A joint move gets a program when it has been made as often as writing one costs, compared with
//!   what it saves over the program of all transitions.
//! - Programs for joint moves are shared by all forks, and each fork keeps those that it has met.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::{Engine, MoveId, RoleId, State};
//! use scalar::ScalarEngine;
//!
//! let rules = "(role robot) (init (p a)) (thing a) (thing b)
//!     (<= (legal robot ?x) (thing ?x)) (<= (next (p ?x)) (does robot ?x))
//!     (<= terminal (true (p b))) (goal robot 100)";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//!
//! let mut engine = ScalarEngine::new(&compiled.logic, &compiled.phased, &budget)?;
//! let (start, mut next, mut moves) = (engine.initial(), State::default(), Vec::new());
//! engine.legal(&start, RoleId(0), &mut moves)?;
//! assert_eq!(moves.len(), 2);
//! engine.next(&start, &[MoveId(1)], &mut next)?;
//! assert!(engine.terminal(&next)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod build;
mod cycles;
mod engine;
mod layout;
mod names;
mod phase;
mod runner;
mod specialise;

pub use build::ScalarError;
pub use engine::ScalarEngine;
pub use layout::Layout;
