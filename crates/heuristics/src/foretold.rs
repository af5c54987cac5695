//! How well predictions matched outcomes, and the best fit of outcomes to them.

/// The least weight of a new pair in the running means, so that the distant past is forgotten.
const FADING: f64 = 1e-3;
/// The number of pairs before there is a fit.
const FEW: u64 = 50;

/// Running statistics of two kinds of predictions and of the outcomes. Both kinds are made
/// together for the same things.
#[derive(Debug, Clone, Default)]
pub struct Foretold {
    guesses: u64,
    /// The mean and the variance of the outcomes.
    mean: f64,
    variance: f64,
    /// The means of the predictions, and their covariances with the outcomes.
    guess: [f64; 2],
    together: [f64; 2],
    /// The variances of the predictions, and their covariance with each other.
    spread: [f64; 2],
    alike: f64,
}

/// A linear fit: the outcome is about `offset` plus the sum of `slopes` times the predictions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The outcome where both predictions are 0.
    pub offset: f64,
    /// The slope of each kind of prediction, 0 to 1.
    pub slopes: [f64; 2],
    /// R²: the part of the variance of the outcomes that the fit explains, 0 to 1.
    pub part: f64,
    /// The part of R² that the first kind alone would not explain.
    pub added: f64,
}

impl Foretold {
    /// Adds a pair of predictions and its outcome. With predictions of one kind only, the other
    /// is 0.
    pub fn note(&mut self, guess: [f64; 2], came: f64) {
        self.guesses += 1;
        let part = (1.0 / self.guesses as f64).max(FADING);
        // Welford's update, with fading means.
        let update = |old: f64, square: f64| (1.0 - part) * (old + part * square);
        let far = came - self.mean;
        let wide = [0, 1].map(|kind| guess[kind] - self.guess[kind]);
        self.mean += far * part;
        self.variance = update(self.variance, far * far);
        self.alike = update(self.alike, wide[0] * wide[1]);
        for (kind, wide) in wide.into_iter().enumerate() {
            self.guess[kind] += wide * part;
            self.spread[kind] = update(self.spread[kind], wide * wide);
            self.together[kind] = update(self.together[kind], far * wide);
        }
    }

    /// The number of pairs.
    pub fn guesses(&self) -> u64 {
        self.guesses
    }

    /// The best fit to the last thousand or so pairs, by least squares. `None` while there are
    /// few.
    pub fn fit(&self) -> Option<Fit> {
        let varied = self.spread.iter().any(|&spread| spread > 0.0);
        let known = self.guesses >= FEW && self.variance > 0.0 && varied;
        known.then(|| {
            let first = [self.best(0, 0.0), 0.0];
            // The best slopes are inside the bounds, or at one of them.
            let choices = [
                self.both(),
                Some(first),
                Some([0.0, self.best(1, 0.0)]),
                Some([self.best(0, 1.0), 1.0]),
                Some([1.0, self.best(1, 1.0)]),
            ];
            let left = |slopes: &[f64; 2]| {
                let [a, b] = *slopes;
                let square = a * a * self.spread[0] + b * b * self.spread[1];
                let cross = a * self.together[0] + b * self.together[1];
                self.variance + square + 2.0 * (a * b * self.alike - cross)
            };
            let best = choices.into_iter().flatten();
            let best = best.min_by(|one, other| left(one).total_cmp(&left(other)));
            let slopes = best.unwrap_or_default();
            let part = |slopes: &[f64; 2]| (1.0 - left(slopes) / self.variance).max(0.0);
            Fit {
                offset: self.mean - slopes[0] * self.guess[0] - slopes[1] * self.guess[1],
                slopes,
                part: part(&slopes),
                added: (part(&slopes) - part(&first)).max(0.0),
            }
        })
    }

    /// The best slope of one kind, given that of the other.
    fn best(&self, kind: usize, other: f64) -> f64 {
        let together = self.together[kind] - other * self.alike;
        match self.spread[kind] > 0.0 {
            true => (together / self.spread[kind]).clamp(0.0, 1.0),
            false => 0.0,
        }
    }

    /// The slopes of both, if both are within bounds.
    fn both(&self) -> Option<[f64; 2]> {
        let [one, two] = self.spread;
        let all = one * two;
        let free = all - self.alike * self.alike;
        // Nearly equal predictions cannot be separated.
        if free <= 1e-3 * all {
            return None;
        }
        let [first, second] = self.together;
        let slopes = [
            (first * two - second * self.alike) / free,
            (second * one - first * self.alike) / free,
        ];
        let within = slopes.iter().all(|slope| (0.0..=1.0).contains(slope));
        within.then_some(slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fit to predictions that are a function of the outcome.
    fn fit(guess: impl Fn(f64) -> f64) -> Option<Fit> {
        let mut foretold = Foretold::default();
        for turn in 0..2000 {
            let came = f64::from(turn * 7 % 11) / 10.0;
            foretold.note([guess(came), 0.0], came);
        }
        foretold.fit()
    }

    #[test]
    fn good_and_bad_predictions_are_told_apart() {
        let close = |fit: Fit, [offset, slope, part]: [f64; 3]| {
            let off = [fit.offset - offset, fit.slopes[0] - slope, fit.part - part];
            assert!(off.iter().all(|off| off.abs() < 0.02), "{fit:?}");
        };
        close(fit(|came| came).expect("they vary"), [0.0, 1.0, 1.0]);
        // Predictions that are always too large by a constant, or by a factor of two.
        close(fit(|came| came + 0.3).expect("they vary"), [-0.3, 1.0, 1.0]);
        close(fit(|came| 2.0 * came).expect("they vary"), [0.0, 0.5, 1.0]);
        // Contrary predictions explain nothing: then only the mean is known.
        close(fit(|came| 1.0 - came).expect("they vary"), [0.5, 0.0, 0.0]);
        assert_eq!(fit(|_| 0.5), None);
    }

    #[test]
    fn half_random_predictions_have_slope_one_half() {
        let mut foretold = Foretold::default();
        for turn in 0..10_000 {
            let came = f64::from(turn % 2);
            let guess = came + f64::from(turn / 2 % 2) - 0.5;
            foretold.note([guess, 0.0], came);
        }
        let fit = foretold.fit().expect("there are many");
        assert!(
            (fit.slopes[0] - 0.5).abs() < 0.02 && (fit.part - 0.5).abs() < 0.02,
            "{fit:?}"
        );
    }

    #[test]
    fn two_kinds_of_predictions_count_for_what_each_adds() {
        let fit = |second: fn(f64, f64) -> f64| {
            let mut foretold = Foretold::default();
            for turn in 0..20_000 {
                let [one, two, three] = [1, 2, 4].map(|bit| f64::from(turn / bit % 2));
                foretold.note([one, second(one, two)], 0.5 * one + 0.3 * two + 0.2 * three);
            }
            foretold.fit().expect("there are many")
        };
        let close = |fit: Fit, [one, two, part, added]: [f64; 4]| {
            let slopes = [fit.slopes[0] - one, fit.slopes[1] - two];
            let off = [slopes, [fit.part - part, fit.added - added]].concat();
            assert!(off.iter().all(|off| off.abs() < 0.02), "{fit:?}");
        };
        let squares = 0.25 + 0.09 + 0.04;
        close(
            fit(|_, two| two),
            [0.5, 0.3, 0.34 / squares, 0.09 / squares],
        );
        // A copy of the first kind adds nothing, nor does a contrary kind.
        close(fit(|one, _| one), [0.5, 0.0, 0.25 / squares, 0.0]);
        close(fit(|_, two| -two), [0.5, 0.0, 0.25 / squares, 0.0]);
        // The sum of both explains more than one.
        close(
            fit(|one, two| one + two),
            [0.2, 0.3, 0.34 / squares, 0.09 / squares],
        );
    }

    #[test]
    fn few_or_constant_predictions_have_no_fit() {
        let mut foretold = Foretold::default();
        assert_eq!(foretold.fit(), None);
        for _ in 0..1000 {
            foretold.note([0.5, 0.5], 0.5);
        }
        assert_eq!(foretold.fit(), None, "it never varied");
    }
}
