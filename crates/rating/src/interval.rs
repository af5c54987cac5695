//! The mean score with its confidence interval.

use crate::Tally;
use std::fmt;

/// The standard normal quantile of 97.5 %, for intervals of 95 %.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The number of pseudo-scores of the largest possible variance, in addition to the observed
/// scores.
const CAUTION: f64 = 2.0;

/// A mean score, 0 to 1, with its interval of 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The mean of the scores; a half if there are none.
    pub mean: f64,
    /// The lower end of the interval, at least 0.
    pub low: f64,
    /// The upper end of the interval, at most 1.
    pub high: f64,
}

/// In per cent: `62.5 (45.1 to 77.1)`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mean, low, high] = [self.mean, self.low, self.high].map(|share| 100.0 * share);
        write!(f, "{mean:.1} ({low:.1} to {high:.1})")
    }
}

/// The mean score of independent matches or [`units`], with an interval of 95 %.
///
/// Wilson's score interval ("Probable inference, the law of succession, and statistical
/// inference", 1927) is for wins and losses, whose variance at a mean `m` is `m (1 - m)`.
/// Draws, fractional scores and units vary less. The number of scores is therefore divided by
/// the ratio of the two variances, like the effective sample size of surveys (Korn and
/// Graubard, "Confidence intervals for proportions with small expected number of positive
/// counts", 1998).
///
/// The variance of a few scores is itself uncertain. So two pseudo-scores of the largest
/// possible variance are added to the observed ones. With 20 draws and nothing else, the
/// interval is 43 to 57 per cent.
///
/// Without any score the interval is 0 to 1.
pub fn mean(scores: &[f64]) -> Interval {
    of(&scores.iter().copied().collect())
}

/// [`mean`] of a tally.
pub(crate) fn of(tally: &Tally) -> Interval {
    let Some(mean) = tally.mean() else {
        return Interval {
            mean: 0.5,
            low: 0.0,
            high: 1.0,
        };
    };
    let count = tally.count() as f64;
    let n = count / relative_variance(tally, mean);
    let centre = (mean + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let root = (mean * (1.0 - mean) / n + (Z / (2.0 * n)).powi(2)).sqrt();
    let half = Z * root / (1.0 + Z * Z / n);
    Interval {
        mean,
        // Where all matches were won or lost, rounding must not put the mean outside the
        // interval.
        low: (centre - half).clamp(0.0, mean),
        high: (centre + half).clamp(mean, 1.0),
    }
}

/// The sample variance relative to the largest that scores of this mean can have; above 0, at
/// most 1.
fn relative_variance(tally: &Tally, mean: f64) -> f64 {
    let largest = mean * (1.0 - mean);
    let count = tally.count() as f64;
    if largest <= f64::EPSILON || count < 2.0 {
        return 1.0;
    }
    let seen = tally.spread(mean) * count / (count - 1.0) / largest;
    ((count * seen + CAUTION) / (count + CAUTION)).min(1.0)
}

/// Groups matches into units of `size`, in order. The score of a unit is the mean of its
/// matches. An incomplete last unit is dropped.
///
/// ```
/// // Four games in pairs with seats swapped: lost and won, drawn and won.
/// assert_eq!(rating::units(&[0.0, 1.0, 0.5, 1.0], 2), [0.5, 0.75]);
/// ```
pub fn units(scores: &[f64], size: usize) -> Vec<f64> {
    let chunks = scores.chunks_exact(size.max(1));
    chunks
        .map(|unit| unit.iter().sum::<f64>() / unit.len() as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(interval: Interval, low: f64, high: f64) {
        let far = (interval.low - low).abs().max((interval.high - high).abs());
        assert!(far < 5e-5, "{interval:?}: {low} to {high}");
    }

    /// Values from tables of Wilson's interval. Without draws the pseudo-scores change nothing.
    #[test]
    fn wins_and_losses_give_wilsons_interval() {
        let of = |wins: usize, losses: usize| mean(&[vec![1.0; wins], vec![0.0; losses]].concat());
        close(of(5, 5), 0.23659, 0.76341);
        close(of(8, 2), 0.49016, 0.94332);
        close(of(81, 263 - 81), 0.25528, 0.36621);
        // The lower end is n / (n + z^2), and the interval of 0 wins begins at 0.
        close(of(10, 0), 0.72247, 1.0);
        close(of(0, 10), 0.0, 0.27753);
        close(of(1, 0), 0.20654, 1.0);
    }

    #[test]
    fn draws_make_the_interval_narrower_but_never_empty() {
        let width = |scores: &[f64]| mean(scores).high - mean(scores).low;
        let decided = [[1.0; 10], [0.0; 10]].concat();
        let half = [[1.0; 5].as_slice(), &[0.0; 5], &[0.5; 10]].concat();
        let drawn = [0.5; 20];
        assert!(width(&drawn) > 0.05 && width(&drawn) < width(&half));
        assert!(width(&half) < width(&decided));
        // 20 draws with 2 pseudo-scores of the largest variance give as much information as 220
        // matches without draws. Their half width at a mean of 0.5 is 0.5 z / sqrt(220 + z^2).
        let half = 0.5 * 1.959_964 / (220.0f64 + 3.841_459).sqrt();
        close(mean(&drawn), 0.5 - half, 0.5 + half);
    }

    #[test]
    fn without_scores_the_interval_is_everything() {
        assert_eq!(mean(&[]), mean(&[f64::NAN]));
        close(mean(&[]), 0.0, 1.0);
        assert_eq!(mean(&[]).to_string(), "50.0 (0.0 to 100.0)");
    }

    #[test]
    fn units_are_the_means_of_consecutive_scores() {
        assert_eq!(units(&[1.0, 0.0, 0.5, 0.5, 1.0], 2), [0.5, 0.5]);
        assert_eq!(units(&[1.0, 0.0], 0), [1.0, 0.0]);
        assert_eq!(units(&[1.0], 3), [0.0; 0]);
    }
}
