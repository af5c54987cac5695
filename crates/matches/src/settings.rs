//! Settings of a match.

use std::time::Duration;

/// How a match is played.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The identifier of the match.
    pub id: String,
    /// The source of the game, for the record.
    pub game: String,
    /// The text of the rules, for the record. A record without it cannot be replayed on its
    /// own.
    pub rulesheet: String,
    /// The tournament that the match is part of, for the record.
    pub tournament: Option<String>,
    /// The start clock.
    pub start_clock: Duration,
    /// The play clock.
    pub play_clock: Duration,
    /// Seed of the players and of the random moves that replace missing ones.
    pub seed: u64,
    /// The maximum number of joint moves, after which the match is abandoned. It guards against
    /// games that do not end.
    pub max_steps: usize,
    /// Unix time at the start, in milliseconds, for the record.
    pub start_time: u64,
    /// Whether players see scrambled names; for the record.
    pub scrambled: bool,
}

impl Default for Settings {
    /// Clocks of a second or two, and a step limit that no sensible game reaches.
    fn default() -> Self {
        Settings {
            id: "match".into(),
            game: String::new(),
            rulesheet: String::new(),
            tournament: None,
            start_clock: Duration::from_secs(2),
            play_clock: Duration::from_millis(500),
            seed: 0,
            max_steps: 10_000,
            start_time: 0,
            scrambled: false,
        }
    }
}
