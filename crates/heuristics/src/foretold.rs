//! How much of what came was foretold, and what to make of guesses.

/// The part of a new guess in the means, once there are many, so that what is long past is forgotten.
const FADING: f64 = 1e-3;
/// Guesses before anything is said of them.
const FEW: u64 = 50;

/// How good guesses of two kinds were, which are made together of the same things.
#[derive(Debug, Clone, Default)]
pub struct Foretold {
    guesses: u64,
    /// The mean of what came, and its variance.
    mean: f64,
    variance: f64,
    /// The means of the guesses, and how each varies together with what came.
    guess: [f64; 2],
    together: [f64; 2],
    /// Their variances, and how they vary together.
    spread: [f64; 2],
    alike: f64,
}

/// What to make of guesses: what comes is about `offset` and the sum of `slopes` times the guesses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// What comes where the guesses are 0.
    pub offset: f64,
    /// How much of each kind of guess comes, 0 to 1.
    pub slopes: [f64; 2],
    /// The part of the variance of what came that this accounts for, 0 to 1.
    pub part: f64,
    /// How much of it guesses of the first kind alone would not account for.
    pub added: f64,
}

impl Foretold {
    /// Notes what was guessed and what came. Whoever has guesses of one kind only says 0 for the other.
    pub fn note(&mut self, guess: [f64; 2], came: f64) {
        self.guesses += 1;
        let part = (1.0 / self.guesses as f64).max(FADING);
        // Welford's update, with means that fade.
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

    /// How many guesses were noted.
    pub fn guesses(&self) -> u64 {
        self.guesses
    }

    /// What would have been best made of the last thousand or so guesses, by least squares. `None` while there
    /// are few.
    pub fn fit(&self) -> Option<Fit> {
        let varied = self.spread.iter().any(|&spread| spread > 0.0);
        let known = self.guesses >= FEW && self.variance > 0.0 && varied;
        known.then(|| {
            let first = [self.best(0, 0.0), 0.0];
            // The best is within the bounds, or at one of them.
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
        // Nearly the same guesses cannot be told apart.
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

    /// What is made of guesses, each made from what will come.
    fn fit(guess: impl Fn(f64) -> f64) -> Option<Fit> {
        let mut foretold = Foretold::default();
        for turn in 0..2000 {
            let came = f64::from(turn * 7 % 11) / 10.0;
            foretold.note([guess(came), 0.0], came);
        }
        foretold.fit()
    }

    #[test]
    fn good_and_bad_guesses_are_told_apart() {
        let close = |fit: Fit, [offset, slope, part]: [f64; 3]| {
            let off = [fit.offset - offset, fit.slopes[0] - slope, fit.part - part];
            assert!(off.iter().all(|off| off.abs() < 0.02), "{fit:?}");
        };
        close(fit(|came| came).expect("they vary"), [0.0, 1.0, 1.0]);
        // Too much by as much each time, and by twice as much as it should be.
        close(fit(|came| came + 0.3).expect("they vary"), [-0.3, 1.0, 1.0]);
        close(fit(|came| 2.0 * came).expect("they vary"), [0.0, 0.5, 1.0]);
        // The contrary tells nothing: then all that is known is the mean.
        close(fit(|came| 1.0 - came).expect("they vary"), [0.5, 0.0, 0.0]);
        assert_eq!(fit(|_| 0.5), None);
    }

    #[test]
    fn a_guess_that_is_half_chance_is_believed_by_half() {
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
    fn two_kinds_of_guesses_count_for_what_each_adds() {
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
        // What says the same once more adds nothing, nor does the contrary.
        close(fit(|one, _| one), [0.5, 0.0, 0.25 / squares, 0.0]);
        close(fit(|_, two| -two), [0.5, 0.0, 0.25 / squares, 0.0]);
        // Both together say more than one.
        close(
            fit(|one, two| one + two),
            [0.2, 0.3, 0.34 / squares, 0.09 / squares],
        );
    }

    #[test]
    fn of_few_guesses_nothing_is_said() {
        let mut foretold = Foretold::default();
        assert_eq!(foretold.fit(), None);
        for _ in 0..1000 {
            foretold.note([0.5, 0.5], 0.5);
        }
        assert_eq!(foretold.fit(), None, "it never varied");
    }
}
