//! Players by their textual names, and players ready to be seated.

use crate::{
    Address, Launch, LaunchError, Local, Participant, Process, Remote, Resources, Spawned, Watch,
};
use budget::Budget;
use compile::Playable;
use gdl_scramble::Mapping;
use players::{Archive, Spec, SpecError};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// How long a process may take until it listens on its port.
const LISTEN: Duration = Duration::from_secs(30);

/// A player as it is named in commands and tournament files.
///
/// | text | player |
/// |---|---|
/// | `baseline`, `default:playouts=300` | a player in this process, see [`Spec`] |
/// | `process:SPEC` | the same player in another process of this program |
/// | `exec:COMMAND` | any program, by its command; `{port}` in it is the port to listen on |
/// | `http://host:port` | a remote player that already listens |
#[derive(Debug, Clone)]
pub enum Entrant {
    /// A player in this process.
    Here(Spec),
    /// A player in another process of this program.
    Process(Spec),
    /// Another program, by its command.
    Exec(String, Launch),
    /// A remote player that already listens.
    Remote(Address),
}

impl FromStr for Entrant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let spec = |text: &str| text.parse().map_err(|error: SpecError| error.to_string());
        if let Some(text) = text.strip_prefix("process:") {
            spec(text).map(Entrant::Process)
        } else if let Some(command) = text.strip_prefix("exec:") {
            let launch = Launch::parse(command).map_err(|error| error.to_string())?;
            Ok(Entrant::Exec(command.to_string(), launch))
        } else if text.contains("://") {
            text.parse().map(Entrant::Remote)
        } else {
            spec(text).map(Entrant::Here)
        }
    }
}

impl Entrant {
    /// Whether its moves repeat from match to match, given the same seed, the same engine and a
    /// stopped clock. True for a player in this process that does not search, or that searches
    /// with a fixed budget on one thread.
    pub fn repeats(&self, threads: usize) -> bool {
        let here = |spec: &Spec| spec.repeats() && (threads == 1 || !spec.searches());
        matches!(self, Entrant::Here(spec) if here(spec))
    }

    /// The number of threads that it searches with when it is offered `given` threads. The
    /// specification of a player of this program can override the number.
    pub fn threads(&self, given: usize) -> usize {
        match self {
            Entrant::Here(spec) | Entrant::Process(spec) => spec.threads().unwrap_or(given),
            _ => given,
        }
    }

    /// The same player without what it would learn before play, if it is of this program.
    pub fn without_knowledge(self) -> Entrant {
        match self {
            Entrant::Here(spec) => Entrant::Here(spec.without_knowledge()),
            Entrant::Process(spec) => Entrant::Process(spec.without_knowledge()),
            other => other,
        }
    }

    /// Prepares the player to be seated, in one match after the other. Starts its process if it
    /// has one.
    ///
    /// `seed` goes to a process of this program. Players in this process get a seed from each
    /// match.
    ///
    /// # Errors
    /// Fails if the process does not begin to listen.
    pub fn ready(&self, resources: Resources, seed: u64) -> Result<Ready, LaunchError> {
        let kind = match self {
            Entrant::Here(spec) => Kind::Here(spec.clone(), resources),
            Entrant::Remote(address) => Kind::Remote(address.clone()),
            Entrant::Process(spec) => {
                let program = std::env::current_exe()
                    .map_err(|error| LaunchError::Run("this program".into(), error))?;
                let Resources { threads, memory } = resources;
                let launch = Launch::rocinante(&program, &spec.to_string(), threads, memory, seed);
                let process = Process::start(&launch, LISTEN)?;
                Kind::Process(format!("process:{spec}"), process)
            }
            Entrant::Exec(command, launch) => {
                let process = Process::start(launch, LISTEN)?;
                Kind::Process(format!("exec:{command}"), process)
            }
        };
        Ok(Ready(kind))
    }
}

/// A player that is ready to be seated. Dropping it ends its process, if it has one.
pub struct Ready(Kind);

enum Kind {
    Here(Spec, Resources),
    Remote(Address),
    /// The name in records, and the process.
    Process(String, Process),
}

/// What a seated player needs to know about the match.
pub struct Table<'a> {
    /// The game, for players in this process.
    pub playable: &'a Playable,
    /// The rules as they are sent to all other players.
    pub wire: &'a str,
    /// The mapping between the referee's names and those in `wire`, if the rules are scrambled.
    pub mapping: Option<&'a Mapping>,
    /// How late answers over HTTP may be.
    pub grace: Duration,
    /// Where players in this process keep what they find out about games, if they do.
    pub archive: Option<&'a Arc<dyn Archive>>,
    /// The budget of the match.
    pub budget: &'a Budget,
    /// What to tell of the thoughts of players in this process while they think, if anything.
    pub watch: Option<&'a Watch>,
}

impl Ready {
    /// Seats the player in a match.
    pub fn seat(&self, table: &Table<'_>) -> Box<dyn Participant> {
        let remote = |address| {
            let (wire, mapping) = (table.wire.to_string(), table.mapping.cloned());
            Remote::new(address, wire, mapping, table.grace, table.budget)
        };
        match &self.0 {
            Kind::Here(spec, resources) => {
                let playable = table.playable.fork();
                let player = spec.build_with(table.archive.cloned());
                let local = Local::new(player, playable, *resources, table.budget);
                Box::new(local.with_watch(table.watch.cloned()))
            }
            Kind::Remote(address) => Box::new(remote(address.clone())),
            Kind::Process(name, process) => {
                let remote = remote(process.address());
                Box::new(Spawned::new(name.clone(), process.clone(), remote))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_parsed() {
        let process = match "process:baseline:playouts=3".parse() {
            Ok(Entrant::Process(spec)) => spec.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(process, "baseline:playouts=3");
        let Ok(Entrant::Exec(command, launch)) = "exec:run it --port {port}".parse() else {
            panic!("a command");
        };
        assert_eq!(command, "run it --port {port}");
        assert_eq!((&*launch.program, launch.arguments.len()), ("run", 3));
        for text in ["exec:", "deep", "http://", "process", "process:deep"] {
            assert!(text.parse::<Entrant>().is_err(), "{text}");
        }
    }
}
