//! What kind of game a network is, told for people.
//!
//! [`Profile`] runs all analyses of a game within one budget: those that play reads (crate `analysis`),
//! and those of this crate, which only describe. [`structure`] says who chooses when, which facts go their
//! way whatever is played, and how long games are; [`play`] what random play looks like; [`symmetries`] in
//! which ways the game is an image of itself; [`pictures`] draws some of it.
//!
//! # Why apart
//! No player reads any of this, so that play does not depend on it. How it is put into words is up to
//! `profile-report`.
//!
//! # Key decisions
//! - The analyses do not know each other, but for what one is built on: symmetries look at boards.
//! - They run in a fixed order, each within its share of the time that is left, so that any deadline
//!   yields a profile.
//! - What cannot be proved is sampled by random play, 64 games to a word, and says so.
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
