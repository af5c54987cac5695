//! Tournaments: many matches between players, until it is known which player is stronger.
//!
//! A [`Config`] describes the players and games. Its [`schedule`] is a list of matches.
//! [`Arena::run`] plays those that are missing, and [`Results`] holds the standings.
//!
//! # Scope
//! The crate `matches` plays one match, and the crate `rating` computes statistics from
//! numbers. This crate does the bookkeeping over hours: it must survive being killed, and its
//! tables must be right.
//!
//! # Key decisions
//! - *The records are the only state.* Each match leaves one file, written atomically. A match
//!   whose file exists has been played. Nothing else is stored, so nothing can contradict the
//!   records, and every table is computed from them.
//! - *The schedule is a function of the configuration*, and more rounds only append to it.
//! - *Matches run side by side only on separate cores*, so that clocks are fair.
//! - *Seats are balanced in units.* A unit is the matches of one pair at one game in one round.
//!   The advantages of seats cancel in it, and it counts as one observation.
//!
//! # Example
//! ```no_run
//! use arena::{Arena, Config};
//! use budget::Stop;
//! use std::path::Path;
//!
//! let config = Config::read(Path::new("nightly.toml"))?;
//! let arena = Arena::open(config, Path::new("nightly"))?;
//! let results = arena.run(&Stop::default(), &())?;
//! print!("{}", results.table());
//! # Ok::<(), arena::ArenaError>(())
//! ```

mod config;
mod error;
mod export;
mod games;
mod played;
mod results;
mod runner;
mod schedule;
mod seats;
mod store;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use config::{Bounds, Config, Entry, Format, Seats, game_name};
pub use error::ArenaError;
pub use played::Played;
pub use results::{Conduct, Results, Row};
pub use runner::{Arena, Progress};
pub use schedule::{Fixture, schedule};
