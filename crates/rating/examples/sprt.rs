//! How long sequential tests take and how often they are wrong, by simulation; prints the table of
//! the README.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rating::{Decision, Sprt, Tally, expected};

const RUNS: u64 = 2000;

fn main() -> Result<(), rating::SprtError> {
    println!(
        "| bounds | draws | matches are | true Elo | accepts elo1 | matches, mean | 90 % below |"
    );
    println!("|---|---:|---|---:|---:|---:|---:|");
    for (elo0, elo1) in [(0.0, 10.0), (0.0, 50.0), (-200.0, 200.0)] {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05)?;
        for draws in [0.0, 0.3, 0.6] {
            for size in [1, 2] {
                for elo in [elo0, (elo0 + elo1) / 2.0, elo1] {
                    let (accepted, mut lengths) = simulate(sprt, elo, draws, size);
                    lengths.sort_unstable();
                    let mean = lengths.iter().sum::<u64>() as f64 / RUNS as f64;
                    let most = lengths[lengths.len() * 9 / 10];
                    let kind = if size == 1 { "single" } else { "pairs" };
                    let share = 100.0 * accepted as f64 / RUNS as f64;
                    println!(
                        "| {elo0} to {elo1} | {draws} | {kind} | {elo} | {share:.1} % | {mean:.0} | {most} |"
                    );
                }
            }
        }
    }
    Ok(())
}

/// How often `elo1` was accepted, and the numbers of matches.
///
/// In a pair, the first seat is worth 0.14 of a score, about 100 Elo: that is what pairs are for.
fn simulate(sprt: Sprt, elo: f64, draws: f64, size: usize) -> (u64, Vec<u64>) {
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
    let (mut accepted, mut lengths) = (0, Vec::new());
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
        lengths.push(tally.count() * size as u64);
    }
    (accepted, lengths)
}
