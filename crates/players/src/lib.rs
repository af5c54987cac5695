//! Players that choose moves in process: `legal`, `random`, `baseline`.
//!
//! A [`Player`] plays one role of one match behind an interface that knows states and moves but
//! neither messages nor clocks on the wall. The match controller and the server drive players
//! through it, and neither knows how any of them thinks; that is why it stands apart from both and
//! from the search.
//!
//! Time is a [`budget::Budget`] that the caller passes in, and a player publishes the best move so
//! far to a [`BestMove`] while it thinks, so that whoever must answer can do so without waiting.
//! Cancelling a search from outside was the alternative; it needs every engine to come back
//! promptly, which a reasoner in the middle of a hard state does not.
//!
//! ```
//! let player = players::by_name("random").unwrap();
//! assert_eq!(player.name(), "random");
//! assert!(players::by_name("nobody").is_none());
//! ```

mod baseline;
mod best;
mod player;
mod simple;
#[cfg(test)]
mod tests;

pub use baseline::Baseline;
pub use best::BestMove;
pub use player::{Player, PlayerError, Setup};
pub use simple::{Legal, Random};

/// The profiles that [`by_name`] knows, weakest first.
pub const PROFILES: &[&str] = &["legal", "random", "baseline"];

/// The player of that profile, ready for [`Player::start`]; `None` if there is no such profile.
pub fn by_name(profile: &str) -> Option<Box<dyn Player>> {
    match profile {
        "legal" => Some(Box::new(Legal::default())),
        "random" => Some(Box::new(Random::default())),
        "baseline" => Some(Box::new(Baseline::default())),
        _ => None,
    }
}
