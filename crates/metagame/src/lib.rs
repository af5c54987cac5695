//! What is decided about a game before the first move: a plan, and how it is made.
//!
//! No settings are the best for every game, and before a match there is time to find out what suits the one at
//! hand. A [`Plan`] says what was decided, in stages, each with its reason, in words for people and in a
//! form that can be kept and used again when the game comes again ([`Plans`]). What there is to tune
//! ([`Settings`]) is found out by letting settings [`race`].
//!
//! # Why apart
//! A plan is about searches, whoever plays with them. The crate knows the search and the interface of
//! engines; how playouts are made, what a player does beside searching, and where plans are kept are
//! for others to know.
//!
//! # Key decisions
//! - When in doubt, nothing is changed: settings must be ahead by several standard errors. How much of
//!   the clock finding out may take is said by whoever asks for it.
//! - Settings are not matched against each other but compared by their moves in the same positions; see
//!   the module `race`.
//! - Where several roles choose at the same time, no move is best by itself, and nothing is tuned.
//!
//! # Reading order
//! [`Settings`], [`Plan`], `race`, `tune`.

mod moves;
mod parts;
mod plan;
mod playouts;
mod prepare;
mod race;
mod results;
mod searchable;
mod settings;
mod setup;
#[cfg(test)]
mod tests;
mod timetable;
mod tune;

pub use parts::{Divided, Division, Part};
pub use plan::{Decision, Plan, Plans, VERSION};
pub use prepare::{Preparation, prepare};
pub use race::{Contestant, Effort, NoRace, Race, Searches, race};
pub use searchable::Searchable;
pub use settings::Settings;
pub use setup::{Setup, Switches};
pub use timetable::{Slot, Stage, StartClock, TIMETABLE};
pub use tune::tune;
