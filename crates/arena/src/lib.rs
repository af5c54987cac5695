//! Tournaments: many matches between players, until it is known who is stronger.
//!
//! A [`Config`] says who plays what, its [`schedule`] is a list of matches, [`Arena::run`] plays
//! those that are missing, and [`Results`] say how it stands.
//!
//! # Why apart
//! A match controller (`matches`) knows one match; statistics (`rating`) know numbers. What is left
//! is bookkeeping over hours: it must survive being killed, and its tables must be right.
//!
//! # Key decisions
//! - *The records are the ledger.* Each match leaves one file, written in one piece; what is there
//!   has been played. Nothing else is kept, so nothing can disagree with it, and every table is
//!   computed from the records.
//! - *The schedule is a function of the configuration*, and more rounds only add to its end.
//! - *Matches run side by side only on cores of their own*, so that clocks are fair.
//! - *Seats are balanced in units*: the matches of one pair at one game in one round, over which
//!   advantages of seats cancel, count as one observation.
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
