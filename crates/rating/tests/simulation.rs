//! Checks the claimed error rates with simulated players of known strength.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rating::{Decision, Result, Sprt, Tally};

/// Simulates matches with a mean score and a share of draws, as far as the mean allows it.
struct Matches {
    win: f64,
    draw: f64,
    rng: Xoshiro256PlusPlus,
}

impl Matches {
    fn new(mean: f64, draws: f64, seed: u64) -> Self {
        let draw = draws.min(2.0 * mean.min(1.0 - mean));
        Matches {
            win: mean - draw / 2.0,
            draw,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    fn play(&mut self) -> f64 {
        let chance: f64 = self.rng.random();
        match chance {
            _ if chance < self.win => 1.0,
            _ if chance < self.win + self.draw => 0.5,
            _ => 0.0,
        }
    }
}

/// The share of many series of matches whose interval contains the true mean.
fn coverage(mean: f64, draws: f64, count: usize, size: usize, seed: u64) -> f64 {
    const SERIES: usize = 2000;
    let mut matches = Matches::new(mean, draws, seed);
    let held = (0..SERIES).filter(|_| {
        let scores: Vec<f64> = (0..count * size).map(|_| matches.play()).collect();
        let interval = rating::mean(&rating::units(&scores, size));
        (interval.low..=interval.high).contains(&mean)
    });
    held.count() as f64 / SERIES as f64
}

/// The coverage of 2000 series has a random error of half a per cent. With few matches, it also
/// oscillates with the mean, because there are few possible scores.
#[test]
fn intervals_contain_the_mean_at_their_nominal_rate() {
    let (mut sum, mut cases) = (0.0, 0);
    for (at, count) in [5, 10, 20, 60, 200].into_iter().enumerate() {
        for draws in [0.0, 0.3, 0.6, 0.9] {
            for mean in [0.5, 0.6, 0.75, 0.9] {
                for size in [1, 2] {
                    let share = coverage(mean, draws, count, size, at as u64);
                    let least = if count < 60 { 0.89 } else { 0.92 };
                    assert!(
                        share > least,
                        "{share} at mean {mean}, draws {draws}, {count} units of {size}"
                    );
                    sum += share;
                    cases += 1;
                }
            }
        }
    }
    let average = sum / f64::from(cases);
    assert!((0.945..0.975).contains(&average), "{average}");
}

/// The rate at which hypothesis 1 was accepted, and the mean number of matches.
fn decisions(sprt: Sprt, elo: f64, draws: f64, size: usize, runs: u64) -> (f64, f64) {
    let (mut accepted, mut length) = (0, 0);
    for run in 0..runs {
        let mut matches = Matches::new(rating::expected(elo), draws, 1_000 + run);
        let mut tally = Tally::default();
        loop {
            let sum: f64 = (0..size).map(|_| matches.play()).sum();
            tally.add(sum / size as f64);
            match sprt.judge(&tally).decision {
                Decision::GoOn => assert!(tally.count() < 100_000, "it must end"),
                decision => {
                    accepted += u64::from(decision == Decision::AcceptH1);
                    length += tally.count();
                    break;
                }
            }
        }
    }
    (
        accepted as f64 / runs as f64,
        length as f64 / runs as f64 * size as f64,
    )
}

/// Error rates are at most 5 %, up to three standard deviations of the simulation.
#[test]
fn sequential_tests_keep_their_error_rates() {
    const RUNS: u64 = 800;
    let sprt = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
    let most = 0.05 + 3.0 * (0.05f64 * 0.95 / RUNS as f64).sqrt();
    for size in [1, 2] {
        let mut before = f64::INFINITY;
        for draws in [0.0, 0.3, 0.6] {
            let (accepted, at_0) = decisions(sprt, 0.0, draws, size, RUNS);
            assert!(accepted < most, "{accepted} wrong at 0, draws {draws}");
            let (accepted, at_1) = decisions(sprt, 60.0, draws, size, RUNS);
            let refused = 1.0 - accepted;
            assert!(refused < most, "{refused} wrong at 60, draws {draws}");
            // Draws shorten the test.
            assert!(at_0 + at_1 < before, "draws {draws}");
            before = at_0 + at_1;
        }
        // Wald's approximation without draws is 160 matches, without the overshoot of the last
        // step.
        let (_, length) = decisions(sprt, 0.0, 0.0, size, RUNS);
        assert!((140.0..220.0).contains(&length), "{length}");
    }
}

/// Players of known strength in a round robin: the coverage of the error bars, relative to the
/// mean and to an anchor, and the bias of the ratings.
#[test]
fn ladders_recover_the_true_strengths() {
    const SERIES: u64 = 150;
    let elos = [-350.0, -120.0, -20.0, 40.0, 150.0, 300.0];
    for draws in [0.0, 0.5] {
        let (mut held, mut held_anchored) = (0, 0);
        let mut sums = [0.0; 6];
        for seed in 0..SERIES {
            let mut results = Vec::new();
            for a in 0..elos.len() {
                for b in 0..a {
                    let mean = rating::expected(elos[a] - elos[b]);
                    let mut matches = Matches::new(mean, draws, seed * 64 + (a * 8 + b) as u64);
                    let score = |_| Result {
                        a,
                        b,
                        score: matches.play(),
                    };
                    results.extend((0..40).map(score));
                }
            }
            for (player, rated) in rating::ladder(elos.len(), &results).iter().enumerate() {
                held += u64::from((rated.elo - elos[player]).abs() <= rated.error);
                sums[player] += rated.elo;
            }
            for (player, rated) in rating::ladder_on(elos.len(), &results, 2)
                .iter()
                .enumerate()
            {
                let true_elo = elos[player] - elos[2];
                held_anchored += u64::from((rated.elo - true_elo).abs() <= rated.error);
            }
        }
        let all = (SERIES * elos.len() as u64) as f64;
        // The rating of the anchor itself is exact.
        for share in [
            held as f64 / all,
            (held_anchored - SERIES) as f64 / (all * 5.0 / 6.0),
        ] {
            assert!((0.92..0.985).contains(&share), "{share} at draws {draws}");
        }
        for (sum, elo) in sums.iter().zip(elos) {
            let mean = sum / SERIES as f64;
            assert!((mean - elo).abs() < 12.0, "{mean}: {elo}");
        }
    }
}
