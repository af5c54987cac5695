//! Players on the command line, and their seats in a match.

use crate::human::{Console, Counsel, Human};
use crate::seen::Seen;
use budget::{Budget, Stop};
use matches::{Entrant, LaunchError, Participant, Ready, Resources, Table};
use parking_lot::Mutex;
use std::sync::Arc;

/// A player as it is named on the command line.
#[derive(Debug, Clone)]
pub enum Who {
    /// The human at the keyboard.
    Human,
    /// Any other player.
    Entrant(Entrant),
}

/// The kinds of players, for help texts.
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
    /// Whether its moves repeat from match to match; see [`Entrant::repeats`].
    pub fn repeats(&self, threads: usize) -> bool {
        matches!(self, Who::Entrant(entrant) if entrant.repeats(threads))
    }

    /// The same without what it would learn before play, if it is a player of this program.
    pub fn without_knowledge(self) -> Who {
        match self {
            Who::Human => Who::Human,
            Who::Entrant(entrant) => Who::Entrant(entrant.without_knowledge()),
        }
    }

    /// Whether it searches in this process, for which a fast engine is worth a wait. So do
    /// humans, who can ask for a hint.
    pub fn searches(&self) -> bool {
        match self {
            Who::Human => true,
            Who::Entrant(Entrant::Here(spec)) => spec.searches(),
            Who::Entrant(_) => false,
        }
    }
}

/// The players of all matches of a run, with their running processes.
pub struct Bench {
    /// `None` is the human.
    seats: Vec<Option<Ready>>,
    /// Where humans type; opened when the first one is seated.
    console: Option<Arc<Mutex<Console>>>,
    resources: Resources,
    stop: Stop,
}

impl Bench {
    /// Prepares the players and starts their processes. A human uses `stop` to call matches
    /// off.
    ///
    /// # Errors
    /// Fails if a process does not begin to listen.
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
            console: None,
            resources,
            stop: stop.clone(),
        })
    }

    /// The number of players.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// The participants of a match in role order. Each player is `shift` roles after its place
    /// in the given order. Humans are shown what there is to see.
    pub fn seat(
        &mut self,
        shift: usize,
        table: &Table<'_>,
        seen: &Seen,
    ) -> Vec<Box<dyn Participant>> {
        let roles = self.len();
        let seat = |role| -> Box<dyn Participant> {
            if let Some(ready) = &self.seats[player_of(role, shift, roles)] {
                return ready.seat(table);
            }
            let stop = &self.stop;
            let console = self
                .console
                .get_or_insert_with(|| Arc::new(Mutex::new(Console::open(stop))));
            // The clock of a match that repeats stands still; a hint takes real time.
            let budget = Budget::system().with_stop(stop.clone());
            let counsel = Counsel::new(table.playable, self.resources, &budget);
            Box::new(Human::new(stop, console, seen, counsel))
        };
        (0..roles).map(seat).collect()
    }
}

/// The index of the player that has a role after a rotation by `shift` roles.
pub fn player_of(role: usize, shift: usize, roles: usize) -> usize {
    (role + roles - shift % roles) % roles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_rotate_through_all_roles() {
        assert_eq!([0, 1, 2].map(|role| player_of(role, 0, 3)), [0, 1, 2]);
        assert_eq!([0, 1, 2].map(|role| player_of(role, 1, 3)), [2, 0, 1]);
        assert_eq!([0, 1, 2].map(|role| player_of(role, 5, 3)), [1, 2, 0]);
        assert_eq!(player_of(0, 7, 1), 0);
    }
}
