//! What is decided before a match.

use std::time::Duration;

/// How a match is played.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Names the match.
    pub id: String,
    /// Where the game comes from, for the record.
    pub game: String,
    /// The text of the rules, for the record: without it, nobody can replay the record alone.
    pub rulesheet: String,
    /// The tournament that the match is part of, for the record.
    pub tournament: Option<String>,
    /// Time to prepare.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// Seeds the players and the moves that replace missing ones.
    pub seed: u64,
    /// Joint moves after which the match is given up. Games end by themselves; this is for those
    /// that do not.
    pub max_steps: usize,
    /// Unix time at the start, in milliseconds, for the record.
    pub start_time: u64,
    /// Whether players see other names; for the record.
    pub scrambled: bool,
}

impl Default for Settings {
    /// Clocks of a second or two and a bound on steps that no sane game reaches.
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
