//! How a game was compiled, and how its engine was made.

use budget::{Budget, Clock};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// One stage of preparation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The stage's name.
    pub name: &'static str,
    /// The time it took.
    pub time: Duration,
    /// Its outcome, in a few words.
    pub outcome: String,
}

/// The machine code of a random step side by side, in the mean over the phases of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepCode {
    /// The lanes of a register.
    pub lanes: usize,
    /// Logic operations on whole registers.
    pub operations: f64,
    /// All instructions, with those that move values to and from memory.
    pub instructions: f64,
    /// Bytes of code.
    pub code_bytes: f64,
    /// Bytes of the memory that it works on.
    pub plane_bytes: f64,
    /// Whether parts of it repeat until nothing changes any more; they count once.
    pub loops: bool,
}

/// What preparation did, stage by stage.
#[derive(Clone)]
pub struct Report {
    /// The name of the engine that was made; empty if none was.
    pub engine: &'static str,
    /// The stages in order.
    pub stages: Vec<Stage>,
    /// Why the engine is only a fallback, if it is.
    pub fallback: Option<String>,
    /// Ground rules of the game, if it was grounded.
    pub ground_rules: Option<usize>,
    /// The code of a step, if it is machine code that works in lanes.
    pub step: Option<StepCode>,
    clock: Arc<dyn Clock>,
    since: Duration,
}

impl Report {
    /// An empty report; its first stage begins now.
    pub fn new(budget: &Budget) -> Self {
        let clock = budget.clock().clone();
        let since = clock.now();
        Report {
            engine: "",
            stages: Vec::new(),
            fallback: None,
            ground_rules: None,
            step: None,
            clock,
            since,
        }
    }

    /// Records that a stage ended now.
    pub fn stage(&mut self, name: &'static str, outcome: String) {
        let now = self.clock.now();
        self.stages.push(Stage {
            name,
            time: now.saturating_sub(self.since),
            outcome,
        });
        self.since = now;
    }

    /// Starts timing the next stage now.
    pub fn restart(&mut self) {
        self.since = self.clock.now();
    }

    /// The sum of the times of all stages.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|stage| stage.time).sum()
    }
}

impl fmt::Display for Report {
    /// One line for logs: the engine, then every stage.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {:.0?}", self.engine, self.total())?;
        for stage in &self.stages {
            write!(f, "; {} {:.1?} ({})", stage.name, stage.time, stage.outcome)?;
        }
        match &self.fallback {
            Some(why) => write!(f, "; {why}"),
            None => Ok(()),
        }
    }
}
