//! Players as people write them, and ready to take a seat.

use crate::{
    Address, Launch, LaunchError, Local, Participant, Process, Remote, Resources, Spawned,
};
use budget::Budget;
use compile::Playable;
use gdl_scramble::Mapping;
use players::{Plans, Spec, SpecError};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// How long a process may take until it listens.
const LISTEN: Duration = Duration::from_secs(30);

/// A player, as it is named in commands and tournaments.
///
/// | text | who that is |
/// |---|---|
/// | `baseline`, `default:playouts=300` | one in this process: a [`Spec`] |
/// | `process:SPEC` | the same in another process of this program |
/// | `exec:COMMAND` | any program, by its command; `{port}` in it stands for the port to listen on |
/// | `http://host:port` | one that listens already |
#[derive(Debug, Clone)]
pub enum Entrant {
    /// One in this process.
    Here(Spec),
    /// One in another process of this program.
    Process(Spec),
    /// Another program, by its command.
    Exec(String, Launch),
    /// One that listens already.
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
    /// Whether it plays the same in every match of the same seed, on a clock that stands still and
    /// on the same engine: it is here, and does not search or has a fixed budget and one
    /// thread.
    pub fn repeats(&self, threads: usize) -> bool {
        let here = |spec: &Spec| spec.repeats() && (threads == 1 || !spec.searches());
        matches!(self, Entrant::Here(spec) if here(spec))
    }

    /// With how many threads it searches if it is given so many: players of this program may say so
    /// themselves.
    pub fn threads(&self, given: usize) -> usize {
        match self {
            Entrant::Here(spec) | Entrant::Process(spec) => spec.threads().unwrap_or(given),
            _ => given,
        }
    }

    /// Makes it ready to be seated, at one match after the other; starts its process, if it is one.
    /// `seed` is for such a process of this program; players in this one are seeded by each match.
    ///
    /// # Errors
    /// If its process does not begin to listen.
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

/// A player that is ready to be seated. Its process, if it is one, ends with it.
pub struct Ready(Kind);

enum Kind {
    Here(Spec, Resources),
    Remote(Address),
    /// With the name that it has in records.
    Process(String, Process),
}

/// What those seated at a match must know of it.
pub struct Table<'a> {
    /// The game, for those in this process.
    pub playable: &'a Playable,
    /// The rules as the others are sent them.
    pub wire: &'a str,
    /// How names differ there.
    pub mapping: Option<&'a Mapping>,
    /// How late answers over HTTP may be.
    pub grace: Duration,
    /// Where those in this process keep plans, if they do.
    pub plans: Option<&'a Arc<dyn Plans>>,
    /// The budget of the match.
    pub budget: &'a Budget,
}

impl Ready {
    /// Takes a seat.
    pub fn seat(&self, table: &Table<'_>) -> Box<dyn Participant> {
        let remote = |address| {
            let (wire, mapping) = (table.wire.to_string(), table.mapping.cloned());
            Remote::new(address, wire, mapping, table.grace, table.budget)
        };
        match &self.0 {
            Kind::Here(spec, resources) => {
                let playable = table.playable.fork();
                let player = spec.build_with(table.plans.cloned());
                Box::new(Local::new(player, playable, *resources, table.budget))
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
    fn players_are_named_in_words() {
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
