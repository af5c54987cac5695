//! Rocinante as a library: load a game, play it out, search it, play matches with it.
//!
//! Everything begins with the rules of a game in GDL, as text. A [`Game`] is the rules on the
//! fastest engine that can be had; a [`Position`] is a state of it that can be asked and moved;
//! [`Random`] makes random playouts by the million; a [`Player`] chooses moves, one of ours or
//! your own.
//!
//! ```
//! use rocinante::{Game, Spec};
//! use std::time::Duration;
//!
//! # let text = std::fs::read_to_string("../../fixtures/games/tic_tac_toe.gdl")?;
//! let game = Game::load(&text)?;
//!
//! // Random playouts from the initial position.
//! let tally = game.random(1).run(&game.initial(), 10_000)?;
//! assert_eq!(tally.finished, 10_000);
//!
//! // A move by the search of the player `default`, in a tenth of a second.
//! let time = Duration::from_millis(100);
//! let chosen = game.choose(&game.initial(), 0, &Spec::default(), time)?;
//! println!("{}: {}", chosen.mv, chosen.why.unwrap_or_default());
//!
//! // A match between two players.
//! let record = game.play(&["default:playouts=100".parse()?, "random".parse()?], time)?;
//! assert_eq!(record.goals.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Scope
//! This crate has no code for anything but convenience: it puts the crates below together as the
//! binary does. Each of them can be used alone; [`game`], [`compile`], [`players`] and the others
//! are re-exported.
//!
//! # Examples
//! `cargo run --release -p rocinante --example NAME`: `load`, `playouts`, `search`, `own_player`,
//! `serve_player`, `profile`.

mod choose;
mod error;
mod load;
mod matches_;
mod position;
mod random;

pub use ::{
    budget, compile, game, gdl_parse, matches, players, prepare, profile, profile_report, serve,
};
pub use budget::Budget;
pub use choose::Chosen;
pub use error::Error;
pub use game::{GroundTerm, Tally};
pub use load::Game;
pub use matches::Outcome;
pub use players::{BestMove, Player, PlayerError, Setup, Spec};
pub use position::Position;
pub use random::Random;
