//! Settings of `rocinante serve`: flags override the file, and the file overrides the defaults.
//!
//! [`Settings`] represents both the flags and the file; every key is optional, and unknown keys
//! are errors. [`Config`] is the complete configuration that results.

use crate::archive::Plans;
use crate::{options, source, wall};
use anyhow::Context;
use players::Spec;
use prepare::EngineChoice;
use serde::Deserialize;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

/// Settings from flags or from the file. A missing value is not set.
#[derive(Debug, Clone, Default, PartialEq, clap::Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Address to listen on; the default accepts only this machine, 0.0.0.0 accepts everybody
    #[arg(long, value_name = "ADDRESS")]
    pub bind: Option<IpAddr>,
    /// Port to listen on; 0 chooses a free one and prints it [default: 9147]
    #[arg(long)]
    pub port: Option<u16>,
    /// Name that is reported to servers, one word
    #[arg(long)]
    pub name: Option<String>,
    /// The player: default, baseline, random or legal, optionally with options
    /// (default:no-reuse)
    #[arg(long)]
    pub profile: Option<String>,
    /// Engine: auto (the network if it can be built in time) or reasoner
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Search threads [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Memory limit of preparation and search, in MiB
    #[arg(long, value_name = "MIB")]
    pub memory_mib: Option<usize>,
    /// Safety margin: the part of every clock that is left unused, in milliseconds
    #[arg(long, value_name = "MS")]
    pub margin_ms: Option<u64>,
    /// Upper bound of the margin in per cent of the clock
    #[arg(long, value_name = "PERCENT")]
    pub margin_percent: Option<u8>,
    /// Ponder: search while the opponents think; set to false if they share the cores [default:
    /// true]
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub ponder: Option<bool>,
    /// Keep what is found out about games in this file, and use what is there
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Learn nothing before play, and leave the store alone
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub no_learning: Option<bool>,
    /// What became of it is told
    #[arg(long, value_name = "DIR", hide = true)]
    pub plans: Option<Plans>,
    /// Seed of all random choices [default: from the time of day]
    #[arg(long)]
    pub seed: Option<u64>,
    /// Convert all names to lower case, for servers that send everything in upper case
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub fold_case: Option<bool>,
    /// Log level: error, warn, info, debug or trace, or directives such as info,serve=debug
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<String>,
}

impl Settings {
    /// Reads the settings of a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or contains an invalid key or value. The message names
    /// the line.
    pub fn read(path: &Path) -> anyhow::Result<Settings> {
        let text = source::text(path)?;
        toml::from_str(&text).with_context(|| format!("in {}", source::name(path)))
    }

    /// These settings, with missing values taken from `below`.
    pub fn over(self, below: Settings) -> Settings {
        Settings {
            bind: self.bind.or(below.bind),
            port: self.port.or(below.port),
            name: self.name.or(below.name),
            profile: self.profile.or(below.profile),
            engine: self.engine.or(below.engine),
            threads: self.threads.or(below.threads),
            memory_mib: self.memory_mib.or(below.memory_mib),
            margin_ms: self.margin_ms.or(below.margin_ms),
            margin_percent: self.margin_percent.or(below.margin_percent),
            ponder: self.ponder.or(below.ponder),
            store: self.store.or(below.store),
            no_learning: self.no_learning.or(below.no_learning),
            plans: None,
            seed: self.seed.or(below.seed),
            fold_case: self.fold_case.or(below.fold_case),
            log: self.log.or(below.log),
        }
    }
}

/// The complete and valid configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The address to listen on.
    pub bind: IpAddr,
    /// The port to listen on; 0 for a free one.
    pub port: u16,
    /// The name that is reported to servers.
    pub name: String,
    /// The player.
    pub profile: Spec,
    /// The engine.
    pub engine: EngineChoice,
    /// The number of search threads.
    pub threads: usize,
    /// The memory limit in MiB.
    pub memory_mib: usize,
    /// The safety margin: the part of every clock that is left unused, in milliseconds.
    pub margin_ms: u64,
    /// The upper bound of the margin in per cent of the clock.
    pub margin_percent: u8,
    /// Whether the player ponders.
    pub ponder: bool,
    /// The store; `None` to keep nothing.
    pub store: Option<PathBuf>,
    /// Whether nothing is learnt before play.
    pub no_learning: bool,
    /// The seed of all random choices; `None` for one from the time of day.
    pub seed: Option<u64>,
    /// Whether names are converted to lower case.
    pub fold_case: bool,
    /// The log level or directives.
    pub log: String,
}

impl Config {
    /// Fills missing values with defaults, and checks all values.
    ///
    /// # Errors
    /// Fails if a value is invalid.
    pub fn new(settings: Settings) -> anyhow::Result<Config> {
        let engine = match settings.engine.as_deref() {
            None | Some("auto") => EngineChoice::Auto,
            Some("reasoner") => EngineChoice::Reasoner,
            Some(other) => anyhow::bail!("engine {other:?} must be auto or reasoner"),
        };
        let profile = match settings.profile {
            None => Spec::default(),
            Some(text) => text.parse().context("profile")?,
        };
        let config = Config {
            engine,
            bind: settings.bind.unwrap_or(Ipv4Addr::LOCALHOST.into()),
            port: settings.port.unwrap_or(9147),
            name: settings.name.unwrap_or_else(|| "Rocinante".into()),
            profile,
            threads: settings.threads.unwrap_or_else(wall::cores),
            memory_mib: settings.memory_mib.unwrap_or_else(|| options::mib(1024)),
            margin_ms: settings.margin_ms.unwrap_or(1500),
            margin_percent: settings.margin_percent.unwrap_or(20),
            ponder: settings.ponder.unwrap_or(true),
            store: settings.store,
            no_learning: settings.no_learning.unwrap_or(false),
            seed: settings.seed,
            fold_case: settings.fold_case.unwrap_or(false),
            log: settings.log.unwrap_or_else(|| "info".into()),
        };
        let word = |c: char| !c.is_whitespace() && !c.is_control() && !"();".contains(c);
        anyhow::ensure!(
            !config.name.is_empty() && config.name.is_ascii() && config.name.chars().all(word),
            "name {:?} must be one ASCII word without parentheses",
            config.name
        );
        let checked =
            |name, check: Result<(), String>| check.map_err(|why| anyhow::anyhow!("{name}: {why}"));
        checked("threads", options::check_threads(config.threads))?;
        checked("memory-mib", options::check_memory(config.memory_mib))?;
        anyhow::ensure!(
            config.margin_percent < 100,
            "margin-percent must leave some of the clock: at most 99"
        );
        Ok(config)
    }
}

impl fmt::Display for Config {
    /// A commented TOML file that sets every key to its value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = match self.seed {
            Some(seed) => format!("seed = {seed}"),
            None => "# seed = 1".to_string(),
        };
        let text = |text: &str| toml::Value::String(text.into()).to_string();
        let store = match &self.store {
            Some(store) => format!("store = {}", text(&store.to_string_lossy())),
            None => "# store = \"games.store\"".to_string(),
        };
        write!(
            f,
            "\
# Settings of `rocinante serve --config FILE`. Every key may be left out, and every key is also a
# flag (`port` is `--port`); flags go before this file.

# Address to listen on. \"127.0.0.1\" answers only this machine; \"0.0.0.0\" answers everybody, which
# a match server on another machine needs.
bind = {bind}
# Port to listen on. 9147 is what match servers expect; 0 takes a free one.
port = {port}

# Name told to servers that ask; one ASCII word without parentheses.
name = {name}
# Who plays: \"default\" (the best there is), \"baseline\" (plain tree search, to measure against),
# \"random\", or \"legal\" (the first legal move). Options follow a colon: \"default:no-reuse\".
profile = {profile}
# Engine to play on: \"auto\" takes the network if it can be built in time, and the reasoner until
# then; \"reasoner\" takes that alone.
engine = {engine}
# Search threads.
threads = {threads}
# Memory that preparation and search may use, in MiB.
memory-mib = {memory}
# Seed of all random choices. Without one it is taken from the time of day.
{seed}
# File in which is kept what was found out about games before matches: settings that won a race,
# and what positions are worth, for when a game comes again under whatever names. Programs may share
# it. Without it nothing is kept.
{store}
# Learn nothing before play, and leave that file alone.
no-learning = {no_learning}

# Time of every clock that is left unused, in milliseconds, for the network and for a machine
# under load: the answer leaves this long before the clock ends. It never takes more than
# margin-percent of the clock, so that a clock of one second leaves time to think.
margin-ms = {margin}
margin-percent = {percent}

# Think on while the others do: between an answer and the next request. It takes all search threads,
# so players that share this machine's cores should not.
ponder = {ponder}

# Read all names as lower case, for servers that upper-case everything.
fold-case = {fold}

# Log level: error, warn, info, debug or trace, or directives such as \"info,serve=debug\".
log = {log}
",
            bind = text(&self.bind.to_string()),
            port = self.port,
            name = text(&self.name),
            profile = text(&self.profile.to_string()),
            engine = text(self.engine.name()),
            threads = self.threads,
            memory = self.memory_mib,
            margin = self.margin_ms,
            percent = self.margin_percent,
            ponder = self.ponder,
            no_learning = self.no_learning,
            fold = self.fold_case,
            log = text(&self.log),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_configuration_reads_back() {
        let settings = Settings {
            port: Some(1),
            store: Some("some/where".into()),
            no_learning: Some(true),
            name: Some("a\"b".into()),
            seed: Some(7),
            engine: Some("reasoner".into()),
            threads: Some(3),
            profile: Some("default:no-reuse,nodes=9".into()),
            ..Settings::default()
        };
        let config = Config::new(settings).unwrap();
        let read: Settings = toml::from_str(&config.to_string()).unwrap();
        assert_eq!(Config::new(read).unwrap(), config);
    }

    #[test]
    fn flags_override_the_file() {
        let flags = Settings {
            port: Some(1),
            ..Settings::default()
        };
        let file: Settings = toml::from_str("port = 2\nthreads = 5").unwrap();
        let config = Config::new(flags.over(file)).unwrap();
        assert_eq!((config.port, config.threads), (1, 5));
    }

    #[test]
    fn unknown_keys_are_rejected_with_their_line() {
        let error = toml::from_str::<Settings>("port = 2\nprot = 3")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("line 2") && error.contains("prot"),
            "{error}"
        );
    }

    #[test]
    fn invalid_values_are_rejected() {
        for text in [
            "name = \"two words\"",
            "name = \"\"",
            "threads = 0",
            "threads = 5000000",
            "memory-mib = 1",
            "memory-mib = 99999999999",
            "margin-percent = 100",
            "engine = \"steam\"",
            "profile = \"nobody\"",
            "profile = \"default:no-such-thing\"",
        ] {
            let settings: Settings = toml::from_str(text).unwrap();
            assert!(Config::new(settings).is_err(), "{text}");
        }
    }
}
