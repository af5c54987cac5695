//! Rules become a game.

use crate::{Error, Position, Random};
use budget::Budget;
use compile::{Playable, Report};
use prepare::{Options, prepare};
use profile::Profile;
use std::time::Duration;

/// A game on the fastest engine that its rules allow.
///
/// Where the rules cannot be compiled to a network within the budget, the reasoner plays: slower
/// by a factor of hundreds, and always right.
pub struct Game {
    pub(crate) rules: String,
    pub(crate) playable: Playable,
    report: Report,
    roles: Vec<String>,
}

impl Game {
    /// Loads the text of a rulesheet, in ten seconds and 2 GiB at most.
    ///
    /// # Errors
    /// If the text holds no rules, or the rules cannot be played.
    pub fn load(rules: &str) -> Result<Game, Error> {
        let budget = Budget::system().with_timeout(Duration::from_secs(10));
        Game::load_within(rules, &Options::default(), &budget.with_memory(2 << 30))
    }

    /// The same with a choice of the engine, and within a budget.
    ///
    /// # Errors
    /// If the text holds no rules, or the rules cannot be played by that engine within the budget.
    pub fn load_within(rules: &str, options: &Options, budget: &Budget) -> Result<Game, Error> {
        let made = prepare(rules, options, budget)?;
        let roles = made.playable.engine.roles().iter();
        Ok(Game {
            rules: rules.to_owned(),
            roles: roles.map(ToString::to_string).collect(),
            playable: made.playable,
            report: made.report,
        })
    }

    /// The roles in the order of the rules. Moves of a joint move and results come in the same
    /// order.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The engine that plays, and what it was made from.
    pub fn playable(&self) -> Playable {
        self.playable.fork()
    }

    /// How the engine was made, stage by stage.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The position in which play begins.
    pub fn initial(&self) -> Position {
        let engine = self.playable.engine.fork();
        let state = engine.initial();
        Position::new(engine, state)
    }

    /// Random playouts with this seed: hundreds side by side where the rules are compiled, else
    /// one after the other.
    pub fn random(&self, seed: u64) -> Random {
        Random::new(&self.playable, seed)
    }

    /// What kind of game it is, as far as that is found in so much time. `None` if it has no
    /// network.
    pub fn profile(&self, time: Duration) -> Option<Profile> {
        let compiled = self.playable.compiled.clone()?;
        let budget = Budget::system().with_timeout(time);
        Some(Profile::find(compiled, 1, &budget, &mut |_| {}))
    }
}
