//! Simulates how many matches sequential tests take and how often they are wrong. Prints the
//! table of `docs/measurements/2026-11-sequential-tests`.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rating::{Decision, Sprt, Tally, expected};

const RUNS: u64 = 2000;

fn main() -> Result<(), rating::SprtError> {
    println!(
        "| bounds | draws | matches | wrong at elo0 | wrong at elo1 | at elo0 | between | at elo1 |"
    );
    println!("|---|---:|---|---:|---:|---:|---:|---:|");
    for (elo0, elo1) in [(0.0, 10.0), (0.0, 50.0), (-200.0, 200.0)] {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05)?;
        for draws in [0.0, 0.3, 0.6] {
            for (size, kind) in [(1, "single"), (2, "pairs")] {
                let [low, between, high] =
                    [elo0, (elo0 + elo1) / 2.0, elo1].map(|elo| simulate(sprt, elo, draws, size));
                let share = |count: u64| 100.0 * count as f64 / RUNS as f64;
                println!(
                    "| {elo0} to {elo1} | {draws} | {kind} | {:.1} % | {:.1} % | {} | {} | {} |",
                    share(low.accepted),
                    share(RUNS - high.accepted),
                    low.lengths(),
                    between.lengths(),
                    high.lengths(),
                );
            }
        }
    }
    Ok(())
}

/// The results of many tests.
struct Outcome {
    /// How often `elo1` was accepted.
    accepted: u64,
    /// The number of matches of each test, in ascending order.
    matches: Vec<u64>,
}

impl Outcome {
    /// The mean number of matches, and the 90th percentile.
    fn lengths(&self) -> String {
        let mean = self.matches.iter().sum::<u64>() as f64 / RUNS as f64;
        format!("{mean:.0} ({})", self.matches[self.matches.len() * 9 / 10])
    }
}

/// Simulates tests of players whose true difference is `elo`.
///
/// In a pair, the first seat is worth 0.14 of a score, about 100 Elo, which the swapped seats
/// cancel.
fn simulate(sprt: Sprt, elo: f64, draws: f64, size: usize) -> Outcome {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut play = |mean: f64| {
        let draw = draws.min(2.0 * mean.min(1.0 - mean));
        let chance: f64 = rng.random();
        match chance {
            _ if chance < mean - draw / 2.0 => 1.0,
            _ if chance < mean + draw / 2.0 => 0.5,
            _ => 0.0,
        }
    };
    let (mut accepted, mut matches) = (0, Vec::new());
    for _ in 0..RUNS {
        let mut tally = Tally::default();
        let decision = loop {
            tally.add(match size {
                1 => play(expected(elo)),
                _ => (play(expected(elo) + 0.14) + play(expected(elo) - 0.14)) / 2.0,
            });
            match sprt.judge(&tally).decision {
                Decision::GoOn => {}
                decision => break decision,
            }
        };
        accepted += u64::from(decision == Decision::AcceptH1);
        matches.push(tally.count() * size as u64);
    }
    matches.sort_unstable();
    Outcome { accepted, matches }
}
