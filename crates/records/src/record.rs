//! Match records in the format of GGP match files.

use crate::Thought;
use crate::read::{ReadError, Records};
use game::GroundTerm;
use serde::{Serialize, Serializer};
use std::io;
use std::path::Path;
use std::time::Duration;

/// A match file, as game servers write it and viewers read it.
///
/// What the file of another server or of an earlier version lacks is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The identifier of the match.
    pub match_id: String,
    /// Distinguishes match files with the same identifier.
    pub random_token: String,
    /// The tournament that the match is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament_name_from_host: Option<String>,
    /// When the match began, as Unix time in milliseconds.
    pub start_time: u64,
    /// The source of the game: an address or a file name.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// The text of the rules, with the names that this record uses, so that it can be replayed
    /// on its own. Files of other servers lack it.
    pub rulesheet: String,
    /// Whether play reached a terminal state; `None` if the record does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_completed: Option<bool>,
    /// Whether the match ended early: called off, too long, or stopped by an error.
    pub is_aborted: bool,
    /// The roles, in the order of all lists below that are per role.
    pub game_role_names: Vec<String>,
    /// Every state, beginning with the initial one: `( fact fact )`. A state that the record
    /// lacks is empty; if it lacks all of them, so may be the list.
    pub states: Vec<String>,
    /// Every joint move.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, as Unix time in milliseconds.
    pub state_times: Vec<u64>,
    /// For every joint move, the answer time of each role in milliseconds, rounded up. It is 0
    /// for a role that was not asked because it had no choice.
    pub answer_times: Vec<Vec<u64>>,
    /// For every state, the faults of each role since the previous state; empty if there were
    /// none. The first entry is that of the start clock.
    pub errors: Vec<Vec<String>>,
    /// The goal values of a completed match; 0 for a role whose goal is undefined.
    pub goal_values: Vec<u8>,
    /// Always 0 in our own files, which have no preview.
    #[serde(with = "seconds")]
    pub preview_clock: Duration,
    /// The start clock in seconds.
    #[serde(with = "seconds")]
    pub start_clock: Duration,
    /// The play clock in seconds.
    #[serde(with = "seconds")]
    pub play_clock: Duration,
    /// The name of the player of each role.
    pub player_names_from_host: Vec<String>,
    /// Whether each role was played by a human.
    pub is_player_human: Vec<bool>,
    /// Whether the players saw scrambled names instead of those of this record.
    pub scrambled: bool,
    /// For every joint move, what players thought, as far as they say so; empty if nobody says
    /// anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Vec<Thought>>,
}

impl Record {
    /// The record on one line, for files with one record a line.
    pub fn to_line(&self) -> String {
        // Cannot fail, as below.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The text of the match file.
    pub fn to_json(&self) -> String {
        // Cannot fail: a record consists of strings, numbers and lists of them.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a text that holds one match record, in any of the forms that [`Records`] reads.
    /// Whether the record is consistent is for [`validate`](crate::validate) to check.
    ///
    /// # Errors
    /// Fails if the text holds no record, or several, or if a key has a value of the wrong type.
    /// The message names the line.
    pub fn parse(text: &str) -> Result<Record, ReadError> {
        let mut records = Records::new(text.as_bytes())?;
        let first = records.next().transpose()?.map(|entry| entry.record);
        match (first, records.next()) {
            (Some(record), None) => Ok(record),
            (_, another) => {
                let line = another.and_then(Result::ok).map_or(1, |entry| entry.line);
                Err(ReadError::several(line))
            }
        }
    }

    /// Writes the match file atomically, with a final line break. The text is first written to
    /// another file in the same folder, which is renamed once it is on the disk.
    ///
    /// # Errors
    /// Fails if the file cannot be written. A previous file is then unchanged.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        atomic_file::write(path, (self.to_json() + "\n").as_bytes())
    }

    /// Forgets all but the first `moves` joint moves and the state after them.
    pub fn truncate(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.answer_times.truncate(moves);
        self.thoughts.truncate(moves);
        self.states.truncate(moves + 1);
        self.state_times.truncate(moves + 1);
        self.errors.truncate(moves + 1);
    }

    /// Adds a state that was reached `at` a Unix time in milliseconds, and the faults of the
    /// roles since the state before.
    pub fn push_state(&mut self, facts: &[GroundTerm], at: u64, errors: Vec<String>) {
        self.states.push(state_text(facts));
        self.state_times.push(at);
        self.errors.push(errors);
    }
}

/// A state as records write it.
pub(crate) fn state_text(facts: &[GroundTerm]) -> String {
    let mut text = String::from("(");
    for fact in facts {
        text += &format!(" {fact}");
    }
    text + " )"
}

/// Clocks in seconds. Whole seconds are written as integers, because most readers expect
/// nothing else. Other clocks are written with a fraction.
mod seconds {
    use super::{Duration, Serializer};

    pub(super) fn serialize<S: Serializer>(
        clock: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if clock.subsec_nanos() == 0 {
            serializer.serialize_u64(clock.as_secs())
        } else {
            serializer.serialize_f64(clock.as_secs_f64())
        }
    }
}
