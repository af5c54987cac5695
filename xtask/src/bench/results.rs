//! The figures of a run, as they are saved in a file.

use super::compare::OLD;
use super::peak::Peak;
use crate::files;
use crate::machine::Machine;
use crate::stopwatch::Time;
use crate::worker::{PROOFS, SEARCH, StageFigures, StepFigures};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// All figures of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The machine and the program.
    pub machine: Machine,
    /// The conditions of the measurement.
    pub conditions: Conditions,
    /// The most that a core can do, where there is machine code.
    #[serde(default)]
    pub peaks: Vec<Peak>,
    /// One row for each game, evaluator and number of threads.
    pub rows: Vec<Row>,
}

/// The conditions of a measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The kind of time that is measured.
    pub time: Time,
    /// Seconds of playouts in each round.
    pub seconds: f64,
    /// Seconds of playouts before the first round.
    pub warm_up: f64,
    /// The number of rounds, of which the medians are reported.
    pub rounds: usize,
    /// The number of builds, of which the median is reported.
    pub builds: usize,
    /// The seed of the moves.
    pub seed: u64,
    /// The number of steps after which playouts are cut off.
    pub max_steps: usize,
}

/// The figures of one game, evaluator and number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The name of the game. Our fixtures have the prefix `fixtures/`.
    pub game: String,
    /// The name of the evaluator, with the prefix `old ` if it belongs to the other build.
    pub evaluator: String,
    /// The number of threads.
    pub threads: usize,
    /// The cost of building, if it was built.
    pub build: Option<BuildFigures>,
    /// The speed, if it played.
    pub speed: Option<Speed>,
    /// Why a figure is missing.
    pub problem: Option<String>,
}

/// The cost of building.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuildFigures {
    /// The engine that was built.
    pub engine: String,
    /// The median of the seconds from the text to the evaluator.
    pub seconds: f64,
    /// The seconds of all builds.
    pub all: Vec<f64>,
    /// The peak memory of the process until the evaluator was ready, in bytes.
    pub peak_bytes: Option<u64>,
    /// The machine code of a step, if there is any.
    #[serde(default)]
    pub step: Option<StepFigures>,
    /// The stages of the last build.
    pub stages: Vec<StageFigures>,
}

/// The speed of playouts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Transitions per second, the median of the rounds.
    pub states_per_second: f64,
    /// Playouts per second, the median of the rounds.
    pub playouts_per_second: f64,
    /// New nodes per second, the median of the rounds, for a search.
    #[serde(default)]
    pub nodes_per_second: Option<f64>,
    /// Transitions per second of every round.
    pub rounds: Vec<f64>,
    /// The mean number of transitions of a playout.
    pub mean_length: f64,
    /// The share of playouts that were cut off, 0 to 1.
    pub cut: f64,
    /// The peak memory of the process until the end of the last round, in bytes.
    pub peak_bytes: Option<u64>,
}

impl Speed {
    /// Half the distance between the slowest and the fastest round, as a share of the median.
    pub fn spread(&self) -> f64 {
        let most = self.rounds.iter().copied().fold(f64::MIN, f64::max);
        let least = self.rounds.iter().copied().fold(f64::MAX, f64::min);
        (most - least).max(0.0) / (2.0 * self.states_per_second)
    }
}

impl Row {
    /// Whether it is a search and not playouts alone.
    pub fn searches(&self) -> bool {
        [SEARCH, PROOFS].contains(&self.evaluator.trim_start_matches(OLD))
    }

    /// Transitions per second, if it played.
    pub fn states_per_second(&self) -> Option<f64> {
        self.speed.as_ref().map(|speed| speed.states_per_second)
    }

    /// The peak memory of the process in bytes, if it is known.
    pub fn peak_bytes(&self) -> Option<u64> {
        let played = self.speed.as_ref().and_then(|speed| speed.peak_bytes);
        played.or(self.build.as_ref()?.peak_bytes)
    }

    /// What distinguishes it from the other rows of a run.
    pub fn key(&self) -> (&str, &str, usize) {
        (&self.game, &self.evaluator, self.threads)
    }
}

impl Run {
    /// Reads a saved run.
    ///
    /// # Errors
    /// Fails if the file cannot be read or contains something else.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} holds no run", path.display()))
    }

    /// Saves the run.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        files::write(path, text)
    }
}

/// Example figures for tests.
#[cfg(test)]
pub mod examples {
    use super::*;

    /// A row. With a negative speed it has only a build; with a negative build time it has
    /// nothing.
    pub fn row(game: &str, evaluator: &str, threads: usize, build: f64, states: f64) -> Row {
        let built = (build >= 0.0).then(|| BuildFigures {
            engine: evaluator.to_owned(),
            seconds: build,
            all: vec![build],
            peak_bytes: Some(20 << 20),
            step: None,
            stages: Vec::new(),
        });
        let speed = (states > 0.0 && build >= 0.0).then(|| Speed {
            states_per_second: states,
            playouts_per_second: states / 8.0,
            nodes_per_second: (evaluator == SEARCH).then_some(states / 80.0),
            rounds: vec![states * 0.98, states, states * 1.06],
            mean_length: 8.0,
            cut: 0.0,
            peak_bytes: Some(21 << 20),
        });
        let problem = speed
            .is_none()
            .then(|| "no network: the deadline passed".to_owned());
        Row {
            game: game.to_owned(),
            evaluator: evaluator.to_owned(),
            threads,
            build: built,
            speed,
            problem,
        }
    }

    /// A run of these rows.
    pub fn run(rows: Vec<Row>) -> Run {
        Run {
            machine: Machine::default(),
            conditions: Conditions {
                time: Time::Wall,
                seconds: 0.5,
                warm_up: 0.2,
                rounds: 3,
                builds: 1,
                seed: 1,
                max_steps: 1000,
            },
            peaks: Vec::new(),
            rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_survive_saving_and_reading() {
        let run = examples::run(vec![
            examples::row("a", "propnet", 1, 0.5, 1e6),
            examples::row("b", "propnet", 2, -1.0, 0.0),
        ]);
        let file = tempfile::NamedTempFile::new().unwrap();
        run.write(file.path()).unwrap();
        assert_eq!(Run::read(file.path()).unwrap(), run);
        std::fs::write(file.path(), "{}").unwrap();
        let error = Run::read(file.path()).unwrap_err();
        assert!(format!("{error:#}").contains("holds no run"), "{error:#}");
    }

    #[test]
    fn the_spread_is_half_the_range() {
        let row = examples::row("a", "propnet", 1, 0.5, 1e6);
        let spread = row.speed.as_ref().unwrap().spread();
        assert!((spread - 0.04).abs() < 1e-9, "{spread}");
        assert_eq!(row.peak_bytes(), Some(21 << 20));
    }
}
