//! What a tournament consists of.

use crate::ArenaError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A tournament, as it is written down.
///
/// ```toml
/// name = "nightly"
/// games = ["games/breakthrough.gdl", "games/nim.gdl"]
/// rounds = 10
///
/// [[player]]
/// name = "new"
/// is = "default"
///
/// [[player]]
/// name = "old"
/// is = "baseline"
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Names the tournament in records.
    pub name: String,
    /// Rulesheets; in a file, relative to its folder.
    pub games: Vec<PathBuf>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// Which seats they take.
    #[serde(default)]
    pub seats: Seats,
    /// How often every pair plays every game from all its seats.
    #[serde(default = "one")]
    pub rounds: usize,
    /// Seconds to prepare.
    #[serde(default = "two")]
    pub start_clock: f64,
    /// Seconds for each move.
    #[serde(default = "half")]
    pub play_clock: f64,
    /// Seconds that answers over HTTP may be late.
    #[serde(default = "whole")]
    pub grace: f64,
    /// Joint moves after which a match is given up.
    #[serde(default = "many")]
    pub max_steps: usize,
    /// Seeds everything.
    #[serde(default)]
    pub seed: u64,
    /// Whether players over HTTP get rules with invented names, in another order, for each match.
    /// Those in this process share the referee's engine and never see the rules.
    #[serde(default)]
    pub scramble: bool,
    /// The referee's engine, and that of players in this process.
    #[serde(default = "auto")]
    pub engine: String,
    /// Matches side by side; 0 for as many as have cores of their own. [default: 0]
    #[serde(default)]
    pub concurrency: usize,
    /// The test that ends the tournament early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Bounds>,
    /// Who plays. At least two, or one in games of one role.
    #[serde(rename = "player")]
    pub players: Vec<Entry>,
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is called in records and tables.
    pub name: String,
    /// What it is, as [`Entrant`](matches::Entrant) reads it.
    pub is: String,
    /// Search threads.
    #[serde(default = "one")]
    pub threads: usize,
    /// Memory of its search, in MiB.
    #[serde(default = "memory")]
    pub memory_mib: usize,
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets everybody else.
    Gauntlet,
}

/// Which seats a pair of players takes in a game of several roles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// Each player has every role once for itself, the other player all others.
    #[default]
    Each,
    /// Every way to share the roles, so that each player has at least one.
    All,
}

/// The question of a sequential test: is the first player at least `elo1` stronger than the
/// second, or at most `elo0`?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// A difference that is not worth having.
    pub elo0: f64,
    /// A difference that is.
    pub elo1: f64,
    /// How often `elo0` may be taken for `elo1`.
    pub alpha: f64,
    /// How often `elo1` may be taken for `elo0`.
    pub beta: f64,
}

fn one() -> usize {
    1
}
fn two() -> f64 {
    2.0
}
fn half() -> f64 {
    0.5
}
fn whole() -> f64 {
    1.0
}
fn many() -> usize {
    10_000
}
fn auto() -> String {
    "auto".into()
}
fn memory() -> usize {
    256
}

impl Config {
    /// Reads a tournament from a file. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// If the file cannot be read or does not describe a tournament.
    pub fn read(path: &Path) -> Result<Self, ArenaError> {
        let mut config = Config::read_as_is(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for game in &mut config.games {
            *game = folder.join(&*game);
        }
        Ok(config)
    }

    /// Reads a tournament, paths as they are.
    pub(crate) fn read_as_is(path: &Path) -> Result<Self, ArenaError> {
        let unusable = |why: String| ArenaError::Config {
            path: path.to_path_buf(),
            why,
        };
        let text = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
        let config: Config = toml::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        config.check().map_err(unusable)?;
        Ok(config)
    }

    /// What does not make sense, if anything.
    ///
    /// # Errors
    /// What is wrong, for people.
    pub fn check(&self) -> Result<(), String> {
        if self.games.is_empty() {
            return Err("there are no games".into());
        }
        if self.players.is_empty() {
            return Err("there are no players".into());
        }
        let mut names = BTreeSet::new();
        for player in &self.players {
            if player.name.is_empty() || !names.insert(&player.name) {
                return Err(format!(
                    "players need names of their own; {:?} is none",
                    player.name
                ));
            }
            if player.threads == 0 {
                return Err(format!("{} has no thread to search with", player.name));
            }
        }
        let mut games = BTreeSet::new();
        for game in &self.games {
            if !games.insert(game_name(game)) {
                return Err(format!("two games are called {}", game_name(game)));
            }
        }
        for (name, clock) in [
            ("start_clock", self.start_clock),
            ("play_clock", self.play_clock),
            ("grace", self.grace),
        ] {
            Duration::try_from_secs_f64(clock).map_err(|error| format!("{name}: {error}"))?;
        }
        if let Some(bounds) = self.sprt {
            if self.players.len() != 2 {
                return Err("a sequential test compares two players".into());
            }
            rating::Sprt::new(bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The same tournament but for how long it goes on and how many matches run side by side:
    /// these may change from one run to the next.
    pub(crate) fn is_same_as(&self, other: &Config) -> bool {
        let core = |config: &Config| Config {
            rounds: 0,
            concurrency: 0,
            sprt: None,
            // Where they lie may change too; their rules may not, which records tell.
            games: config
                .games
                .iter()
                .map(|path| game_name(path).into())
                .collect(),
            ..config.clone()
        };
        core(self) == core(other)
    }
}

/// What a game is called: its file's name without the ending.
pub fn game_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
