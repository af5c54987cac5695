//! The games of a tournament, ready to be played.

use crate::{ArenaError, game_name};
use budget::Budget;
use game::Engine;
use gdl_parse::Rulesheet;
use parking_lot::Mutex;
use prepare::{EngineChoice, Options, PrepareError, prepare};
use std::path::Path;
use std::time::Duration;

/// Long enough for nearly all games; others are played straight from the rules.
const LONGEST: Duration = Duration::from_secs(10);
const MEMORY: usize = 2 << 30;

/// A game.
pub(crate) struct Game {
    pub name: String,
    /// Where it came from.
    pub path: String,
    /// Its rules as they are recorded.
    pub rules: String,
    pub sheet: Rulesheet,
    pub roles: usize,
    /// Forked for each match.
    engine: Mutex<Box<dyn Engine>>,
}

impl Game {
    /// Reads and prepares a game. `repeatable` asks for an engine whose choice does not depend on
    /// how fast the machine is today.
    pub fn load(
        path: &Path,
        engine: EngineChoice,
        repeatable: bool,
        budget: &Budget,
    ) -> Result<Self, ArenaError> {
        let wrong = |why: String| ArenaError::Game {
            path: path.to_path_buf(),
            why,
        };
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let rules = String::from_utf8_lossy(&bytes).into_owned();
        let make = |engine| {
            let budget = budget.clone().with_timeout(LONGEST).with_memory(MEMORY);
            let options = Options {
                engine,
                ..Options::default()
            };
            prepare(&rules, &options, &budget)
        };
        let prepared = match (engine, repeatable) {
            (EngineChoice::Auto, true) => match make(EngineChoice::Propnet) {
                Err(PrepareError::Network(_)) => make(EngineChoice::Reasoner),
                other => other,
            },
            _ => make(engine),
        };
        let prepared = prepared.map_err(|error| wrong(error.to_string()))?;
        Ok(Game {
            name: game_name(path),
            path: path.display().to_string(),
            sheet: prepared.sheet,
            roles: prepared.engine.roles().len(),
            engine: Mutex::new(prepared.engine),
            rules,
        })
    }

    /// An engine for one match.
    pub fn engine(&self) -> Box<dyn Engine> {
        self.engine.lock().fork()
    }
}
