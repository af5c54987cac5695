//! What can go wrong.

use game::EngineError;
use matches::MatchError;
use players::PlayerError;
use prepare::PrepareError;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is no game that can be played.
    #[error(transparent)]
    Load(#[from] PrepareError),
    /// The rules could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A player has no move.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A match could not begin.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The role has no such legal move in this position.
    #[error("{role} has no legal move {mv} here; legal are {legal}")]
    Illegal {
        /// The role.
        role: String,
        /// What was given.
        mv: String,
        /// Its legal moves, separated by commas.
        legal: String,
    },
    /// A joint move has one move for each role.
    #[error("{given} moves for {roles} roles")]
    Moves {
        /// How many were given.
        given: usize,
        /// How many there must be.
        roles: usize,
    },
}
