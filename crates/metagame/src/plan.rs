//! The decisions about a game, and their reasons.

use crate::Settings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the format of plans. Plans of other versions are not read.
pub const VERSION: u32 = 3;

/// How a game is going to be played, and how that was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// The settings before tuning. A plan applies only to a player that begins with the same.
    pub given: Settings,
    /// The settings to play with.
    pub settings: Settings,
    /// Whether the settings were found by playing, so that the plan is stored.
    pub tuned: bool,
    /// The decisions that led to it, in order.
    pub decisions: Vec<Decision>,
}

/// The decision of a stage of the start clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The stage's name in the timetable.
    pub stage: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// What was decided.
    pub decided: String,
    /// The reason, in words.
    pub why: String,
    /// The reason, in numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, f64>,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} ms): {}", self.stage, self.ms, self.decided)?;
        match self.why.is_empty() {
            true => Ok(()),
            false => write!(f, "; {}", self.why),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for decision in &self.decisions {
            writeln!(f, "{decision}")?;
        }
        write!(f, "{}", self.settings)
    }
}
