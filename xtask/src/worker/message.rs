//! What parent and child say to each other: a line of JSON each.

use crate::stopwatch::Time;
use serde::{Deserialize, Serialize};

/// What a child is asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// Make an evaluator of a game: the first request.
    Build(Build),
    /// Make random playouts for about that long.
    Play {
        /// How long.
        seconds: f64,
        /// On so many threads side by side.
        threads: usize,
    },
}

/// Which evaluator to make, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Build {
    /// The rules.
    pub source: String,
    /// The evaluator's name.
    pub evaluator: String,
    /// Seed of the moves.
    pub seed: u64,
    /// Steps after which a playout is cut.
    pub max_steps: usize,
    /// Seconds after which to give up.
    pub timeout: f64,
    /// Bytes beyond which to give up.
    pub memory: usize,
    /// What counts as time.
    pub time: Time,
    /// Whether to watch the memory of each stage, which takes a thread.
    pub watch_memory: bool,
}

/// What a child answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Answer {
    /// The evaluator is there.
    Built(Built),
    /// The playouts were made.
    Played(Played),
    /// It did not work, and why.
    Failed(String),
}

/// How an evaluator came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Built {
    /// The engine that was made.
    pub engine: String,
    /// Why it is only a fallback, if it is.
    pub fallback: Option<String>,
    /// From the text to ready.
    pub seconds: f64,
    /// Most memory that the process had, where the system tells it.
    pub peak_bytes: Option<u64>,
    /// Memory that the process had before.
    pub bytes_before: Option<u64>,
    /// Ground rules of the game, if it was grounded.
    pub ground_rules: Option<usize>,
    /// The stages in order.
    pub stages: Vec<StageFigures>,
}

/// One stage of preparation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageFigures {
    /// Its name.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// Most memory during the stage, less what the process had before it was asked to build; only
    /// if it was to watch.
    pub bytes: Option<u64>,
}

/// What was played.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Transitions for each second, summed over the threads.
    pub states_per_second: f64,
    /// Playouts for each second, likewise.
    pub playouts_per_second: f64,
    /// Playouts finished or cut.
    pub playouts: u64,
    /// Those of them that were cut.
    pub cut: u64,
    /// Transitions.
    pub steps: u64,
    /// Nodes for each second, of a search.
    #[serde(default)]
    pub nodes_per_second: Option<f64>,
    /// Most memory that the process had so far, where the system tells it.
    pub peak_bytes: Option<u64>,
}
