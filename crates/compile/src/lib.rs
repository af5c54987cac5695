//! From rules to what every engine, analysis and search is made from.
//!
//! Rules pass through here once: text → syntax tree → program → ground rules → network → logic.
//! The result is one value, [`Compiled`], that is passed forward. What can be proved of every
//! reachable state is also proved once, and lies beside it in [`Proved`]. Nothing above this
//! crate lowers rules, and nothing proves groups of facts a second time.
//! Theory: docs/theory/compile.md.
//!
//! # Scope
//! Engines, analyses and searches all begin with the same network and logic. This crate lies
//! below all of them and does not know what they use these for.
//!
//! # Key decisions
//! - The reasoner needs none of this: it works from the [`Rules`] alone and is always
//!   available.
//! - An engine is kept with what it was made from ([`Playable`]). A player that gets an engine
//!   can build playouts in lanes, analyses and proofs from the same value.
//! - A part of a game is a [`Compiled`] without a network: it has logic, but no rules of its
//!   own.
//!
//! # Example
//! ```
//! use budget::Budget;
//!
//! let rules = "(role robot) (init (at 1)) (succ 1 2) (succ 2 3) (legal robot step)
//!     (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))
//!     (<= terminal (true (at 3))) (goal robot 100)";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! assert_eq!(compiled.logic.words.facts.len(), 3);
//!
//! let proved = compile::Proved::find(compiled.into(), 1, &budget);
//! assert_eq!(proved.groups.groups.len(), 1); // The robot is at one place at a time.
//! # Ok::<(), compile::CompileError>(())
//! ```

mod compiled;
mod network;
mod playable;
mod proved;
mod report;
mod rules;

pub use compiled::{Compiled, compile};
pub use network::{BuiltNetwork, CompileError, Grounded, build_network, ground};
pub use playable::Playable;
pub use proved::Proved;
pub use report::{Report, Stage, StepCode};
pub use rules::{NoRules, Rules};
