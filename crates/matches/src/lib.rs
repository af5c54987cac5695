//! Plays one match between any players, with clocks, and records it.
//!
//! [`play`] is the referee. It knows the rules through its own engine and gives every
//! [`Participant`] its clock. It replaces late, illegal and missing answers by random legal
//! moves and counts them. It reports events to an [`Observer`] and keeps a
//! [`Record`](records::Record).
//!
//! # Scope
//!
//! Tournaments and tests play matches too, not only the command line. The crate `players` does
//! not know that a participant can also be a human, a process ([`Spawned`]) or a remote server
//! ([`Remote`]).
//!
//! # Key decisions
//!
//! * Participants answer with terms, not with moves of the referee's engine. Terms are all that
//!   a remote player has in common with the referee.
//! * No participant can delay or end a match. Every wait has a limit, panics are caught, and
//!   missing answers are replaced and counted ([`FaultCount`]).
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
//!         matches::play(&mut *game.engine, &mut participants, &settings, &mut (), &budget)
//!             .unwrap();
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
mod history;
mod local;
mod observer;
mod outcome;
mod participant;
mod process;
mod remote;
mod samples;
mod settings;
mod spawned;
#[cfg(test)]
mod tests;

pub use address::Address;
pub use controller::play;
pub use cores::{cores, pin};
pub use entrant::{Entrant, Ready, Table};
pub use local::{Local, Resources, Watch};
pub use observer::{Observer, Step};
pub use outcome::{End, FaultCount, MatchError, Outcome};
pub use participant::{Answer, Fault, Opening, Participant, Turn};
pub use process::{Launch, LaunchError, Process};
pub use remote::Remote;
pub use samples::samples;
pub use settings::Settings;
pub use spawned::Spawned;
