//! Who plays: players as they are named on the command line, and seated for a match.

use crate::human::Human;
use anyhow::Context;
use budget::{Budget, Stop};
use game::Engine;
use gdl_scramble::Mapping;
use matches::{Address, Launch, Local, Participant, Process, Remote, Resources, Spawned};
use players::{Spec, SpecError};
use std::time::Duration;

/// How long a process may take until it listens.
const LISTEN: Duration = Duration::from_secs(30);

/// A player as it is named on the command line.
#[derive(Debug, Clone)]
pub enum Who {
    /// One in this process.
    Player(Spec),
    /// Whoever sits at the keyboard.
    Human,
    /// One that listens already.
    Remote(Address),
    /// One in another process of this program.
    Process(Spec),
    /// Another program, by its command.
    Exec(String, Launch),
}

/// For the help.
pub const KINDS: &str = "human, http://HOST:PORT, process:PLAYER for a player in another process \
                         of this program, exec:COMMAND for any program, with {port} where its port belongs";

impl std::str::FromStr for Who {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "human" {
            Ok(Who::Human)
        } else if let Some(spec) = text.strip_prefix("process:") {
            let spec: Result<Spec, SpecError> = spec.parse();
            spec.map(Who::Process).map_err(|error| error.to_string())
        } else if let Some(command) = text.strip_prefix("exec:") {
            let launch = Launch::parse(command).map_err(|error| error.to_string())?;
            Ok(Who::Exec(command.to_string(), launch))
        } else if text.contains("://") {
            text.parse().map(Who::Remote)
        } else {
            let spec: Result<Spec, SpecError> = text.parse();
            spec.map(Who::Player)
                .map_err(|error| format!("{error} (or {KINDS})"))
        }
    }
}

/// Players for as many matches as there will be, their processes running.
pub struct Bench {
    seats: Vec<Seat>,
    stop: Stop,
    resources: Resources,
    grace: Duration,
}

/// A player that is ready to be seated.
enum Seat {
    Here(Spec),
    Human,
    Remote(Address),
    /// With the name that it has in records.
    Process(String, Process),
}

/// What those seated at a match must know of it.
pub struct Game<'a> {
    /// The engine of those in this process.
    pub engine: &'a dyn Engine,
    /// The rules as the others are sent them.
    pub wire: &'a str,
    /// How names differ there.
    pub mapping: Option<&'a Mapping>,
    /// The budget of the match.
    pub budget: &'a Budget,
}

impl Bench {
    /// Starts the processes of those players that are some. `stop` calls matches off; `grace` is how
    /// late answers over HTTP may be.
    ///
    /// # Errors
    /// If a process does not begin to listen.
    pub fn new(
        players: Vec<Who>,
        stop: &Stop,
        resources: Resources,
        grace: Duration,
        seed: u64,
    ) -> anyhow::Result<Bench> {
        let mut seats = Vec::new();
        for (at, who) in players.into_iter().enumerate() {
            seats.push(match who {
                Who::Player(spec) => Seat::Here(spec),
                Who::Human => Seat::Human,
                Who::Remote(address) => Seat::Remote(address),
                Who::Process(spec) => {
                    let program = std::env::current_exe().context("cannot find this program")?;
                    let (threads, memory) = (resources.threads, resources.memory);
                    let seed = seed.wrapping_add(at as u64);
                    let name = spec.to_string();
                    let launch = Launch::rocinante(&program, &name, threads, memory, seed);
                    let process = Process::start(&launch, LISTEN)?;
                    Seat::Process(format!("process:{spec}"), process)
                }
                Who::Exec(command, launch) => {
                    let process = Process::start(&launch, LISTEN)?;
                    Seat::Process(format!("exec:{command}"), process)
                }
            });
        }
        Ok(Bench {
            seats,
            stop: stop.clone(),
            resources,
            grace,
        })
    }

    /// The number of players.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether a match between them is the same every time, with the same seed and on a clock that
    /// stands still: all of them are here and have fixed budgets on one thread.
    pub fn repeats(&self) -> bool {
        let fixed = |seat: &Seat| matches!(seat, Seat::Here(spec) if spec.repeats());
        self.resources.threads == 1 && self.seats.iter().all(fixed)
    }

    /// The participants of a match in the order of its roles, each player `shift` roles further than
    /// in the order in which they were given.
    pub fn seat(&self, shift: usize, game: &Game<'_>) -> Vec<Box<dyn Participant>> {
        let seat = |role| &self.seats[player_of(role, shift, self.len())];
        let roles = 0..self.len();
        roles
            .map(|role| self.participant(seat(role), game))
            .collect()
    }

    fn participant(&self, seat: &Seat, game: &Game<'_>) -> Box<dyn Participant> {
        let remote = |address| {
            let (wire, mapping) = (game.wire.to_string(), game.mapping.cloned());
            Remote::new(address, wire, mapping, self.grace, game.budget)
        };
        match seat {
            Seat::Here(spec) => {
                let engine = game.engine.fork();
                let player = spec.build();
                Box::new(Local::new(player, engine, self.resources, game.budget))
            }
            Seat::Human => Box::new(Human::new(self.stop.clone())),
            Seat::Remote(address) => Box::new(remote(address.clone())),
            Seat::Process(name, process) => {
                let remote = remote(process.address());
                Box::new(Spawned::new(name.clone(), process.clone(), remote))
            }
        }
    }
}

/// The player that has a role when all are shifted by so many roles.
pub fn player_of(role: usize, shift: usize, roles: usize) -> usize {
    (role + roles - shift % roles) % roles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_players_have_all_roles_in_turn() {
        assert_eq!([0, 1, 2].map(|role| player_of(role, 0, 3)), [0, 1, 2]);
        assert_eq!([0, 1, 2].map(|role| player_of(role, 1, 3)), [2, 0, 1]);
        assert_eq!([0, 1, 2].map(|role| player_of(role, 5, 3)), [1, 2, 0]);
        assert_eq!(player_of(0, 7, 1), 0);
    }

    #[test]
    fn players_are_named_in_words() {
        let profile = |text: &str| match text.parse() {
            Ok(Who::Process(spec)) => spec.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            profile("process:baseline:playouts=3"),
            "baseline:playouts=3"
        );
        let Ok(Who::Exec(command, launch)) = "exec:run it --port {port}".parse() else {
            panic!("a command");
        };
        assert_eq!(command, "run it --port {port}");
        assert_eq!((&*launch.program, launch.arguments.len()), ("run", 3));
        for text in ["exec:", "deep", "http://", "process", "process:deep"] {
            assert!(text.parse::<Who>().is_err(), "{text}");
        }
    }
}
