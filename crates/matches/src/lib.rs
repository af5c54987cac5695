//! Plays one match between any players, with clocks, and records it.
//!
//! [`play`] is a referee: it knows the rules through its own engine, gives every [`Participant`] its
//! clock, replaces late, illegal and missing answers by random legal moves, counts them, tells an
//! [`Observer`] what happens, and writes a [`Record`] in the form of GGP match files.
//!
//! [`validate`] plays a record again and says what in it cannot have happened.
//!
//! # Why apart
//!
//! Tournaments and tests play matches too, not only the command line. And `players` does not know
//! that a participant can also be a human, a process ([`Spawned`]) or a server elsewhere
//! ([`Remote`]).
//!
//! # Key decisions
//!
//! * Participants answer with terms and not with moves of the referee's engine: that is all that
//!   players elsewhere have in common with it.
//! * Nothing that a participant does may hold a match up or end it. Every wait has a limit, panics
//!   are caught, and what is missing is replaced and counted ([`FaultCount`]).
//! * A record carries its rules, so that it can be checked without anything else, and is on the disk
//!   as a whole or not at all.
//!
//! # Example
//!
//! ```
//! use budget::Budget;
//! use compile::Playable;
//! use game::Engine;
//! use matches::{End, Local, Participant, Resources, Settings};
//!
//! fn random_against_random(mut game: Playable) {
//!     let budget = Budget::system();
//!     let resources = Resources { threads: 1, memory: 1 << 20 };
//!     let mut participants: Vec<Box<dyn Participant>> = Vec::new();
//!     for _ in 0..game.engine.roles().len() {
//!         let player = players::by_name("random").unwrap();
//!         participants.push(Box::new(Local::new(player, game.fork(), resources, &budget)));
//!     }
//!     let settings = Settings::default();
//!     let outcome =
//!         matches::play(&mut *game.engine, &mut participants, &settings, &mut (), &budget).unwrap();
//!     assert_eq!(outcome.end, End::Terminal);
//! }
//! # let game: Box<dyn Engine> = Box::new(testkit::toys::TakeAway::new(2, 9, 3));
//! # random_against_random(game.into());
//! ```

mod address;
mod ask;
mod controller;
mod cores;
mod entrant;
mod exchange;
mod file;
mod local;
mod observer;
mod outcome;
mod participant;
mod process;
mod record;
mod remote;
mod settings;
mod spawned;
#[cfg(test)]
mod tests;
mod validate;

pub use address::Address;
pub use controller::play;
pub use cores::{cores, pin};
pub use entrant::{Entrant, Ready, Table};
pub use file::{check_writable, write_file};
pub use local::{Local, Resources};
pub use observer::{Observer, Step};
pub use outcome::{End, FaultCount, MatchError, Outcome};
pub use participant::{Answer, Fault, Opening, Participant, Turn};
pub use process::{Launch, LaunchError, Process};
pub use record::{Record, RecordError};
pub use remote::Remote;
pub use settings::Settings;
pub use spawned::Spawned;
pub use validate::{Violation, parse_facts, validate};
