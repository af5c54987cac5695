//! The search of the player `default`, measured like an evaluator.

use super::first::First;
use super::memory;
use super::message::{Build, Built, Played};
use super::serve::Measured;
use crate::stopwatch::{ProcessClock, Time};
use anyhow::Context;
use budget::{Budget, Clock};
use players::{BestMove, Player, Setup, Spec};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The name beside the evaluators.
pub const SEARCH: &str = "search";

/// The player that is measured. Without reuse, every search begins with an empty graph. The
/// features that find results without a search are off.
const PLAYER: &str = "default:no-puzzles,no-factors,no-prepare,no-reuse";
/// The size of its graph in bytes; rounds of some seconds do not fill it.
const MEMORY: usize = 1 << 30;

/// A game and its players, one for each number of threads that was requested.
pub struct Searchers {
    first: First,
    players: BTreeMap<usize, Box<dyn Player>>,
    spec: Spec,
    seed: u64,
    clock: Arc<dyn Clock>,
    /// The start clock of a player.
    timeout: Duration,
    time: Time,
}

impl Searchers {
    /// Prepares the game and a player that is ready to search.
    ///
    /// # Errors
    /// Fails if the game cannot be played, or never has a choice.
    pub fn make(build: &Build) -> anyhow::Result<(Searchers, Built)> {
        let clock: Arc<dyn Clock> = Arc::new(ProcessClock::new(build.time));
        let began = clock.now();
        let (first, mut built) = First::make(build, &clock)?;
        let mut searchers = Searchers {
            first,
            players: BTreeMap::new(),
            spec: PLAYER.parse()?,
            seed: build.seed,
            clock: clock.clone(),
            timeout: Duration::from_secs_f64(build.timeout),
            time: build.time,
        };
        searchers.player(1)?;
        built.seconds = clock.now().saturating_sub(began).as_secs_f64();
        built.peak_bytes = memory::peak();
        Ok((searchers, built))
    }

    /// The player with this number of threads.
    fn player(&mut self, threads: usize) -> anyhow::Result<&mut Box<dyn Player>> {
        if !self.players.contains_key(&threads) {
            let mut player = self.spec.build();
            let setup = Setup {
                playable: self.first.playable.fork(),
                role: self.first.role,
                seed: self.seed,
                threads,
                memory: MEMORY,
            };
            let budget = Budget::unlimited(self.clock.clone()).with_timeout(self.timeout);
            player.start(setup, &budget)?;
            self.players.insert(threads, player);
        }
        self.players.get_mut(&threads).context("it was just made")
    }
}

impl Measured for Searchers {
    /// Searches the state, repeatedly if it is solved before the time is over.
    fn play(&mut self, seconds: f64, threads: usize) -> anyhow::Result<Played> {
        let state = self.first.state.clone();
        let clock = self.clock.clone();
        // Processor time is the sum over all threads.
        let at_once = match self.time {
            Time::Processor => threads as f64,
            Time::Wall => 1.0,
        };
        let player = self.player(threads)?;
        let (mut playouts, mut steps, mut nodes, mut spent) = (0, 0, 0, 0.0);
        let end = clock.now() + Duration::from_secs_f64(seconds * at_once);
        while playouts == 0 || clock.now() < end {
            let budget = Budget::unlimited(clock.clone()).with_deadline(end);
            player.choose(&state, &BestMove::default(), &budget)?;
            let work = player.work().context("nothing was searched")?;
            if work.playouts == 0 {
                // Not even one playout was finished within the time.
                break;
            }
            playouts += work.playouts;
            steps += work.passed;
            nodes += work.nodes as u64;
            spent += work.time.as_secs_f64() / at_once;
        }
        let rate = |count: u64| count as f64 / spent.max(f64::MIN_POSITIVE);
        anyhow::ensure!(playouts > 0, "no playout in {seconds} s");
        Ok(Played {
            states_per_second: rate(steps),
            playouts_per_second: rate(playouts),
            nodes_per_second: Some(rate(nodes)),
            playouts,
            cut: 0,
            steps,
            peak_bytes: memory::peak(),
        })
    }
}
