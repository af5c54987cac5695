//! The messages between parent and child, each a line of JSON.

use crate::stopwatch::Time;
use serde::{Deserialize, Serialize};

/// A request to a child.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// Build an evaluator of a game: the first request.
    Build(Build),
    /// Run random playouts for about this time.
    Play {
        /// The time in seconds.
        seconds: f64,
        /// The number of threads.
        threads: usize,
    },
}

/// Which evaluator to build, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Build {
    /// The rules.
    pub source: String,
    /// The name of the evaluator.
    pub evaluator: String,
    /// The seed of the moves.
    pub seed: u64,
    /// The number of steps after which a playout is cut off.
    pub max_steps: usize,
    /// The time limit in seconds.
    pub timeout: f64,
    /// The memory limit in bytes.
    pub memory: usize,
    /// The kind of time that is measured.
    pub time: Time,
    /// Whether to measure the memory of each stage, which takes a thread.
    pub watch_memory: bool,
}

/// An answer of a child.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Answer {
    /// The evaluator was built.
    Built(Built),
    /// The playouts were run.
    Played(Played),
    /// The request failed, for this reason.
    Failed(String),
}

/// The figures of a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Built {
    /// The engine that was built.
    pub engine: String,
    /// Why the engine is only a fallback, if it is.
    pub fallback: Option<String>,
    /// The seconds from the text to the evaluator.
    pub seconds: f64,
    /// The peak memory of the process in bytes, where the system reports it.
    pub peak_bytes: Option<u64>,
    /// The memory of the process before the build, in bytes.
    pub bytes_before: Option<u64>,
    /// The number of ground rules of the game, if it was grounded.
    pub ground_rules: Option<usize>,
    /// The machine code of a step, if there is any.
    #[serde(default)]
    pub step: Option<StepFigures>,
    /// The stages in order.
    pub stages: Vec<StageFigures>,
}

/// The machine code of a random step; see [`compile::StepCode`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepFigures {
    /// The lanes of a register.
    pub lanes: usize,
    /// Logic operations on whole registers.
    pub operations: f64,
    /// All instructions.
    pub instructions: f64,
    /// Bytes of code.
    pub code_bytes: f64,
    /// Bytes of memory that it works on.
    pub plane_bytes: f64,
    /// Whether parts of it repeat.
    pub loops: bool,
}

/// One stage of preparation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageFigures {
    /// The name of the stage.
    pub name: String,
    /// The duration in seconds.
    pub seconds: f64,
    /// The peak memory during the stage, less the memory of the process before the build, in
    /// bytes. `None` unless it was measured.
    pub bytes: Option<u64>,
}

/// The figures of playouts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Transitions per second, summed over the threads.
    pub states_per_second: f64,
    /// Playouts per second, summed over the threads.
    pub playouts_per_second: f64,
    /// The number of playouts, finished or cut off.
    pub playouts: u64,
    /// The number of those that were cut off.
    pub cut: u64,
    /// The number of transitions.
    pub steps: u64,
    /// Nodes per second, for a search.
    #[serde(default)]
    pub nodes_per_second: Option<f64>,
    /// The peak memory of the process so far in bytes, where the system reports it.
    pub peak_bytes: Option<u64>,
}
