//! What a player thought about its move.

use gdl_parse::GroundTerm;
use gdl_parse::diagnostic::count;
use serde::{Deserialize, Serialize};

/// What the player of one role thought when it chose its move.
///
/// Figures that the player does not know are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Thought {
    /// The role whose move it was.
    pub role: String,
    /// The reason for the move, in words, on one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub line: String,
    /// The goal value that the role expected, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether that value is proved.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub proved: bool,
    /// The number of playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The time of the search in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How far the line of play that was expected reaches, in decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The principal variation: the moves that were expected, of all roles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expects: Vec<String>,
}

impl Thought {
    /// What a player of this program thought when it chose for `role`.
    pub fn new(role: &GroundTerm, thought: &players::Thought) -> Self {
        let search = thought.search.as_ref();
        let expects = thought.expected.iter().map(|(_, mv)| mv.to_string());
        Thought {
            role: role.to_string(),
            line: thought.sentence(),
            value: match thought.is_proved() {
                true => Some(thought.bounds.low.into()),
                false => thought.value,
            },
            proved: thought.is_proved(),
            playouts: search.map(|search| search.playouts),
            seconds: search
                .and_then(|search| search.time)
                .map(|time| time.as_secs_f64()),
            depth: Some(thought.expected.len()).filter(|&depth| depth > 0),
            expects: expects.collect(),
        }
    }

    /// The figures in words; empty if none is known.
    pub fn figures(&self) -> String {
        let mut parts = Vec::new();
        match (self.value, self.proved) {
            (Some(value), true) => parts.push(format!("value {value:.0}, proved")),
            (Some(value), false) => parts.push(format!("value {value:.1}")),
            (None, _) => {}
        }
        parts.extend(
            self.playouts
                .map(|playouts| count(playouts as usize, "playout")),
        );
        parts.extend(self.rate().map(|rate| format!("{rate:.0} playouts/s")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        if !self.expects.is_empty() {
            parts.push(format!("expects {}", self.expects.join(" ")));
        }
        parts.join(", ")
    }

    /// Playouts in a second, if their number and time are known.
    fn rate(&self) -> Option<f64> {
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0)?;
        Some(self.playouts? as f64 / seconds)
    }
}
