//! Random playouts.

use crate::{Error, Position};
use budget::Budget;
use compile::Playable;
use game::{Playouts, ScalarPlayouts, Start, Tally};
use prepare::{Effort, Settings, lanes_beside, proved};

/// Joint moves after which a playout is cut.
const MAX_STEPS: usize = 5_000;

/// Makes random playouts from any position of one game.
pub struct Random {
    playouts: Box<dyn Playouts>,
}

impl Random {
    pub(crate) fn new(playable: &Playable, seed: u64) -> Random {
        let budget = Budget::system();
        let settings = Settings {
            seed,
            max_steps: MAX_STEPS,
            ..Settings::default()
        };
        let engine = &*playable.engine;
        let playouts = match playable.compiled.clone() {
            Some(compiled) => {
                let proved = proved(compiled, seed, &budget);
                lanes_beside(engine, Effort::Thorough(&proved), &settings, &budget).0
            }
            None => Box::new(ScalarPlayouts::new(engine.fork(), seed, MAX_STEPS)),
        };
        Random { playouts }
    }

    /// Makes so many playouts from a position, every move uniformly random. With the same seed,
    /// the same calls give the same tallies.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    pub fn run(&mut self, position: &Position, playouts: u64) -> Result<Tally, Error> {
        let start = Start {
            state: position.state(),
            playouts,
        };
        let mut tallies = Vec::new();
        self.playouts
            .run(&[start], &mut tallies, &Budget::system())?;
        Ok(tallies.pop().unwrap_or_default())
    }

    /// What kind of evaluator it is: `lanes` or `scalar`.
    pub fn name(&self) -> &'static str {
        self.playouts.name()
    }
}
