//! Elo difference from the scores of two players.

use crate::interval::{self, Interval};
use crate::{Tally, mean};
use std::fmt;

/// An Elo difference with its interval of 95 % confidence.
///
/// Infinite where the score is 0 or 1: a player that won every match may be stronger without
/// bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    /// The maximum-likelihood estimate of how much stronger the first player is.
    pub diff: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Rounded: `+89 (-48 to +225)`.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero makes a negative zero positive.
        let [diff, low, high] = [self.diff, self.low, self.high].map(|elo| elo.round() + 0.0);
        write!(f, "{diff:+.0} ({low:+.0} to {high:+.0})")
    }
}

impl From<Interval> for Elo {
    fn from(interval: Interval) -> Self {
        Elo {
            diff: elo_of(interval.mean),
            low: elo_of(interval.low),
            high: elo_of(interval.high),
        }
    }
}

impl From<&Tally> for Elo {
    fn from(tally: &Tally) -> Self {
        interval::of(tally).into()
    }
}

/// The Elo difference of independent matches or units, with an interval of 95 %.
///
/// The interval is that of the mean score ([`mean`]), based on the variance of the scores. It
/// is therefore not symmetrical far from equality.
pub fn elo(scores: &[f64]) -> Elo {
    mean(scores).into()
}

/// The Elo difference at which the expected score is `score`; infinite for 0 and 1.
///
/// ```
/// assert_eq!(rating::elo_of(10.0 / 11.0).round(), 400.0);
/// assert_eq!(rating::elo_of(1.0), f64::INFINITY);
/// ```
pub fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score of a player that is stronger by `elo`.
///
/// ```
/// assert_eq!(rating::expected(0.0), 0.5);
/// assert!((rating::expected(200.0) - 0.7597).abs() < 1e-4);
/// ```
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The likelihood of superiority (LOS): that the first player is stronger, 0 to 1, given its
/// scores.
///
/// The sum of all scores above a half is compared with its variation between equal players.
/// With wins, draws and losses this is the formula that chess programmers use, `Φ((W - L) / √(W
/// + L))`. Draws carry no information about which player is better.
pub fn superiority(scores: &[f64]) -> f64 {
    let tally: Tally = scores.iter().copied().collect();
    let spread = tally.spread(0.5);
    match tally.mean() {
        Some(mean) if spread > 0.0 => normal((mean - 0.5) / (spread / tally.count() as f64).sqrt()),
        _ => 0.5,
    }
}

/// The cumulative standard normal distribution.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value}: {expected}");
    }

    #[test]
    fn elo_and_expected_score_are_inverse() {
        // The table of the FIDE handbook, section 8.1: expected scores of some differences.
        for (diff, score) in [(0.0, 0.5), (72.0, 0.602), (191.0, 0.75), (366.0, 0.891)] {
            close(expected(diff), score, 6e-4);
            close(elo_of(expected(diff)), diff, 1e-9);
            close(expected(-diff), 1.0 - expected(diff), 1e-12);
        }
        assert_eq!(elo_of(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of(2.0), f64::INFINITY);
    }

    #[test]
    fn elo_and_superiority_match_a_computation_by_hand() {
        // 60 wins, 20 draws, 20 losses: the mean is 0.7, and 400 log10(0.7 / 0.3) = 147.2.
        let scores = [[1.0; 60].as_slice(), &[0.5; 20], &[0.0; 20]].concat();
        let elo = elo(&scores);
        close(elo.diff, 147.19, 0.01);
        // The variance is 0.65 - 0.49 = 0.16, so the standard error is 0.04. At this mean the
        // slope of Elo is 400 / (ln 10 * 0.21) = 827, so the standard error is 33 Elo. The
        // interval is 65 either way to first order.
        close(elo.high - elo.low, 2.0 * 65.0, 3.0);
        assert_eq!(Elo::from(&scores.iter().copied().collect::<Tally>()), elo);
        // Φ(40 / √80) = Φ(4.472).
        close(superiority(&scores), 0.999_996_1, 1e-7);
    }

    #[test]
    fn a_perfect_score_has_infinite_elo() {
        let elo = elo(&[1.0; 10]);
        assert_eq!((elo.diff, elo.high), (f64::INFINITY, f64::INFINITY));
        // Wilson's lower end for 10 of 10 is 0.72247.
        close(elo.low, 166.2, 0.1);
        assert_eq!(elo.to_string(), "+inf (+166 to +inf)");
        close(superiority(&[1.0; 5]), 0.9873, 1e-4);
    }

    #[test]
    fn draws_do_not_change_the_superiority() {
        assert_eq!(superiority(&[]), 0.5);
        assert_eq!(superiority(&[0.5; 7]), 0.5);
        let (few, many) = ([1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.5, 0.5, 0.5]);
        close(superiority(&few), superiority(&many), 1e-12);
        close(superiority(&[1.0, 0.0]), 0.5, 1e-12);
        assert_eq!(elo(&[0.5, 0.5]).to_string().split(' ').next(), Some("+0"));
    }
}
