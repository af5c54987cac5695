//! Sequential tests: stopping when the question is answered.

use crate::{Tally, expected};

/// Scores below which no test decides. With bounds far apart a test may be over after two matches;
/// by then nobody has seen how much the scores vary.
pub const LEAST: u64 = 8;

/// As how many scores a win and a loss count that nobody saw, each. Without them, a mean of which
/// all scores lie on one side would be impossible rather than unlikely.
const UNSEEN: f64 = 1e-3;

/// A sequential probability ratio test: is the true difference rather `elo0` (hypothesis 0) or
/// `elo1` (hypothesis 1)?
///
/// After every match, the logarithm of the ratio of the two likelihoods is compared with two bounds
/// that depend on the error rates (Wald, "Sequential tests of statistical hypotheses", 1945). The
/// likelihood of a hypothesis is that of the distribution of scores that fits best what was seen
/// among all that have the mean the hypothesis says, which is the generalised test of Michel Van den
/// Bergh's notes for fishtest ("A practical introduction to the GSPRT"); how often draws occur need
/// not be known, and scores may be those of single matches or of pairs ("pentanomial") or any
/// others. The distributions are found by Lagrange's multipliers, as in empirical likelihood (Owen,
/// "Empirical likelihood ratio confidence intervals for a single functional", 1988).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The difference in Elo of hypothesis 0.
    pub elo0: f64,
    /// The difference in Elo of hypothesis 1, above that of hypothesis 0.
    pub elo1: f64,
    /// How often hypothesis 1 may be accepted where hypothesis 0 holds.
    pub alpha: f64,
    /// How often hypothesis 0 may be accepted where hypothesis 1 holds.
    pub beta: f64,
}

/// Why there is no such test.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The differences are not in order, or so large that scores tell them apart from certainty no
    /// more.
    #[error("elo0 must be less than elo1, both within 3000, not {0} and {1}")]
    Elo(f64, f64),
    /// An error rate is not between 0 and a half.
    #[error("an error rate must be above 0 and below 0.5, not {0}")]
    Rate(f64),
}

/// What a test says so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The logarithm of the likelihood of hypothesis 1 relative to hypothesis 0.
    pub llr: f64,
    /// At or below it, hypothesis 0 is accepted.
    pub lower: f64,
    /// At or above it, hypothesis 1 is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Stop: the difference is rather `elo0`, or less.
    AcceptH0,
    /// Stop: the difference is rather `elo1`, or more.
    AcceptH1,
    /// Play on.
    GoOn,
}

impl Sprt {
    /// The test of these hypotheses with these error rates.
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, or an error rate not between 0 and 0.5.
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

    /// What the scores of independent matches or units say.
    ///
    /// The error rates hold for a test that is asked after every score and obeyed the first time
    /// that it does not say [`Decision::GoOn`]; it says that of fewer than [`LEAST`] scores anyway.
    pub fn test(&self, scores: &[f64]) -> Verdict {
        self.judge(&scores.iter().copied().collect())
    }

    /// The same of scores that are counted; its time does not grow with their number.
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

/// The logarithm of the ratio of the likelihoods of two means, the second's to the first's.
fn llr(tally: &Tally, mean0: f64, mean1: f64) -> f64 {
    if tally.count() == 0 {
        return 0.0;
    }
    let unseen = [(0.0, UNSEEN), (1.0, UNSEEN)];
    let counts: Vec<(f64, f64)> = tally.weighted().chain(unseen).collect();
    // The best distribution of a given mean gives a score x, seen w times, a probability
    // proportional to w / (1 + t (x - mean)).
    let (t0, t1) = (multiplier(&counts, mean0), multiplier(&counts, mean1));
    let term = |(x, w): &(f64, f64)| w * ((t0 * (x - mean0)).ln_1p() - (t1 * (x - mean1)).ln_1p());
    counts.iter().map(term).sum()
}

/// Lagrange's multiplier `t` of that mean, where the sum of `w (x - mean) / (1 + t (x - mean))` is 0.
///
/// The sum falls from infinity to minus infinity between the two poles that 0 and 1, which are
/// among the scores, make: Newton's steps, halving where they lead outside.
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
    fn bounds_are_walds() {
        let verdict = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap().test(&[]);
        close(verdict.lower, -2.944_438_979, 1e-9);
        close(verdict.upper, 2.944_438_979, 1e-9);
        assert_eq!((verdict.llr, verdict.decision), (0.0, Decision::GoOn));
        let verdict = Sprt::new(0.0, 10.0, 0.01, 0.1).unwrap().test(&[]);
        close(verdict.lower, (0.1f64 / 0.99).ln(), 1e-12);
        close(verdict.upper, 90f64.ln(), 1e-12);
    }

    /// Without draws the distribution is its mean, and the ratio is `(p1/p0)^wins (q1/q0)^losses`.
    #[test]
    fn without_draws_it_is_walds_test() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
        let (p0, p1) = (0.5, expected(100.0));
        for (wins, losses) in [(30, 20), (0, 12), (12, 0), (500, 400)] {
            let exact =
                wins as f64 * (p1 / p0).ln() + losses as f64 * ((1.0 - p1) / (1.0 - p0)).ln();
            close(sprt.test(&scores(wins, 0, losses)).llr, exact, 0.002);
        }
    }

    /// Near equality the ratio is `n (s1 - s0) (2 mean - s0 - s1) / (2 variance)`, the approximation
    /// of Van den Bergh's notes.
    #[test]
    fn near_equality_it_is_the_normal_approximation() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let tally: Tally = scores(2100, 6000, 1900).into_iter().collect();
        let (s0, s1, n) = (0.5, expected(5.0), 10_000.0);
        let mean = tally.mean().unwrap();
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * tally.spread(mean));
        close(sprt.judge(&tally).llr, normal, 0.01 * normal);
        // And by hand: 10000 * 0.007195 * (1.02 - 1.007195) / (2 * 0.0999) = 4.61.
        close(normal, 4.61, 0.01);
        assert_eq!(sprt.judge(&tally).decision, Decision::AcceptH1);
    }

    #[test]
    fn it_does_not_stop_after_two_matches() {
        let wide = Sprt::new(-400.0, 400.0, 0.05, 0.05).unwrap();
        assert!(wide.test(&[1.0; 7]).llr > 2.95);
        assert_eq!(wide.test(&[1.0; 7]).decision, Decision::GoOn);
        assert_eq!(wide.test(&[1.0; 8]).decision, Decision::AcceptH1);
        assert_eq!(wide.test(&[0.0; 8]).decision, Decision::AcceptH0);
    }

    /// Nothing but draws has no variance, and yet is no proof at once: under hypothesis 1 a match is
    /// decided with a probability of at least 2 * 0.0144, so `e^-2.94` takes a hundred draws.
    #[test]
    fn draws_alone_take_their_time() {
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
    fn both_hypotheses_are_treated_alike() {
        let up = Sprt::new(-20.0, 60.0, 0.05, 0.05).unwrap();
        let down = Sprt::new(-60.0, 20.0, 0.05, 0.05).unwrap();
        let ours = [1.0, 0.25, 0.75, 0.5, 0.0, 1.0, 0.6, 0.3, 0.9];
        let theirs = ours.map(|score| 1.0 - score);
        close(up.test(&ours).llr, -down.test(&theirs).llr, 1e-9);
    }

    #[test]
    fn senseless_tests_are_refused() {
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
