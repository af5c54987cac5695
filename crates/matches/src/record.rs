//! The record of a match in the form of GGP match files.

use crate::file;
use game::GroundTerm;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io;
use std::path::Path;
use std::time::Duration;

/// A match file, as servers write and viewers read it.
///
/// Keys that a file lacks are empty, so that files of other servers and of earlier versions can be
/// read; keys that are not listed here are ignored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    /// Names the match.
    pub match_id: String,
    /// Keeps match files of equal names apart.
    pub random_token: String,
    /// The tournament that the match is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament_name_from_host: Option<String>,
    /// When the match began, in milliseconds of Unix time.
    pub start_time: u64,
    /// Where the game comes from: an address or a file name.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// The text of the rules, in the words of this record, so that it can be replayed alone. Files
    /// of other servers lack it.
    pub rulesheet: String,
    /// Whether play reached a terminal state.
    pub is_completed: bool,
    /// Whether it was called off or could not go on.
    pub is_aborted: bool,
    /// The roles, in the order of everything below that is per role.
    pub game_role_names: Vec<String>,
    /// Every state from the initial one on: `( fact fact )`.
    pub states: Vec<String>,
    /// Every joint move.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds of Unix time.
    pub state_times: Vec<u64>,
    /// For every joint move, how long each role took to answer, in milliseconds from the question,
    /// rounded up; 0 for a role that was not asked because it had no choice.
    pub answer_times: Vec<Vec<u64>>,
    /// For every state the faults of each role on the way there, empty where there were none; the
    /// first line is that of the start clock.
    pub errors: Vec<Vec<String>>,
    /// The results, if completed; roles without a defined goal have 0.
    pub goal_values: Vec<u8>,
    /// Always 0 in our own files: there is no preview.
    #[serde(with = "seconds")]
    pub preview_clock: Duration,
    /// In seconds.
    #[serde(with = "seconds")]
    pub start_clock: Duration,
    /// In seconds.
    #[serde(with = "seconds")]
    pub play_clock: Duration,
    /// Who played each role.
    pub player_names_from_host: Vec<String>,
    /// Which roles humans played.
    pub is_player_human: Vec<bool>,
    /// Whether players saw other names than those of this record.
    pub scrambled: bool,
}

/// Why a text is no match file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no match record: {0}")]
pub struct RecordError(String);

impl Record {
    /// The text of the match file.
    pub fn to_json(&self) -> String {
        // Nothing in a record can fail to serialize: strings, numbers and lists of them.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The record that a match file holds. Whether it makes sense is for
    /// [`validate`](crate::validate) to say.
    ///
    /// # Errors
    /// If the text is no JSON object with a match in it, or a key has a value of the wrong kind;
    /// the message says where.
    pub fn from_json(text: &str) -> Result<Record, RecordError> {
        let record: Record =
            serde_json::from_str(text).map_err(|error| RecordError(error.to_string()))?;
        if record.states.is_empty() && record.moves.is_empty() && record.match_id.is_empty() {
            // All keys may be left out, so any object can be read; but not as a match.
            return Err(RecordError("it has no matchId, states or moves".into()));
        }
        Ok(record)
    }

    /// Writes the match file, and a line break after it. At no time is there half of one under that
    /// name: it is written under another name in the same folder, and renamed when it is on the
    /// disk.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is there still.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        file::write_file(path, (self.to_json() + "\n").as_bytes())
    }

    pub(crate) fn push_state(&mut self, facts: &[GroundTerm], at: u64, errors: Vec<String>) {
        let mut text = String::from("(");
        for fact in facts {
            text += &format!(" {fact}");
        }
        text += " )";
        self.states.push(text);
        self.state_times.push(at);
        self.errors.push(errors);
    }
}

/// Clocks in seconds: whole ones as an integer, which is all that most readers expect; others with
/// a fraction.
mod seconds {
    use super::{Deserialize, Deserializer, Duration, Serializer};

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

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        // Servers write -1 where there is no preview, and what is beyond all times is no clock.
        Ok(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
    }
}
