//! From rules to what every engine, analysis and search is made from.
//!
//! Rules flow through here once: text → syntax tree → program → ground rules → network → logic. The
//! result is one value, [`Compiled`], that is passed forward. What can be proved of every reachable
//! state is proved once, too, and lies beside it in [`Proved`]. Nothing above this crate lowers
//! rules, and nothing proves groups of facts a second time.
//!
//! # Why apart
//! Engines, analyses and searches all begin with the same network and logic. A crate below all of
//! them can hand these out without knowing who uses them.
//!
//! # Key decisions
//! - The reasoner needs none of this: it works from the [`Rules`] alone and is always there.
//! - An engine travels with what it was made from ([`Playable`]). Whoever gets an engine to play
//!   with can make playouts in lanes, analyses and proofs of it.
//! - A part of a game is a [`Compiled`] without a network: it has logic, but no rules of its own.
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
//! assert_eq!(proved.groups.groups.len(), 1); // It is in one place at a time.
//! # Ok::<(), compile::CompileError>(())
//! ```

mod compiled;
mod network;
mod playable;
mod proved;
mod report;
mod rules;

pub use compiled::{Compiled, compile};
pub use network::{BuiltNetwork, CompileError, build_network};
pub use playable::Playable;
pub use proved::Proved;
pub use report::{Report, Stage};
pub use rules::{NoRules, Rules};
