//! How much of what came was foretold, and what to make of guesses.

/// The part of a new guess in the means, once there are many, so that what is long past is forgotten.
const FADING: f64 = 1e-3;
/// Guesses before anything is said of them.
const FEW: u64 = 50;

/// How good guesses were.
#[derive(Debug, Clone, Default)]
pub struct Foretold {
    guesses: u64,
    /// The mean of what came, and its variance.
    mean: f64,
    variance: f64,
    /// The same of the guesses, and how both vary together.
    guess: f64,
    spread: f64,
    together: f64,
}

/// What to make of guesses: what comes is about `offset` and `slope` times the guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// What comes where the guess is 0.
    pub offset: f64,
    /// How much of a guess comes, 0 to 1.
    pub slope: f64,
    /// The part of the variance of what came that this accounts for, 0 to 1.
    pub part: f64,
}

impl Foretold {
    /// Notes what was guessed and what came.
    pub fn note(&mut self, guess: f64, came: f64) {
        self.guesses += 1;
        let part = (1.0 / self.guesses as f64).max(FADING);
        let (far, wide) = (came - self.mean, guess - self.guess);
        self.mean += far * part;
        self.guess += wide * part;
        // Welford's update, with means that fade.
        let update = |old: f64, square: f64| (1.0 - part) * (old + part * square);
        self.variance = update(self.variance, far * far);
        self.spread = update(self.spread, wide * wide);
        self.together = update(self.together, far * wide);
    }

    /// What would have been best made of the last thousand or so guesses, by least squares. `None` while there
    /// are few.
    pub fn fit(&self) -> Option<Fit> {
        let known = self.guesses >= FEW && self.variance > 0.0 && self.spread > 0.0;
        known.then(|| {
            let slope = (self.together / self.spread).clamp(0.0, 1.0);
            let left = self.variance - slope * (2.0 * self.together - slope * self.spread);
            Fit {
                offset: self.mean - slope * self.guess,
                slope,
                part: (1.0 - left / self.variance).max(0.0),
            }
        })
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
            foretold.note(guess(came), came);
        }
        foretold.fit()
    }

    #[test]
    fn good_and_bad_guesses_are_told_apart() {
        let close = |fit: Fit, [offset, slope, part]: [f64; 3]| {
            let off = [fit.offset - offset, fit.slope - slope, fit.part - part];
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
            foretold.note(guess, came);
        }
        let fit = foretold.fit().expect("there are many");
        assert!(
            (fit.slope - 0.5).abs() < 0.02 && (fit.part - 0.5).abs() < 0.02,
            "{fit:?}"
        );
    }

    #[test]
    fn of_few_guesses_nothing_is_said() {
        let mut foretold = Foretold::default();
        assert_eq!(foretold.fit(), None);
        for _ in 0..1000 {
            foretold.note(0.5, 0.5);
        }
        assert_eq!(foretold.fit(), None, "it never varied");
    }
}
