//! A description of a game, for people.
//!
//! [`Profile`] runs all analyses of a game within one budget: those that playing uses (crate
//! `analysis`), and those of this crate, which only describe. [`structure`] finds turns, control
//! facts (which change in the same way whatever is played), and the length of games; [`play`]
//! collects statistics of random play; [`symmetries`] finds permutations that leave the game
//! unchanged; [`pictures`] draws some of it.
//!
//! # Scope
//! No player reads a profile. Of its parts, learning reads one: symmetries, which share weights
//! (crate `features`). `profile-report` formats a profile as text.
//!
//! # Key decisions
//! - Analyses do not know each other, except where one builds on another: symmetries use boards.
//! - They run in a fixed order, each within its share of the time left, so that any deadline
//!   yields a profile.
//! - What cannot be proved is sampled by random play, 64 games to a word, and marked as
//!   observed.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use profile::Profile;
//!
//! let rules = "(role a) (role b) (init (turn a)) (after a b) (after b end)
//!     (<= (legal ?r stay) (role ?r)) (<= (legal ?r go) (true (turn ?r)))
//!     (<= (next (turn ?n)) (true (turn ?t)) (after ?t ?n))
//!     (<= terminal (true (turn end))) (<= (goal ?r 50) (role ?r))";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
//! assert_eq!(profile.structure.ends.fixed, Some(2));
//! # Ok::<(), compile::CompileError>(())
//! ```

mod find;
pub mod pictures;
pub mod play;
mod shares;
pub mod structure;
pub mod symmetries;

pub use find::{Moves, Profile, Progress, Stage};
