//! The record of a match in the form of GGP match files.

use game::GroundTerm;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// A match file, as servers write and viewers read it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Names the match.
    pub match_id: String,
    /// Keeps match files of equal names apart.
    pub random_token: String,
    /// When the match began, in milliseconds of Unix time.
    pub start_time: u64,
    /// Where the game comes from: an address or a file name.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
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
    /// For every state the faults of each role on the way there, empty where there were none; the
    /// first line is that of the start clock.
    pub errors: Vec<Vec<String>>,
    /// The results, if completed; roles without a defined goal have 0.
    pub goal_values: Vec<u8>,
    /// Always 0: there is no preview.
    #[serde(serialize_with = "seconds")]
    pub preview_clock: Duration,
    /// In seconds.
    #[serde(serialize_with = "seconds")]
    pub start_clock: Duration,
    /// In seconds.
    #[serde(serialize_with = "seconds")]
    pub play_clock: Duration,
    /// Who played each role.
    pub player_names_from_host: Vec<String>,
    /// Which roles humans played.
    pub is_player_human: Vec<bool>,
    /// Whether players saw other names than those of this record.
    pub scrambled: bool,
}

impl Record {
    /// The text of the match file.
    pub fn to_json(&self) -> String {
        // Nothing in a record can fail to serialize: strings, numbers and lists of them.
        serde_json::to_string_pretty(self).unwrap_or_default()
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

/// Whole seconds as an integer, which is all that most readers expect; others with a fraction.
fn seconds<S: Serializer>(clock: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    if clock.subsec_nanos() == 0 {
        serializer.serialize_u64(clock.as_secs())
    } else {
        serializer.serialize_f64(clock.as_secs_f64())
    }
}
