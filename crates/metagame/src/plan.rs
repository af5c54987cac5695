//! What was decided about a game, and why.

use crate::Settings;
use budget::{Budget, Clock};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The version of plans as they are written. Those of others are not read.
pub const VERSION: u32 = 1;

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
    pub stages: Vec<Stage>,
}

/// One step on the way to a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stage {
    /// Its name.
    pub name: String,
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

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} ms): {}", self.name, self.ms, self.decided)?;
        match self.why.is_empty() {
            true => Ok(()),
            false => write!(f, "; {}", self.why),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            writeln!(f, "{stage}")?;
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

/// Writes stages down, and how long each took.
pub struct Log {
    clock: Arc<dyn Clock>,
    since: Duration,
    stages: Vec<Stage>,
}

impl Log {
    /// The first stage begins now.
    pub fn new(budget: &Budget) -> Log {
        let clock = budget.clock().clone();
        Log {
            since: clock.now(),
            clock,
            stages: Vec::new(),
        }
    }

    /// A stage ends, and the next one begins.
    pub fn stage(&mut self, name: &str, decided: impl Into<String>, why: impl Into<String>) {
        self.numbers(name, decided, why, []);
    }

    /// The same with numbers.
    pub fn numbers<'a>(
        &mut self,
        name: &str,
        decided: impl Into<String>,
        why: impl Into<String>,
        numbers: impl IntoIterator<Item = (&'a str, f64)>,
    ) {
        let now = self.clock.now();
        let numbers = numbers.into_iter();
        self.stages.push(Stage {
            name: name.to_owned(),
            ms: now.saturating_sub(self.since).as_millis() as u64,
            decided: decided.into(),
            why: why.into(),
            numbers: numbers
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        });
        self.since = now;
    }

    /// What was written down.
    pub fn into_stages(self) -> Vec<Stage> {
        self.stages
    }
}
