//! The configuration of a tournament.

use crate::ArenaError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A tournament, as its configuration file describes it.
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
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The name of the tournament, for records.
    pub name: String,
    /// The rulesheets. In a file, paths are relative to its folder.
    pub games: Vec<PathBuf>,
    /// The pairings.
    #[serde(default)]
    pub format: Format,
    /// The seats that a pair of players takes.
    #[serde(default)]
    pub seats: Seats,
    /// The number of rounds. In each, every pair plays every game from all its seats.
    #[serde(default = "one")]
    pub rounds: usize,
    /// The start clock in seconds.
    #[serde(default = "two", alias = "start_clock")]
    pub start_clock: f64,
    /// The play clock in seconds.
    #[serde(default = "half", alias = "play_clock")]
    pub play_clock: f64,
    /// How late answers over HTTP may be, in seconds.
    #[serde(default = "whole")]
    pub grace: f64,
    /// The maximum number of joint moves, after which a match is abandoned.
    #[serde(default = "many", alias = "max_steps")]
    pub max_steps: usize,
    /// The random seed of everything.
    #[serde(default)]
    pub seed: u64,
    /// Whether players over HTTP get scrambled rules: invented names, in another order, for
    /// each match. Players in this process share the referee's engine and never see the rules.
    #[serde(default)]
    pub scramble: bool,
    /// The engine of the referee and of the players in this process.
    #[serde(default = "auto")]
    pub engine: String,
    /// The number of matches side by side; 0 for as many as the cores allow, each match on its
    /// own. [default: 0]
    #[serde(default)]
    pub concurrency: usize,
    /// The sequential test that ends the tournament early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Bounds>,
    /// The players: at least two, or at least one if all games have one role.
    #[serde(rename = "player")]
    pub players: Vec<Entry>,
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    /// The name in records and tables.
    pub name: String,
    /// The kind of player, in the syntax of [`Entrant`](matches::Entrant).
    pub is: String,
    /// The number of search threads.
    #[serde(default = "one")]
    pub threads: usize,
    /// The memory of its search, in MiB.
    #[serde(default = "memory", alias = "memory_mib")]
    pub memory_mib: usize,
}

/// The pairings of a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player meets every other player.
    #[default]
    RoundRobin,
    /// The first player meets every other player.
    Gauntlet,
}

/// The seats that a pair of players takes in a game of several roles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// Each player takes every role alone once, against the other player in all other roles.
    #[default]
    Each,
    /// Every distribution of the roles in which each player has at least one.
    All,
}

/// The hypotheses of a sequential test: is the first player at least `elo1` stronger than the
/// second, or at most `elo0`?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// A difference that is not worth having, in Elo.
    pub elo0: f64,
    /// A difference that is worth having, in Elo.
    pub elo1: f64,
    /// The largest rate at which `elo1` may be accepted if `elo0` holds.
    pub alpha: f64,
    /// The largest rate at which `elo0` may be accepted if `elo1` holds.
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
    /// Reads a tournament from a file. Paths in it are relative to the file's folder.
    ///
    /// # Errors
    /// Fails if the file cannot be read or does not describe a valid tournament.
    pub fn read(path: &Path) -> Result<Self, ArenaError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
        let config = text.and_then(|text| Config::of_text(&text, folder));
        config.map_err(|why| ArenaError::Config {
            path: path.to_path_buf(),
            why,
        })
    }

    /// The tournament that a text describes. Paths in it are relative to `folder`.
    ///
    /// # Errors
    /// Fails if the text does not describe a valid tournament.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, ArenaError> {
        Config::of_text(text, folder).map_err(ArenaError::Invalid)
    }

    fn of_text(text: &str, folder: &Path) -> Result<Self, String> {
        let mut config: Config = toml::from_str(text).map_err(|error| error.to_string())?;
        config.check()?;
        for game in &mut config.games {
            *game = folder.join(&*game);
        }
        Ok(config)
    }

    /// Checks the configuration.
    ///
    /// # Errors
    /// A message that describes the first problem.
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

    /// Whether two configurations describe the same tournament. The number of rounds, the
    /// concurrency and the sequential test may differ, because they may change from one run to
    /// the next.
    pub(crate) fn is_same_as(&self, other: &Config) -> bool {
        let core = |config: &Config| Config {
            rounds: 0,
            concurrency: 0,
            sprt: None,
            // The paths of the games may differ too. Their rules may not, which is checked
            // against the records.
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

/// The name of a game: the file name of its rulesheet without the extension.
pub fn game_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
