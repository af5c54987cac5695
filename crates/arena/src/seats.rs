//! The players of a tournament, and how they take part in a match.

use crate::{ArenaError, Entry};
use matches::{Answer, Entrant, Fault, Opening, Participant, Ready, Resources, Table, Turn};

/// A player of the tournament.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    name: String,
    entrant: Entrant,
    resources: Resources,
}

impl Seat {
    /// The player that a configuration entry describes.
    pub fn of(entry: &Entry) -> Result<Self, ArenaError> {
        let entrant = entry.is.parse();
        let entrant: Entrant = entrant
            .map_err(|why: String| ArenaError::Invalid(format!("player {}: {why}", entry.name)))?;
        Ok(Seat {
            name: entry.name.clone(),
            resources: Resources {
                threads: entrant.threads(entry.threads),
                memory: entry.memory_mib << 20,
            },
            entrant,
        })
    }

    /// The number of cores that it needs.
    pub fn threads(&self) -> usize {
        self.resources.threads
    }

    /// Whether it runs outside this process and may search at the same time as others.
    pub fn is_elsewhere(&self) -> bool {
        !matches!(self.entrant, Entrant::Here(_))
    }

    /// Whether it is a single server, which can play in only one match at a time.
    pub fn is_single(&self) -> bool {
        matches!(self.entrant, Entrant::Remote(_))
    }

    /// Whether its moves repeat on any machine.
    pub fn repeats(&self) -> bool {
        self.entrant.repeats(self.threads())
    }

    /// Whether it runs this program.
    pub fn is_ours(&self) -> bool {
        matches!(self.entrant, Entrant::Here(_) | Entrant::Process(_))
    }

    /// Prepares the player for one match, on the cores of the calling thread.
    ///
    /// A process is started for each match, so that no match is affected by an earlier one. If
    /// it does not start, the error is the reason.
    pub fn ready(&self, seed: u64) -> Result<Ready, String> {
        let ready = self.entrant.ready(self.resources, seed);
        ready.map_err(|error| error.to_string())
    }

    /// Seats the player under its name in the tournament.
    pub fn sit(&self, ready: &Result<Ready, String>, table: &Table<'_>) -> Box<dyn Participant> {
        Box::new(Named {
            name: self.name.clone(),
            participant: match ready {
                Ok(ready) => ready.seat(table),
                Err(why) => Box::new(Absent(why.clone())),
            },
        })
    }
}

/// Stands in for a player that could not be started. All of its turns are faults.
struct Absent(String);

impl Participant for Absent {
    fn name(&self) -> String {
        String::new()
    }

    fn start(&mut self, _: &Opening<'_>) -> Result<(), Fault> {
        Err(Fault::Failed(self.0.clone()))
    }

    fn play(&mut self, _: &Turn<'_>) -> Result<Answer, Fault> {
        Err(Fault::Failed(self.0.clone()))
    }
}

/// A participant under another name.
struct Named {
    name: String,
    participant: Box<dyn Participant>,
}

impl Participant for Named {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_remote(&self) -> bool {
        self.participant.is_remote()
    }

    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault> {
        self.participant.start(opening)
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        self.participant.play(turn)
    }

    fn finish(&mut self, last: Option<&[game::GroundTerm]>) {
        self.participant.finish(last);
    }

    fn abort(&mut self) {
        self.participant.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise all its threads would be pinned to fewer cores.
    #[test]
    fn a_player_gets_as_many_cores_as_it_has_threads() {
        let cores = |is: &str, threads| {
            let entry = Entry {
                name: "one".to_string(),
                is: is.to_string(),
                threads,
                memory_mib: 16,
            };
            Seat::of(&entry).expect("a seat").threads()
        };
        assert_eq!(cores("default:threads=3", 1), 3);
        assert_eq!(cores("default:threads=1", 2), 1);
        assert_eq!(cores("default", 2), 2);
        assert_eq!(cores("baseline", 1), 1);
    }
}
