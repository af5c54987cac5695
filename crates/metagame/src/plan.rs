//! What was decided about a game, and why.

use crate::Settings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of plans as they are written. Those of others are not read.
pub const VERSION: u32 = 2;

/// How a game is going to be played, and how that was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// [`VERSION`] of whoever wrote it.
    pub version: u32,
    /// What was to be played where nothing speaks against it. A plan is of use to whoever begins with
    /// the same.
    pub given: Settings,
    /// What is played.
    pub settings: Settings,
    /// Whether the settings were found out by playing, so that it is worth keeping them.
    pub tuned: bool,
    /// How it came about, in order.
    pub decisions: Vec<Decision>,
}

/// What a stage of the start clock decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Decision {
    /// The stage, as the timetable calls it.
    pub stage: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// What was decided.
    pub decided: String,
    /// Why, in words.
    pub why: String,
    /// And in numbers.
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

/// Keeps plans from one match to the next.
pub trait Plans: Send + Sync {
    /// The plan for a game, by a number that is the same whatever its names are.
    fn find(&self, form: u64) -> Option<Plan>;

    /// Keeps a plan.
    fn keep(&self, form: u64, plan: &Plan);
}
