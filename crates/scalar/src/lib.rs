//! A fast engine that evaluates one state at a time, for the steps of a search.
//!
//! A [`ScalarEngine`] computes legality, goals and the next state with short straight-line
//! programs on the words of a state (crate `wordcode`). They run as machine code if the machine
//! supports it (crate `wordcode-native`).
//! Theory: docs/theory/scalar.md.
//!
//! # Scope
//! It is one more engine behind `game::Engine`. It is built from the netlist of a game alone.
//!
//! # Key decisions
//! - The effect of a joint move is computed when it has been played often enough (module
//!   `specialise`). With the moves given, most of the transition only keeps facts as they are.
//!   The rest is a few masks, where the whole has thousands of gates. (Partial evaluation, per
//!   joint move.)
//! - The positions of facts in the state's words keep similar facts in the same relative
//!   positions ([`Layout`]), so that many gates share an operation.
//! - Each phase of the game has its own programs ([`netlist::Phases`]). Unreachable states are
//!   evaluated by programs for all phases, which are built when first needed.
//! - Legal moves are bits in an order that is cheap to compute. The table that converts them to
//!   moves restores the order of the list.
//! - A joint move gets a program when it has been played so often that the cost of writing one
//!   equals the time that the program would have saved compared with the program of all
//!   transitions.
//! - Programs for joint moves are shared by all forks. Each fork keeps those that it has used.
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
