//! Matches between players in this process.

use crate::{Error, Game};
use budget::Budget;
use matches::{Local, Outcome, Participant, Resources, Settings};
use players::{Player, Spec};
use std::time::Duration;

/// What each player may use.
const RESOURCES: Resources = Resources {
    threads: 1,
    memory: 256 << 20,
};

impl Game {
    /// A whole match between these players, one for each role in order, with so much time for
    /// each move and to prepare.
    ///
    /// # Errors
    /// If there is not one player for each role.
    pub fn play(&self, players: &[Spec], time: Duration) -> Result<Outcome, Error> {
        self.play_with(players.iter().map(Spec::build).collect(), time)
    }

    /// The same with players of any kind, your own among them.
    ///
    /// # Errors
    /// If there is not one player for each role.
    pub fn play_with(
        &self,
        players: Vec<Box<dyn Player>>,
        time: Duration,
    ) -> Result<Outcome, Error> {
        let budget = Budget::system();
        let local = |player| -> Box<dyn Participant> {
            Box::new(Local::new(player, self.playable(), RESOURCES, &budget))
        };
        let mut seats: Vec<Box<dyn Participant>> = players.into_iter().map(local).collect();
        let settings = Settings {
            rulesheet: self.rules.clone(),
            start_clock: time,
            play_clock: time,
            ..Settings::default()
        };
        let mut engine = self.playable.engine.fork();
        Ok(matches::play(
            &mut *engine,
            &mut seats,
            &settings,
            &mut (),
            &budget,
        )?)
    }
}
