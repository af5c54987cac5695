//! How a match went.

use crate::Record;

/// Why a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// A terminal state was reached.
    Terminal,
    /// The budget ended, or somebody called it off.
    CalledOff,
    /// After [`Settings::max_steps`](crate::Settings::max_steps) joint moves no end was in sight.
    TooLong,
    /// The rules do not say how to go on.
    Broken(String),
}

/// How a match went.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// Why it ended.
    pub end: End,
    /// Joint moves made.
    pub steps: usize,
    /// The result of every role, where the last state defines one and it is terminal.
    pub goals: Vec<Option<u8>>,
    /// Faults of every role, those of the start clock included.
    pub faults: Vec<usize>,
    /// The match file.
    pub record: Record,
}

/// Why a match could not even begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There must be one participant for each role.
    #[error("the game has {roles} roles, but there are {participants} players")]
    Participants {
        /// Roles of the game.
        roles: usize,
        /// Participants given.
        participants: usize,
    },
}
