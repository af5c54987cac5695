//! The speed of playouts of three games, in the ways that they can be made.

use budget::Budget;
use game::EngineError;
use prepare::{Lanes, PrepareError, Settings, evaluator, measure};
use serde::Serialize;
use std::time::Duration;

/// The games, with the texts of their rules: a small, a middling and a larger one.
pub const GAMES: [(&str, &str); 3] = [
    (
        "tic-tac-toe",
        include_str!("../../../fixtures/games/tic_tac_toe.gdl"),
    ),
    (
        "connect four",
        include_str!("../../../fixtures/games/connect_four.gdl"),
    ),
    (
        "breakthrough",
        include_str!("../../../fixtures/games/breakthrough.gdl"),
    ),
];

/// Why a speed could not be measured.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SpeedError {
    /// There is no such evaluator.
    #[error("{0}")]
    Evaluator(String),
    /// The game could not be prepared.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The rules could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// States in a second in random playouts of one game, on one thread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speed {
    /// The game.
    pub game: String,
    /// Playouts in lanes, in machine code where this machine runs it.
    pub lanes: f64,
    /// Playouts in lanes, by an interpreter of the same programs.
    pub interpreted: f64,
    /// One playout after the other.
    pub scalar: f64,
}

impl Speed {
    /// Measures a game, each way of playing for this long.
    ///
    /// # Errors
    /// If the game cannot be played.
    pub fn measure(
        name: &str,
        rules: &str,
        time: Duration,
        budget: &Budget,
    ) -> Result<Speed, SpeedError> {
        let interpreted = Settings {
            lanes: Lanes::Interpreted,
            ..Settings::default()
        };
        Ok(Speed {
            game: name.to_owned(),
            lanes: rate("lanes", rules, &Settings::default(), time, budget)?,
            interpreted: rate("lanes", rules, &interpreted, time, budget)?,
            scalar: rate("scalar", rules, &Settings::default(), time, budget)?,
        })
    }

    /// How many times faster machine code is than the interpreter.
    pub fn by_machine_code(&self) -> f64 {
        self.lanes / self.interpreted.max(1.0)
    }

    /// How many times faster playouts in lanes are than one after the other.
    pub fn by_lanes(&self) -> f64 {
        self.lanes / self.scalar.max(1.0)
    }
}

/// States in a second.
fn rate(
    name: &str,
    rules: &str,
    settings: &Settings,
    time: Duration,
    budget: &Budget,
) -> Result<f64, SpeedError> {
    budget.begins("measuring playouts");
    let evaluator = evaluator(name).map_err(SpeedError::Evaluator)?;
    let mut simulator = evaluator.make(rules, settings, budget)?;
    let played = measure(&mut simulator, time, u64::MAX, budget, &mut |_| ())?;
    Ok(played.steps as f64 / played.time.as_secs_f64().max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_playing_is_measured() {
        let (name, rules) = GAMES[0];
        let time = Duration::from_millis(5);
        let speed = Speed::measure(name, rules, time, &Budget::system()).expect("our own rules");
        assert_eq!(speed.game, name);
        for rate in [speed.lanes, speed.interpreted, speed.scalar] {
            assert!(rate > 0.0, "{speed:?}");
        }
        assert!(speed.by_lanes() > 0.0 && speed.by_machine_code() > 0.0);
    }

    #[test]
    fn what_cannot_be_played_is_an_error() {
        let time = Duration::from_millis(1);
        let error = Speed::measure("nothing", "", time, &Budget::system());
        assert!(matches!(error, Err(SpeedError::Prepare(_))), "{error:?}");
    }
}
