//! Elo ratings of many players from pairwise results.

use crate::interval::Z;
use std::collections::BTreeMap;

/// The prior: pseudo-draws of each player, in addition to its results.
const PRIOR: f64 = 0.5;

/// The weight of a pseudo-draw of each player against the mean. It is tiny and only matters for
/// players without results.
const TIE: f64 = 1e-3;

/// Elo per unit of log-odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Maximum number of Newton steps; a dozen are enough for thousands of matches.
const STEPS: usize = 200;

/// One match between two players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Result {
    /// The index of the first player.
    pub a: usize,
    /// The index of the second player.
    pub b: usize,
    /// The score of the first player, 0 to 1. The second player gets the rest.
    pub score: f64,
}

/// The rating of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// Elo relative to the anchor, or to the mean of all players.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval around `elo`.
    pub error: f64,
}

/// The Elo ratings of players from results between them, relative to their mean.
///
/// The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", 1952),
/// fitted by maximum likelihood, with draws and fractional scores as fractions of wins. Each
/// player gets half a pseudo-draw in addition, distributed over its opponents in proportion to
/// its matches. It keeps the rating of a player finite that won or lost every match; against
/// dozens of matches it is negligible. Between players that no chain of matches connects,
/// nothing is known, and errors are in the thousands.
///
/// Errors come from the observed information, transformed to differences from the anchor (delta
/// method). They are scaled by the dispersion of the results about the model relative to
/// matches without draws (the dispersion of quasi-likelihood; Wedderburn 1974), which is pulled
/// towards 1 where there are few results.
///
/// Results of a player against itself, with unknown players or with a score that is not a
/// number are ignored. Scores are clamped to 0 and 1.
pub fn ladder(players: usize, results: &[Result]) -> Vec<Rated> {
    fit(players, results, None)
}

/// Ratings as from [`ladder`], but relative to one player, whose rating and error are 0.
///
/// If `anchor` is not a valid index, ratings are relative to the mean.
pub fn ladder_on(players: usize, results: &[Result], anchor: usize) -> Vec<Rated> {
    fit(players, results, (anchor < players).then_some(anchor))
}

fn fit(players: usize, results: &[Result], anchor: Option<usize>) -> Vec<Rated> {
    let results: Vec<Result> = results
        .iter()
        .filter(|r| r.a != r.b && r.a.max(r.b) < players && !r.score.is_nan())
        .map(|r| Result {
            score: r.score.clamp(0.0, 1.0),
            ..*r
        })
        .collect();
    let pairs = pairs(players, &results);
    let mut strength = vec![0.0; players];
    let mut height = likelihood(&strength, &pairs);
    for _ in 0..STEPS {
        let (gradient, information) = derivatives(&strength, &pairs);
        let step = factorised(information).solve(&gradient);
        // The log-likelihood is concave, but a full Newton step from far away can overshoot the
        // maximum.
        let mut share = 1.0;
        let (moved, higher) = loop {
            let moved: Vec<f64> = strength
                .iter()
                .zip(&step)
                .map(|(at, step)| at + share * step)
                .collect();
            let higher = likelihood(&moved, &pairs);
            if higher >= height || share < 1e-6 {
                break (moved, higher);
            }
            share /= 2.0;
        };
        if higher < height {
            break;
        }
        (strength, height) = (moved, higher);
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let factors = factorised(derivatives(&strength, &pairs).1);
    let dispersion = dispersion(&strength, &results);
    let mean = strength.iter().sum::<f64>() / players.max(1) as f64;
    let origin = anchor.map_or(mean, |anchor| strength[anchor]);
    (0..players)
        .map(|player| {
            // The requested difference, as weights of the strengths.
            let mut weights = match anchor {
                Some(_) => vec![0.0; players],
                None => vec![-1.0 / players as f64; players],
            };
            weights[player] += 1.0;
            if let Some(anchor) = anchor {
                weights[anchor] -= 1.0;
            }
            let spread = factors.solve(&weights);
            let variance: f64 = weights.iter().zip(&spread).map(|(a, b)| a * b).sum();
            Rated {
                elo: SCALE * (strength[player] - origin),
                error: Z * SCALE * (variance.max(0.0) * dispersion).sqrt(),
            }
        })
        .collect()
}

/// The total scores of two players against each other.
#[derive(Default)]
struct Pair {
    /// The score of the first player.
    won: f64,
    /// The score of the second player.
    lost: f64,
}

/// The total scores of every pair, including the pseudo-draws.
fn pairs(players: usize, results: &[Result]) -> BTreeMap<(usize, usize), Pair> {
    let mut pairs: BTreeMap<_, Pair> = BTreeMap::new();
    let mut matches = vec![0.0; players];
    for r in results {
        let pair = pairs.entry((r.a, r.b)).or_default();
        pair.won += r.score;
        pair.lost += 1.0 - r.score;
        matches[r.a] += 1.0;
        matches[r.b] += 1.0;
    }
    for (&(a, b), pair) in &mut pairs {
        let count = pair.won + pair.lost;
        let draws = PRIOR * (count / matches[a] + count / matches[b]);
        pair.won += draws / 2.0;
        pair.lost += draws / 2.0;
    }
    pairs
}

/// The probability of a win at a difference in log-odds.
fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`logistic`], accurate also where that is nearly 0.
fn ln_logistic(difference: f64) -> f64 {
    -match difference > 0.0 {
        true => (-difference).exp().ln_1p(),
        false => difference.exp().ln_1p() - difference,
    }
}

/// The log-likelihood, including the pseudo-draws.
fn likelihood(strength: &[f64], pairs: &BTreeMap<(usize, usize), Pair>) -> f64 {
    let ties = strength
        .iter()
        .map(|&s| TIE * 0.5 * (ln_logistic(s) + ln_logistic(-s)));
    let matches = pairs.iter().map(|(&(a, b), pair)| {
        let difference = strength[a] - strength[b];
        pair.won * ln_logistic(difference) + pair.lost * ln_logistic(-difference)
    });
    ties.sum::<f64>() + matches.sum::<f64>()
}

/// The gradient of the log-likelihood, and the observed information: its negative second
/// derivatives.
fn derivatives(
    strength: &[f64],
    pairs: &BTreeMap<(usize, usize), Pair>,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strength.len();
    let mut gradient = vec![0.0; players];
    let mut information = vec![vec![0.0; players]; players];
    for (player, &s) in strength.iter().enumerate() {
        let p = logistic(s);
        gradient[player] = TIE * (0.5 - p);
        information[player][player] = TIE * p * (1.0 - p);
    }
    for (&(a, b), pair) in pairs {
        let p = logistic(strength[a] - strength[b]);
        let count = pair.won + pair.lost;
        let surplus = pair.won - count * p;
        gradient[a] += surplus;
        gradient[b] -= surplus;
        let weight = count * p * (1.0 - p);
        information[a][a] += weight;
        information[b][b] += weight;
        information[a][b] -= weight;
        information[b][a] -= weight;
    }
    (gradient, information)
}

/// The dispersion of the results about the model, relative to matches without draws.
///
/// One pseudo-match without a draw for each player is included. Otherwise the errors of a few
/// results would be too small.
fn dispersion(strength: &[f64], results: &[Result]) -> f64 {
    let imagined = 0.25 * strength.len() as f64;
    let (mut seen, mut largest) = (imagined, imagined);
    for r in results {
        let p = logistic(strength[r.a] - strength[r.b]);
        seen += (r.score - p).powi(2);
        largest += p * (1.0 - p);
    }
    match largest > 0.0 {
        true => seen / largest,
        false => 1.0,
    }
}

/// The Cholesky factorisation `L Lᵀ` of a symmetrical positive definite matrix; `L` is in the
/// lower half.
struct Factors(Vec<Vec<f64>>);

fn factorised(mut matrix: Vec<Vec<f64>>) -> Factors {
    for row in 0..matrix.len() {
        for column in 0..=row {
            let (upper, lower) = (&matrix[column][..column], &matrix[row][..column]);
            let dot: f64 = upper.iter().zip(lower).map(|(a, b)| a * b).sum();
            let rest = matrix[row][column] - dot;
            matrix[row][column] = match row == column {
                // The pseudo-draws keep it positive, and rounding must not undo that.
                true => rest.max(f64::MIN_POSITIVE).sqrt(),
                false => rest / matrix[column][column],
            };
        }
    }
    Factors(matrix)
}

impl Factors {
    /// Solves `L Lᵀ x = right`.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let known: f64 = (0..row).map(|column| lower[row][column] * x[column]).sum();
            x[row] = (x[row] - known) / lower[row][row];
        }
        for row in (0..x.len()).rev() {
            let known: f64 = (row + 1..x.len())
                .map(|below| lower[below][row] * x[below])
                .sum();
            x[row] = (x[row] - known) / lower[row][row];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value}: {expected}");
    }

    fn matches(a: usize, b: usize, wins: usize, draws: usize, losses: usize) -> Vec<Result> {
        let scores = [vec![1.0; wins], vec![0.5; draws], vec![0.0; losses]].concat();
        let result = |score| Result { a, b, score };
        scores.into_iter().map(result).collect()
    }

    #[test]
    fn cholesky_factors_solve_a_linear_system() {
        let factors = factorised(vec![vec![4.0, 2.0], vec![2.0, 3.0]]);
        let x = factors.solve(&[8.0, 8.0]);
        close(x[0], 1.0, 1e-12);
        close(x[1], 2.0, 1e-12);
    }

    /// The ratings of two players and their errors agree with [`elo`].
    #[test]
    fn ladder_of_two_players_agrees_with_their_elo_difference() {
        let results = matches(0, 1, 600, 0, 400);
        let both = ladder(2, &results);
        let scores: Vec<f64> = results.iter().map(|r| r.score).collect();
        let direct = elo(&scores);
        close(both[0].elo - both[1].elo, direct.diff, 0.2);
        close(both[0].elo + both[1].elo, 0.0, 1e-9);
        // The error of half the difference is half the error of the difference.
        close(2.0 * both[0].error, (direct.high - direct.low) / 2.0, 0.3);
        let anchored = ladder_on(2, &results, 1);
        assert_eq!(
            anchored[1],
            Rated {
                elo: 0.0,
                error: 0.0
            }
        );
        close(anchored[0].elo, both[0].elo - both[1].elo, 1e-9);
        close(anchored[0].error, 2.0 * both[0].error, 1e-9);
    }

    /// If a beats b with odds of 2 and b beats c with odds of 3, a is 400 log10(6) above c.
    #[test]
    fn elo_differences_add_up() {
        let results = [matches(0, 1, 2000, 0, 1000), matches(1, 2, 3000, 0, 1000)].concat();
        let rated = ladder_on(3, &results, 2);
        close(rated[1].elo, 400.0 * 3f64.log10(), 0.3);
        close(rated[0].elo, 400.0 * 6f64.log10(), 0.6);
        assert!(rated[0].error > rated[1].error);
    }

    #[test]
    fn draws_make_errors_smaller() {
        let decided = ladder(2, &matches(0, 1, 100, 0, 100))[0].error;
        let drawn = ladder(2, &matches(0, 1, 40, 120, 40))[0].error;
        // The variance of scores is 0.1 instead of 0.25.
        close(drawn / decided, (0.1f64 / 0.25).sqrt(), 0.01);
    }

    #[test]
    fn perfect_scores_and_missing_results_give_finite_ratings() {
        let rated = ladder(
            4,
            &[matches(0, 1, 50, 0, 0), matches(1, 2, 50, 0, 0)].concat(),
        );
        assert!(
            rated
                .iter()
                .all(|r| r.elo.is_finite() && r.error.is_finite())
        );
        assert!(rated[0].elo > rated[1].elo + 300.0 && rated[1].elo > rated[2].elo + 300.0);
        assert!(rated[3].error > 5000.0, "{rated:?}");
        close(rated.iter().map(|r| r.elo).sum(), 0.0, 1e-6);
        assert_eq!(ladder(0, &[]), []);
        close(ladder(1, &[])[0].elo, 0.0, 1e-12);
    }

    #[test]
    fn invalid_results_are_ignored() {
        let good = matches(0, 1, 3, 1, 2);
        let result = |a, b, score| Result { a, b, score };
        let bad = [result(0, 0, 1.0), result(0, 7, 1.0), result(0, 1, f64::NAN)];
        let both = [good.clone(), bad.to_vec()].concat();
        assert_eq!(ladder(2, &both), ladder(2, &good));
        assert_eq!(ladder_on(2, &good, 9), ladder(2, &good));
    }

    /// Starting far away, full Newton steps would overshoot the maximum.
    #[test]
    fn long_chains_converge() {
        let results: Vec<Result> = (0..30).flat_map(|p| matches(p, p + 1, 99, 0, 1)).collect();
        let rated = ladder(31, &results);
        for pair in rated.windows(2) {
            let difference = pair[0].elo - pair[1].elo;
            assert!((600.0..850.0).contains(&difference), "{difference}");
        }
    }
}
