//! What a player thought about its move.

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
    /// The length of the longest line of play that was searched, in joint moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The principal variation: the moves that were expected, the role's own move first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expects: Vec<String>,
}

impl Thought {
    /// What was thought, in words, with all figures that are known.
    pub fn words(&self) -> String {
        let mut parts = Vec::new();
        match (self.value, self.proved) {
            (Some(value), true) => parts.push(format!("{value:.0} of 100, proved")),
            (Some(value), false) => parts.push(format!("expects {value:.1} of 100")),
            (None, _) => {}
        }
        if let Some(playouts) = self.playouts {
            let rate = self.rate().map(|rate| format!(" ({rate:.0} playouts/s)"));
            parts.push(count(playouts as usize, "playout") + &rate.unwrap_or_default());
        }
        if let Some(depth) = self.depth {
            parts.push(format!("looks {} ahead", count(depth, "move")));
        }
        if !self.expects.is_empty() {
            parts.push(format!("plays on with {}", self.expects.join(" ")));
        }
        if !self.line.is_empty() {
            parts.push(self.line.clone());
        }
        match parts.is_empty() {
            true => "says nothing".into(),
            false => parts.join("; "),
        }
    }

    /// Playouts in a second, if their number and time are known.
    pub fn rate(&self) -> Option<f64> {
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0)?;
        Some(self.playouts? as f64 / seconds)
    }
}
