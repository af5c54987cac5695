//! The child process: builds one evaluator and runs playouts on request.

use super::memory;
use super::message::{Answer, Build, Built, Played, Request, StageFigures, StepFigures};
use super::proving::{PROOFS, Proving};
use super::search::{SEARCH, Searchers};
use crate::stopwatch::{ProcessClock, Stopwatch, Time};
use anyhow::Context;
use budget::{Budget, Clock};
use game::{Pace, Playouts, Start, State, Tally};
use prepare::{Settings, Simulator};
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

/// Work that can be measured for some time.
pub trait Measured {
    /// Works for about this many seconds on this number of threads.
    ///
    /// # Errors
    /// Fails if the rules could not be evaluated.
    fn play(&mut self, seconds: f64, threads: usize) -> anyhow::Result<Played>;
}

/// Answers requests from the standard input until it ends.
///
/// # Errors
/// Fails if a request cannot be read or an answer cannot be written.
pub fn serve() -> anyhow::Result<bool> {
    let mut game: Option<Box<dyn Measured>> = None;
    for line in std::io::stdin().lock().lines() {
        let request = serde_json::from_str(&line?).context("not a request")?;
        let answer = match (request, &mut game) {
            (Request::Build(build), _) => made(&build).map(|(made, built)| {
                game = Some(made);
                Answer::Built(built)
            }),
            (Request::Play { seconds, threads }, Some(game)) => {
                game.play(seconds, threads).map(Answer::Played)
            }
            (Request::Play { .. }, None) => Err(anyhow::anyhow!("nothing was built")),
        };
        let answer = answer.unwrap_or_else(|error| Answer::Failed(format!("{error:#}")));
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        out.flush()?;
    }
    Ok(true)
}

/// Builds what was requested.
fn made(build: &Build) -> anyhow::Result<(Box<dyn Measured>, Built)> {
    fn boxed(made: (impl Measured + 'static, Built)) -> (Box<dyn Measured>, Built) {
        (Box::new(made.0), made.1)
    }
    match build.evaluator.as_str() {
        SEARCH => Searchers::make(build).map(boxed),
        PROOFS => Proving::make(build).map(boxed),
        _ => make(build).map(boxed),
    }
}

/// A game and its players, one for each thread that was requested.
struct Game {
    initial: State,
    players: Vec<Player>,
    seed: u64,
    time: Time,
}

struct Player {
    playouts: Box<dyn Playouts>,
    pace: Pace,
}

fn make(build: &Build) -> anyhow::Result<(Game, Built)> {
    let evaluator = prepare::evaluator(&build.evaluator).map_err(anyhow::Error::msg)?;
    let settings = Settings {
        seed: build.seed,
        max_steps: build.max_steps,
        ..Settings::default()
    };
    let clock: Arc<dyn Clock> = Arc::new(ProcessClock::new(build.time));
    let budget = Budget::unlimited(clock.clone())
        .with_timeout(Duration::from_secs_f64(build.timeout))
        .with_memory(build.memory);
    let began = clock.now();
    let before = memory::resident();
    let done = AtomicBool::new(false);
    let (simulator, ready, seen) = std::thread::scope(|scope| {
        let watcher = build
            .watch_memory
            .then(|| scope.spawn(|| memory::watch(&*clock, &done)));
        let simulator = evaluator.make(&build.source, &settings, &budget);
        let ready = clock.now();
        done.store(true, Ordering::Release);
        let seen = watcher.and_then(|watcher| watcher.join().ok());
        (simulator, ready, seen)
    });
    let simulator = simulator?;
    let built = Built {
        engine: simulator.report.engine.to_owned(),
        fallback: simulator.report.fallback.clone(),
        seconds: ready.saturating_sub(began).as_secs_f64(),
        peak_bytes: memory::peak(),
        bytes_before: before,
        ground_rules: simulator.report.ground_rules,
        step: simulator.report.step.map(|step| StepFigures {
            lanes: step.lanes,
            operations: step.operations,
            instructions: step.instructions,
            code_bytes: step.code_bytes,
            plane_bytes: step.plane_bytes,
            loops: step.loops,
        }),
        stages: stages(&simulator, began, before.zip(seen)),
    };
    let game = Game {
        initial: simulator.initial,
        players: vec![Player {
            playouts: simulator.playouts,
            pace: Pace::default(),
        }],
        seed: build.seed,
        time: build.time,
    };
    Ok((game, built))
}

/// The stages, with the memory that was sampled while they ran.
fn stages(
    simulator: &Simulator,
    began: Duration,
    seen: Option<(u64, Vec<(Duration, u64)>)>,
) -> Vec<StageFigures> {
    let mut from = began;
    let stages = simulator.report.stages.iter().map(|stage| {
        let to = from + stage.time;
        let bytes = seen.as_ref().and_then(|(before, seen)| {
            Some(memory::most_between(seen, from, to)?.saturating_sub(*before))
        });
        from = to;
        StageFigures {
            name: stage.name.to_owned(),
            seconds: stage.time.as_secs_f64(),
            bytes,
        }
    });
    stages.collect()
}

impl Measured for Game {
    fn play(&mut self, seconds: f64, threads: usize) -> anyhow::Result<Played> {
        while self.players.len() < threads {
            let seed = self.seed.wrapping_add(self.players.len() as u64);
            let fork = self.players[0].playouts.fork(seed);
            self.players.push(Player {
                playouts: fork.context("this evaluator has no forks")?,
                pace: Pace::default(),
            });
        }
        let (initial, time) = (&self.initial, self.time);
        let barrier = Barrier::new(threads);
        let all: Vec<anyhow::Result<Played>> = std::thread::scope(|scope| {
            let running: Vec<_> = self.players[..threads]
                .iter_mut()
                .map(|player| {
                    scope.spawn(|| {
                        barrier.wait();
                        player.play(initial, seconds, time)
                    })
                })
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(anyhow::anyhow!("the evaluator panicked")))
            };
            running.into_iter().map(join).collect()
        });
        let mut sum = Played {
            peak_bytes: memory::peak(),
            ..Played::default()
        };
        for one in all {
            let one = one?;
            sum.states_per_second += one.states_per_second;
            sum.playouts_per_second += one.playouts_per_second;
            sum.playouts += one.playouts;
            sum.cut += one.cut;
            sum.steps += one.steps;
        }
        Ok(sum)
    }
}

impl Player {
    fn play(&mut self, initial: &State, seconds: f64, time: Time) -> anyhow::Result<Played> {
        // Guards only against playouts that never end: a call that is broken off counts
        // nothing.
        let patience = Duration::from_secs_f64(seconds * 20.0 + 30.0);
        let budget = Budget::system().with_timeout(patience);
        let mut played = Played::default();
        let mut tallies: Vec<Tally> = Vec::new();
        let watch = Stopwatch::start(time);
        let mut now = 0.0;
        let width = self.playouts.width();
        while let Some(playouts) = self.pace.playouts(width, seconds, seconds - now) {
            let start = Start {
                state: initial,
                playouts,
            };
            self.playouts.run(&[start], &mut tallies, &budget)?;
            let then = std::mem::replace(&mut now, watch.seconds());
            self.pace.note(playouts, now - then);
            for tally in &tallies {
                played.playouts += tally.finished + tally.cut;
                played.cut += tally.cut;
                played.steps += tally.steps;
            }
        }
        // Without any measured time nothing was played. The division must not give NaN.
        let now = now.max(f64::MIN_POSITIVE);
        played.states_per_second = played.steps as f64 / now;
        played.playouts_per_second = played.playouts as f64 / now;
        Ok(played)
    }
}
