//! Measures all evaluators of one game in turns.
//!
//! First every evaluator is built, in a separate process for each build. Then all of them are
//! warmed up. Then each of them plays in every round, and each round begins with another one. A
//! temporary slowdown of the machine therefore affects all of them.

use super::results::{BuildFigures, Conditions, Row, Speed};
use crate::statistics::median;
use crate::worker::{Build, Built, Played, Worker};
use std::path::PathBuf;

/// An evaluator that is compared.
#[derive(Debug, Clone)]
pub struct Contender {
    /// The name in tables.
    pub label: String,
    /// The name of the evaluator.
    pub evaluator: String,
    /// The build of xtask that contains it, if it is another one.
    pub program: Option<PathBuf>,
}

/// The limits of a build.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The time limit in seconds.
    pub timeout: f64,
    /// The memory limit in bytes.
    pub memory: usize,
}

/// A contender and its measurements.
struct Entry {
    builds: Vec<Built>,
    worker: Option<Worker>,
    problem: Option<String>,
    /// For each number of threads, the playouts or the error.
    played: Vec<Result<Vec<Played>, String>>,
}

/// The rows of one game, in the order of the contenders.
pub fn measure(
    game: &str,
    source: &str,
    contenders: &[Contender],
    threads: &[usize],
    conditions: &Conditions,
    bounds: Bounds,
) -> Vec<Row> {
    let mut entries: Vec<Entry> = contenders
        .iter()
        .map(|_| Entry {
            builds: Vec::new(),
            worker: None,
            problem: None,
            played: vec![Ok(Vec::new()); threads.len()],
        })
        .collect();
    for round in 0..conditions.builds.max(1) {
        for at in rotation(contenders.len(), round) {
            let (contender, entry) = (&contenders[at], &mut entries[at]);
            let build = Build {
                source: source.to_owned(),
                evaluator: contender.evaluator.clone(),
                seed: conditions.seed,
                max_steps: conditions.max_steps,
                timeout: bounds.timeout,
                memory: bounds.memory,
                time: conditions.time,
                watch_memory: false,
            };
            if entry.problem.is_some() {
                continue;
            }
            match Worker::build(contender.program.as_deref(), &build) {
                Ok((worker, built)) => {
                    entry.worker = Some(worker);
                    entry.builds.push(built);
                }
                Err(error) => {
                    entry.worker = None;
                    entry.problem = Some(format!("{error:#}"));
                }
            }
        }
    }
    for (at, &threads) in threads.iter().enumerate() {
        for entry in &mut entries {
            entry.play(at, conditions.warm_up, threads, false);
        }
    }
    for round in 0..conditions.rounds {
        for (at, &threads) in threads.iter().enumerate() {
            for entry in rotation(contenders.len(), round) {
                entries[entry].play(at, conditions.seconds, threads, true);
            }
        }
    }
    let mut rows = Vec::new();
    for (contender, entry) in contenders.iter().zip(&entries) {
        for (played, &threads) in entry.played.iter().zip(threads) {
            let problem = played.as_ref().err().or(entry.problem.as_ref());
            rows.push(Row {
                game: game.to_owned(),
                evaluator: contender.label.clone(),
                threads,
                build: build_figures(&entry.builds),
                speed: speed(played.as_deref().unwrap_or_default()),
                problem: problem.cloned(),
            });
        }
    }
    rows
}

/// The numbers `0..count`, beginning with another one in each round.
fn rotation(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |at| (at + round) % count)
}

impl Entry {
    /// Plays once, unless it has failed before.
    fn play(&mut self, at: usize, seconds: f64, threads: usize, counts: bool) {
        let (Some(worker), Ok(played)) = (&mut self.worker, &mut self.played[at]) else {
            return;
        };
        match worker.play(seconds, threads) {
            Ok(round) if counts => played.push(round),
            Ok(_) => {}
            Err(error) => self.played[at] = Err(format!("{error:#}")),
        }
    }
}

fn build_figures(builds: &[Built]) -> Option<BuildFigures> {
    let last = builds.last()?;
    let all: Vec<f64> = builds.iter().map(|built| built.seconds).collect();
    Some(BuildFigures {
        engine: last.engine.clone(),
        seconds: median(&all)?,
        all,
        peak_bytes: builds.iter().filter_map(|built| built.peak_bytes).max(),
        step: last.step,
        stages: last.stages.clone(),
    })
}

fn speed(rounds: &[Played]) -> Option<Speed> {
    let of = |figure: fn(&Played) -> f64| rounds.iter().map(figure).collect::<Vec<f64>>();
    let states = of(|round| round.states_per_second);
    let sum = |figure: fn(&Played) -> u64| rounds.iter().map(figure).sum::<u64>();
    let playouts = sum(|round| round.playouts).max(1) as f64;
    Some(Speed {
        states_per_second: median(&states)?,
        playouts_per_second: median(&of(|round| round.playouts_per_second))?,
        rounds: states,
        nodes_per_second: median(
            &rounds
                .iter()
                .filter_map(|round| round.nodes_per_second)
                .collect::<Vec<f64>>(),
        ),
        mean_length: sum(|round| round.steps) as f64 / playouts,
        cut: sum(|round| round.cut) as f64 / playouts,
        peak_bytes: rounds.iter().filter_map(|round| round.peak_bytes).max(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(states: f64, steps: u64, playouts: u64) -> Played {
        Played {
            states_per_second: states,
            playouts_per_second: states / 10.0,
            playouts,
            cut: playouts / 2,
            steps,
            nodes_per_second: Some(states / 100.0),
            peak_bytes: Some(steps),
        }
    }

    #[test]
    fn medians_of_speeds_and_means_of_lengths() {
        assert_eq!(speed(&[]), None);
        let rounds = [
            played(100.0, 50, 10),
            played(900.0, 90, 10),
            played(200.0, 40, 10),
        ];
        let speed = speed(&rounds).unwrap();
        assert_eq!(speed.states_per_second, 200.0);
        assert_eq!(speed.playouts_per_second, 20.0);
        assert_eq!(speed.nodes_per_second, Some(2.0));
        assert_eq!(speed.rounds, [100.0, 900.0, 200.0]);
        assert_eq!(speed.mean_length, 6.0);
        assert_eq!(speed.cut, 0.5);
        assert_eq!(speed.peak_bytes, Some(90));
    }

    #[test]
    fn each_contender_begins_once() {
        let orders: Vec<Vec<usize>> = (0..3).map(|round| rotation(3, round).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
        assert_eq!(rotation(0, 1).count(), 0);
    }

    #[test]
    fn a_child_that_cannot_be_started_is_an_error_of_its_row() {
        let contender = Contender {
            label: "old propnet".into(),
            evaluator: "propnet".into(),
            program: Some("/nowhere/xtask".into()),
        };
        let conditions = super::super::results::examples::run(Vec::new()).conditions;
        let bounds = Bounds {
            timeout: 1.0,
            memory: 1 << 30,
        };
        let rows = measure("g", "(role a)", &[contender], &[1, 2], &conditions, bounds);
        assert_eq!(rows.len(), 2);
        for row in rows {
            assert!(row.build.is_none() && row.speed.is_none());
            assert!(row.problem.unwrap().contains("cannot run"));
        }
    }
}
