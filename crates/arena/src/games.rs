//! The games of a tournament, with their engines.

use crate::{ArenaError, game_name};
use budget::Budget;
use compile::Playable;
use gdl_parse::Rulesheet;
use parking_lot::Mutex;
use prepare::{EngineChoice, Options, prepare};
use records::Record;
use std::path::Path;
use std::time::Duration;

/// The time limit of preparation, enough for nearly all games. Other games run on the reasoner.
const LONGEST: Duration = Duration::from_secs(10);
/// The time limit of preparation if play must repeat. A game that takes longer is an error on
/// any machine.
const PATIENCE: Duration = Duration::from_secs(300);
const MEMORY: usize = 2 << 30;

/// A game of a tournament.
pub(crate) struct Game {
    pub name: String,
    /// The path of the rulesheet.
    pub path: String,
    /// The text of the rules, as it is recorded.
    pub rules: String,
    pub sheet: Rulesheet,
    pub roles: usize,
    /// Forked for each match.
    playable: Mutex<Playable>,
}

impl Game {
    /// Reads and prepares a game. With `repeatable`, the choice of the engine does not depend
    /// on the speed of the machine.
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
        let (engine, time) = match repeatable {
            true => (engine.repeatable(), PATIENCE),
            false => (engine, LONGEST),
        };
        let options = Options {
            engine,
            ..Options::default()
        };
        let budget = budget.clone().with_timeout(time).with_memory(MEMORY);
        let prepared = prepare(&rules, &options, &budget);
        let prepared = prepared.map_err(|error| wrong(error.to_string()))?;
        Ok(Game {
            name: game_name(path),
            path: path.display().to_string(),
            sheet: prepared.sheet,
            roles: prepared.playable.engine.roles().len(),
            playable: Mutex::new(prepared.playable),
            rules,
        })
    }

    /// Replays a record on the reasoner and checks it against the rules.
    pub fn validate(&self, record: &Record) -> Result<(), String> {
        let options = Options {
            engine: EngineChoice::Reasoner,
            ..Options::default()
        };
        let mut game =
            prepare(&self.rules, &options, &Budget::system()).map_err(|error| error.to_string())?;
        records::validate(record, &mut *game.playable.engine).map_err(|error| error.to_string())
    }

    /// A fork of the game for one match.
    pub fn playable(&self) -> Playable {
        self.playable.lock().fork()
    }
}
