//! The games whose positions are asked about.

use crate::growth::rulesheets::Family;
use crate::tactics;
use compile::Playable;
use prepare::EngineChoice;

/// A fixture, or one on a board of another size: `connect_four_8x6`, `hex_6x6`.
///
/// # Errors
/// Fails if there is no such game, or it cannot be played.
pub fn playable(name: &str) -> anyhow::Result<Playable> {
    match Family::rules_of(name) {
        Some(text) => tactics::playable_of(name, &text, EngineChoice::Auto),
        None => tactics::playable(name, EngineChoice::Auto),
    }
}
