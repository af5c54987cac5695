//! Players that choose moves in process: `legal`, `random`, `baseline`, `default`.
//!
//! A [`Player`] plays one role of one match behind an interface that knows states and moves but
//! neither messages nor wall clocks. [`Spec`] describes a player in words, `default:no-reuse`
//! for example, for command lines, tournaments and records.
//!
//! # Scope
//!
//! The match controller and the server drive players through the interface, and neither knows
//! how any of them thinks. The search does not know that there are profiles.
//!
//! # Key decisions
//!
//! * Time is a [`budget::Budget`] that the caller passes in. A player publishes the best move
//!   so far to a [`BestMove`] while it thinks, so that the caller can answer without waiting.
//!   Cancelling a search from outside was the alternative; it needs every engine to return
//!   promptly, which a reasoner in the middle of a hard state does not.
//! * `baseline` is frozen, `default` is the best there is, and each of its [`FEATURES`] can be
//!   switched off: the effect of a change is measured by a match between two specifications. A
//!   change without a measured gain so far is one of its [`EXTRAS`], which can be switched on.
//!
//! # Example
//!
//! ```
//! let player = players::by_name("random").unwrap();
//! assert_eq!(player.name(), "random");
//! assert!(players::by_name("nobody").is_none());
//! ```

mod baseline;
mod best;
mod by_lines;
mod by_parts;
mod by_values;
mod default;
mod explain;
mod graph_player;
mod habits;
mod opponent;
mod player;
mod simple;
mod spec;
#[cfg(test)]
mod tests;
mod thought;
mod tree_player;

pub use best::BestMove;
pub use default::{EXTRAS, Extra, FEATURES, Feature};
pub use mcts::Bounds;
pub use metagame::{Archive, Earlier, Learnt, Lesson, Plan, Pupil, Setup, StartClock};
pub use player::{Player, PlayerError, Work};
pub use simple::{Legal, Random};
pub use spec::{Spec, SpecError};
pub use thought::{Asked, Figures, Other, Thought};

/// The profiles that a [`Spec`] may begin with, weakest first.
pub const PROFILES: &[&str] = &["legal", "random", "baseline", "default"];

/// Runs the stages of a start clock that the learning of `default` rests on.
pub fn pupil(setup: Setup, clock: &mut StartClock) -> Pupil {
    metagame::pupil(setup, &default::default(), clock)
}

/// The player of a specification, ready for [`Player::start`]. `None` if there is no such
/// player.
///
/// Parsing a [`Spec`] gives the reason.
pub fn by_name(spec: &str) -> Option<Box<dyn Player>> {
    Some(spec.parse::<Spec>().ok()?.build())
}
