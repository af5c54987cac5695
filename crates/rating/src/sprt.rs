//! Sequential probability ratio tests (SPRT).

use crate::{Tally, expected};

/// The minimum number of scores for a decision. With bounds far apart a test could end after
/// two matches, before the variance of the scores is known.
pub const LEAST: u64 = 8;

/// The weight of one pseudo-win and of one pseudo-loss. Without them, a mean with all scores on
/// one side of it would be impossible rather than unlikely.
const UNSEEN: f64 = 1e-3;

/// A sequential probability ratio test of the true difference: `elo0` (hypothesis 0) against
/// `elo1` (hypothesis 1).
///
/// After every match, the log-likelihood ratio (LLR) is compared with two bounds that depend on
/// the error rates (Wald, "Sequential tests of statistical hypotheses", 1945).
///
/// The likelihood of a hypothesis is that of the best-fitting distribution of scores among all
/// distributions whose mean is that of the hypothesis. This is the generalised test of Michel
/// Van den Bergh's notes for fishtest ("A practical introduction to the GSPRT"). The rate of
/// draws need not be known. Scores may be those of single matches, of pairs ("pentanomial") or
/// any others.
///
/// The distributions are found by Lagrange multipliers, as in empirical likelihood (Owen,
/// "Empirical likelihood ratio confidence intervals for a single functional", 1988).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The Elo difference of hypothesis 0.
    pub elo0: f64,
    /// The Elo difference of hypothesis 1, above that of hypothesis 0.
    pub elo1: f64,
    /// The largest rate at which hypothesis 1 may be accepted if hypothesis 0 holds.
    pub alpha: f64,
    /// The largest rate at which hypothesis 0 may be accepted if hypothesis 1 holds.
    pub beta: f64,
}

/// Why a test is invalid.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The differences are not in order, or so large that the expected scores cannot be
    /// distinguished from 0 or 1.
    #[error("elo0 must be less than elo1, both within 3000, not {0} and {1}")]
    Elo(f64, f64),
    /// An error rate is not between 0 and a half.
    #[error("an error rate must be above 0 and below 0.5, not {0}")]
    Rate(f64),
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The log-likelihood ratio of hypothesis 1 to hypothesis 0.
    pub llr: f64,
    /// Hypothesis 0 is accepted at or below this bound.
    pub lower: f64,
    /// Hypothesis 1 is accepted at or above this bound.
    pub upper: f64,
    /// The decision that follows.
    pub decision: Decision,
}

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Stop: the difference is `elo0` or less, rather than `elo1`.
    AcceptH0,
    /// Stop: the difference is `elo1` or more, rather than `elo0`.
    AcceptH1,
    /// Continue to play.
    GoOn,
}

impl Sprt {
    /// The test of these hypotheses with these error rates.
    ///
    /// # Errors
    /// Fails if `elo0` is not below `elo1`, or if an error rate is not between 0 and 0.5.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> std::result::Result<Self, SprtError> {
        if !(elo0 >= -3000.0 && elo0 < elo1 && elo1 <= 3000.0) {
            return Err(SprtError::Elo(elo0, elo1));
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate(rate));
            }
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// Judges the scores of independent matches or units.
    ///
    /// The error rates hold if the test is evaluated after every score and play stops at the
    /// first decision other than [`Decision::GoOn`]. With fewer than [`LEAST`] scores the
    /// decision is always `GoOn`.
    pub fn test(&self, scores: &[f64]) -> Verdict {
        self.judge(&scores.iter().copied().collect())
    }

    /// Judges a tally of scores. Its time does not grow with the number of scores.
    pub fn judge(&self, tally: &Tally) -> Verdict {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = llr(tally, expected(self.elo0), expected(self.elo1));
        let decision = match llr {
            _ if tally.count() < LEAST => Decision::GoOn,
            llr if llr >= upper => Decision::AcceptH1,
            llr if llr <= lower => Decision::AcceptH0,
            _ => Decision::GoOn,
        };
        Verdict {
            llr,
            lower,
            upper,
            decision,
        }
    }
}

/// The log-likelihood ratio of two means, the second to the first.
fn llr(tally: &Tally, mean0: f64, mean1: f64) -> f64 {
    if tally.count() == 0 {
        return 0.0;
    }
    let unseen = [(0.0, UNSEEN), (1.0, UNSEEN)];
    let counts: Vec<(f64, f64)> = tally.weighted().chain(unseen).collect();
    // The best-fitting distribution of a given mean gives a score x with weight w a probability
    // proportional to w / (1 + t (x - mean)).
    let (t0, t1) = (multiplier(&counts, mean0), multiplier(&counts, mean1));
    let term = |(x, w): &(f64, f64)| w * ((t0 * (x - mean0)).ln_1p() - (t1 * (x - mean1)).ln_1p());
    counts.iter().map(term).sum()
}

/// The Lagrange multiplier `t` of a mean: the root of the sum of `w (x - mean) / (1 + t (x -
/// mean))`.
///
/// The sum falls from infinity to minus infinity between two poles, because 0 and 1 are among
/// the scores. The root is found by Newton steps, with bisection where a step would leave the
/// interval.
fn multiplier(counts: &[(f64, f64)], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut t = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for &(x, w) in counts {
            let part = (x - mean) / (1.0 + t * (x - mean));
            sum += w * part;
            slope += w * part * part;
        }
        match sum > 0.0 {
            true => low = t,
            false => high = t,
        }
        let newton = t + sum / slope;
        let next = match newton > low && newton < high {
            true => newton,
            false => (low + high) / 2.0,
        };
        let step = (next - t).abs();
        t = next;
        if step <= 1e-13 * (1.0 + t.abs()) {
            break;
        }
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value}: {expected}");
    }

    fn scores(wins: usize, draws: usize, losses: usize) -> Vec<f64> {
        [vec![1.0; wins], vec![0.5; draws], vec![0.0; losses]].concat()
    }

    #[test]
    fn the_bounds_are_walds() {
        let verdict = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap().test(&[]);
        close(verdict.lower, -2.944_438_979, 1e-9);
        close(verdict.upper, 2.944_438_979, 1e-9);
        assert_eq!((verdict.llr, verdict.decision), (0.0, Decision::GoOn));
        let verdict = Sprt::new(0.0, 10.0, 0.01, 0.1).unwrap().test(&[]);
        close(verdict.lower, (0.1f64 / 0.99).ln(), 1e-12);
        close(verdict.upper, 90f64.ln(), 1e-12);
    }

    /// Without draws the mean determines the distribution, and the ratio is `(p1/p0)^wins
    /// (q1/q0)^losses`.
    #[test]
    fn without_draws_the_test_is_walds() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
        let (p0, p1) = (0.5, expected(100.0));
        for (wins, losses) in [(30, 20), (0, 12), (12, 0), (500, 400)] {
            let exact =
                wins as f64 * (p1 / p0).ln() + losses as f64 * ((1.0 - p1) / (1.0 - p0)).ln();
            close(sprt.test(&scores(wins, 0, losses)).llr, exact, 0.002);
        }
    }

    /// Near equality the LLR is `n (s1 - s0) (2 mean - s0 - s1) / (2 variance)`, the
    /// approximation of Van den Bergh's notes.
    #[test]
    fn near_equality_the_llr_is_the_normal_approximation() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let tally: Tally = scores(2100, 6000, 1900).into_iter().collect();
        let (s0, s1, n) = (0.5, expected(5.0), 10_000.0);
        let mean = tally.mean().unwrap();
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * tally.spread(mean));
        close(sprt.judge(&tally).llr, normal, 0.01 * normal);
        // Computed by hand: 10000 * 0.007195 * (1.02 - 1.007195) / (2 * 0.0999) = 4.61.
        close(normal, 4.61, 0.01);
        assert_eq!(sprt.judge(&tally).decision, Decision::AcceptH1);
    }

    #[test]
    fn fewer_than_eight_scores_decide_nothing() {
        let wide = Sprt::new(-400.0, 400.0, 0.05, 0.05).unwrap();
        assert!(wide.test(&[1.0; 7]).llr > 2.95);
        assert_eq!(wide.test(&[1.0; 7]).decision, Decision::GoOn);
        assert_eq!(wide.test(&[1.0; 8]).decision, Decision::AcceptH1);
        assert_eq!(wide.test(&[0.0; 8]).decision, Decision::AcceptH0);
    }

    /// Draws alone have no variance, but prove nothing at once. Under hypothesis 1 a match is
    /// decisive with a probability of at least 2 * 0.0144, so `e^-2.94` takes a hundred draws.
    #[test]
    fn draws_alone_decide_after_a_hundred() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        assert_eq!(sprt.test(&[0.5; 90]).decision, Decision::GoOn);
        assert_eq!(sprt.test(&[0.5; 110]).decision, Decision::AcceptH0);
        close(
            sprt.test(&[0.5; 90]).llr,
            90.0 * (1.0f64 - 0.02878).ln(),
            0.05,
        );
    }

    #[test]
    fn the_test_is_symmetrical() {
        let up = Sprt::new(-20.0, 60.0, 0.05, 0.05).unwrap();
        let down = Sprt::new(-60.0, 20.0, 0.05, 0.05).unwrap();
        let ours = [1.0, 0.25, 0.75, 0.5, 0.0, 1.0, 0.6, 0.3, 0.9];
        let theirs = ours.map(|score| 1.0 - score);
        close(up.test(&ours).llr, -down.test(&theirs).llr, 1e-9);
    }

    #[test]
    fn invalid_tests_are_rejected() {
        for (elo0, elo1) in [
            (5.0, 5.0),
            (5.0, 0.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
            (0.0, 1e5),
        ] {
            let error = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap_err();
            assert!(matches!(error, SprtError::Elo(..)), "{error}");
        }
        for rate in [0.0, 0.5, -1.0, f64::NAN] {
            assert!(Sprt::new(0.0, 5.0, rate, 0.05).is_err());
            assert!(Sprt::new(0.0, 5.0, 0.05, rate).is_err());
        }
        let error = Sprt::new(5.0, 0.0, 0.05, 0.05).unwrap_err();
        assert_eq!(
            error.to_string(),
            "elo0 must be less than elo1, both within 3000, not 5 and 0"
        );
    }

    #[test]
    fn extreme_hypotheses_stay_finite() {
        let sprt = Sprt::new(-3000.0, 3000.0, 0.01, 0.01).unwrap();
        for scores in [[0.0; 20], [1.0; 20], [0.5; 20]] {
            assert!(sprt.test(&scores).llr.is_finite());
        }
    }
}
