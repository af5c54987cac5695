//! The players' processes, and the games that they play.

use super::game;
use ::matches::{Launch, Process};
use anyhow::{Context, ensure};
use budget::Budget;
use compile::Playable;
use players::Spec;
use std::path::PathBuf;
use std::time::Duration;

/// How long a process may take until it listens on its port.
const LISTEN: Duration = Duration::from_secs(30);

/// What a process may take beside its memory limit, in MiB: code, stacks, buffers of messages.
const BESIDE_MIB: u64 = 32;

/// What the players' processes are, for every test that starts them.
#[derive(Debug, Clone, clap::Args)]
pub struct Serving {
    /// The binary [default: `rocinante` beside this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The player; it plays against itself
    #[arg(long, default_value = "default")]
    player: Spec,
    /// Share of each clock that the players use, in per cent
    #[arg(long = "use", value_name = "PERCENT", default_value_t = 20)]
    part: u64,
    /// Memory limit of each player
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    memory_mib: u64,
    /// Maximum growth of a process between the second and the last tenth of the matches
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    growth_mib: u64,
}

impl Serving {
    /// Checks the options.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!((1..=99).contains(&self.part), "--use is 1 to 99");
        Ok(())
    }

    /// The maximum growth of a process, in bytes.
    pub fn growth(&self) -> u64 {
        self.growth_mib * super::MIB
    }

    /// The memory that a process may take, in bytes: its limit, and what a program takes beside
    /// its search.
    pub fn memory(&self) -> u64 {
        (self.memory_mib + BESIDE_MIB) * super::MIB
    }

    /// The binary.
    ///
    /// # Errors
    /// Fails if this program does not know where it is.
    pub fn program(&self) -> anyhow::Result<PathBuf> {
        if let Some(program) = &self.program {
            return Ok(program.clone());
        }
        let own = std::env::current_exe().context("this program is nowhere")?;
        Ok(own.with_file_name(format!("rocinante{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Starts the process of the player with this number.
    ///
    /// # Errors
    /// Fails if it does not listen.
    pub fn launch(&self, number: usize) -> anyhow::Result<Process> {
        let words = ["serve", "--while-stdin", "--port", "0", "--log", "error"];
        let mut arguments = words.map(String::from).to_vec();
        for (flag, value) in [
            ("--profile", self.player.to_string()),
            ("--threads", "1".into()),
            ("--memory-mib", self.memory_mib.to_string()),
            // So large that the percentage alone determines the margin.
            ("--margin-ms", "1000000000".into()),
            ("--margin-percent", (100 - self.part).to_string()),
            ("--ponder", "true".into()),
            ("--seed", (number + 1).to_string()),
        ] {
            arguments.extend([flag.to_string(), value]);
        }
        let launch = Launch {
            program: self.program()?.to_string_lossy().into_owned(),
            arguments,
        };
        Process::start(&launch, LISTEN)
            .context("no player; `cargo build --release --bin rocinante` makes one")
    }
}

/// A game that is played.
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its rules, as players receive them.
    pub rules: String,
    /// The referee's engine.
    pub playable: Playable,
}

impl Table {
    /// The game of this name.
    ///
    /// # Errors
    /// Fails if there is none, or it cannot be read or played.
    pub fn new(name: &str) -> anyhow::Result<Table> {
        let game = game(name)?;
        let rules = std::fs::read_to_string(&game.path)
            .with_context(|| format!("cannot read {}", game.path.display()))?;
        let options = prepare::Options {
            engine: prepare::EngineChoice::Reasoner,
            ..Default::default()
        };
        let prepared = prepare::prepare(&rules, &options, &Budget::system())?;
        Ok(Table {
            name: game.name,
            rules,
            playable: prepared.playable,
        })
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.playable.engine.roles().len()
    }
}

/// The tables of these games.
///
/// # Errors
/// Fails if one of them cannot be made.
pub fn tables(names: &[String]) -> anyhow::Result<Vec<Table>> {
    names.iter().map(|name| Table::new(name)).collect()
}
