//! Who plays: players as they are named on the command line, and seated for a match.

use crate::human::Human;
use budget::Stop;
use matches::{Entrant, LaunchError, Participant, Ready, Resources, Table};

/// A player as it is named on the command line.
#[derive(Debug, Clone)]
pub enum Who {
    /// Whoever sits at the keyboard.
    Human,
    /// Anybody else.
    Entrant(Entrant),
}

/// For the help.
pub const KINDS: &str = "human, http://HOST:PORT, process:PLAYER for a player in another process \
                         of this program, exec:COMMAND for any program, with {port} where its port belongs";

impl std::str::FromStr for Who {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "human" {
            return Ok(Who::Human);
        }
        let entrant: Result<Entrant, String> = text.parse();
        entrant
            .map(Who::Entrant)
            .map_err(|error| format!("{error} (or {KINDS})"))
    }
}

impl Who {
    /// Whether it plays the same in every match; see [`Entrant::repeats`].
    pub fn repeats(&self, threads: usize) -> bool {
        matches!(self, Who::Entrant(entrant) if entrant.repeats(threads))
    }
}

/// Players for as many matches as there will be, their processes running.
pub struct Bench {
    /// Nobody stands for the keyboard.
    seats: Vec<Option<Ready>>,
    stop: Stop,
}

impl Bench {
    /// Starts the processes of those players that are some. `stop` calls matches off.
    ///
    /// # Errors
    /// If a process does not begin to listen.
    pub fn new(
        players: Vec<Who>,
        stop: &Stop,
        resources: Resources,
        seed: u64,
    ) -> Result<Bench, LaunchError> {
        let ready = |(at, who)| match who {
            Who::Human => Ok(None),
            Who::Entrant(entrant) => {
                let entrant: Entrant = entrant;
                entrant.ready(resources, seed.wrapping_add(at)).map(Some)
            }
        };
        Ok(Bench {
            seats: (0..).zip(players).map(ready).collect::<Result<_, _>>()?,
            stop: stop.clone(),
        })
    }

    /// The number of players.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// The participants of a match in the order of its roles, each player `shift` roles further than
    /// in the order in which they were given.
    pub fn seat(&self, shift: usize, table: &Table<'_>) -> Vec<Box<dyn Participant>> {
        let seat = |role| match &self.seats[player_of(role, shift, self.len())] {
            Some(ready) => ready.seat(table),
            None => Box::new(Human::new(self.stop.clone())),
        };
        (0..self.len()).map(seat).collect()
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
}
