//! Watches whether learning goes wrong: weights that diverge, and play that always ends alike.

use heuristics::Weights;

/// Examples and games between two checks.
const EXAMPLES: u64 = 20_000;
const GAMES: u64 = 256;
/// Weights have diverged if predictions are worse than the mean by this factor in log loss.
const DIVERGED: f64 = 2.0;
/// Play has collapsed if results vary less than this, on a scale from 0 to 1.
const COLLAPSED: f64 = 0.01;
/// Predictions are not counted as more certain than this.
const SURE: f64 = 0.999;

/// What a check has found.
#[derive(Debug)]
pub(crate) enum Health {
    /// Nothing wrong.
    Sound,
    /// Weights have diverged; these are the last ones that had not.
    Diverged(Weights),
    /// All games end alike.
    Collapsed,
}

/// Statistics since the last check.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    examples: u64,
    loss: f64,
    /// Results of the examples.
    results: f64,
    games: u64,
    sum: f64,
    squares: f64,
    /// The mean result of the games before.
    mean: f64,
    sound: Option<Weights>,
}

/// The log loss of a prediction.
fn loss(prediction: f64, result: f64) -> f64 {
    let prediction = prediction.clamp(1.0 - SURE, SURE);
    -(result * prediction.ln() + (1.0 - result) * (1.0 - prediction).ln())
}

impl Alarm {
    /// Notes a prediction of the first output, and the result of its game.
    pub fn note(&mut self, prediction: f32, result: f32) {
        self.examples += 1;
        self.loss += loss(f64::from(prediction), f64::from(result));
        self.results += f64::from(result);
    }

    /// Notes the result of a game. Returns the mean of late results.
    pub fn end_of_game(&mut self, result: f32) -> f64 {
        let result = f64::from(result);
        self.games += 1;
        self.sum += result;
        self.squares += result * result;
        match self.games {
            games if games >= GAMES / 4 => self.sum / games as f64,
            _ => self.mean,
        }
    }

    /// Checks whether anything has gone wrong since the last check, if it is time.
    pub fn check(&mut self, weights: &Weights) -> Health {
        if self.examples < EXAMPLES || self.games < GAMES {
            return Health::Sound;
        }
        let count = self.examples as f64;
        let mean = self.results / count;
        let diverged = self.loss / count > DIVERGED * (loss(mean, mean)).max(0.3);
        let games = self.games as f64;
        self.mean = self.sum / games;
        let variance = self.squares / games - self.mean * self.mean;
        let (mean, sound) = (self.mean, self.sound.take());
        *self = Alarm {
            mean,
            ..Alarm::default()
        };
        if diverged {
            // Without sound ones, nothing was learnt yet.
            let mut back = weights.clone();
            back.clear();
            return Health::Diverged(sound.unwrap_or(back));
        }
        self.sound = Some(weights.clone());
        match variance < COLLAPSED {
            true => Health::Collapsed,
            false => Health::Sound,
        }
    }
}
