//! Plans: what is decided about a game before the first move, and how.
//!
//! No settings are the best for every game, and the start clock leaves time to find out what
//! suits the present one. A [`Plan`] records the decisions in stages, each with its reason, in
//! words for people and in a form that can be stored and reused when the game occurs again
//! ([`Archive`]). The tunable parameters ([`Settings`]) are found by letting settings [`race`].
//! Theory: docs/theory/start-clock.md.
//!
//! # Scope
//! A plan is about searches, whichever player uses them. The crate knows the search and the
//! interface of engines. It does not know how playouts are made, what a player does besides
//! searching, or where plans are stored.
//!
//! # Key decisions
//! - When in doubt, nothing is changed: settings must be ahead by several standard errors. The
//!   caller decides how much of the clock tuning may take.
//! - Settings do not play matches against each other. They are compared by their moves in the
//!   same positions; see the module `race`.
//! - Where several roles choose at the same time, no move is best by itself, and nothing is
//!   tuned.
//!
//! # Reading order
//! [`Settings`], [`Plan`], `race`, `tune`.

mod archive;
mod cubes;
mod duel;
mod knowledge;
mod lesson;
mod local;
mod moves;
mod parts;
mod plan;
mod playouts;
mod prepare;
mod prover_race;
mod puzzles;
mod race;
mod results;
mod searchable;
mod searcher;
mod settings;
mod setup;
#[cfg(test)]
mod tests;
mod timetable;
mod tune;

pub use archive::{Archive, Learnt};
pub use knowledge::Knowledge;
pub use lesson::{Earlier, Lesson};
pub use local::{Advice, Local};
pub use parts::{Divided, Division, Part};
pub use plan::{Decision, Plan, VERSION};
pub use prepare::{Preparation, Pupil, prepare, pupil};
pub use race::{Contestant, Effort, NoRace, Race, Searches, race};
pub use searchable::Searchable;
pub use searcher::Method;
pub use settings::Settings;
pub use setup::{Setup, Switches};
pub use timetable::{Slot, Stage, StartClock, TIMETABLE};
pub use tune::tune;
