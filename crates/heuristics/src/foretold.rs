//! How much of what came was foretold.

/// The part of a new guess in the means, once there are many, so that what is long past is forgotten.
const FADING: f64 = 1e-3;
/// Guesses before anything is said of them.
const FEW: u64 = 50;

/// How good guesses were.
#[derive(Debug, Clone, Default)]
pub struct Foretold {
    guesses: u64,
    /// The mean square of the errors.
    error: f64,
    /// The mean of what came, and its variance.
    mean: f64,
    variance: f64,
}

impl Foretold {
    /// Notes what was guessed and what came.
    pub fn note(&mut self, guess: f64, came: f64) {
        self.guesses += 1;
        let part = (1.0 / self.guesses as f64).max(FADING);
        self.error += ((guess - came).powi(2) - self.error) * part;
        let far = came - self.mean;
        self.mean += far * part;
        // Welford's update, with means that fade.
        self.variance = (1.0 - part) * (self.variance + part * far * far);
    }

    /// The part of the variance of the last thousand or so that guesses accounted for: 1 if they were
    /// right, less than 0 if it had been better to guess the mean. `None` while there are few.
    pub fn part(&self) -> Option<f64> {
        let known = self.guesses >= FEW && self.variance > 0.0;
        known.then(|| 1.0 - self.error / self.variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part that guesses account for, each made from what will come.
    fn part(guess: impl Fn(f64) -> f64) -> f64 {
        let mut foretold = Foretold::default();
        for turn in 0..2000 {
            let came = f64::from(turn * 7 % 11) / 10.0;
            foretold.note(guess(came), came);
        }
        foretold.part().expect("there are many")
    }

    #[test]
    fn good_and_bad_guesses_are_told_apart() {
        assert_eq!(part(|came| came), 1.0);
        assert!(part(|_| 0.5).abs() < 0.02, "{}", part(|_| 0.5));
        assert!(part(|came| 1.0 - came) < -2.0);
        // Half way between the mean and the truth a quarter of the variance is left.
        let half = part(|came| 0.25 + came / 2.0);
        assert!((half - 0.75).abs() < 0.02, "{half}");
    }

    #[test]
    fn of_few_guesses_nothing_is_said() {
        let mut foretold = Foretold::default();
        assert_eq!(foretold.part(), None);
        for _ in 0..1000 {
            foretold.note(0.5, 0.5);
        }
        assert_eq!(foretold.part(), None, "it never varied");
    }
}
