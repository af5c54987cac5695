//! Who sits at the table.

use crate::{ArenaError, Entry};
use budget::Budget;
use game::Engine;
use gdl_scramble::Mapping;
use matches::{Address, Local, Participant, Remote, Resources};
use players::{Spec, SpecError};
use std::time::Duration;

/// What a player is.
#[derive(Debug, Clone)]
enum Kind {
    /// A player in this process.
    Here(Spec),
    /// A player elsewhere.
    Remote(Address),
}

/// A player of the tournament.
#[derive(Debug, Clone)]
pub(crate) struct Entrant {
    name: String,
    kind: Kind,
    /// Cores that it needs.
    pub threads: usize,
    memory: usize,
}

/// What players elsewhere are told.
pub(crate) struct Wire<'a> {
    /// The rules, as text.
    pub rules: &'a str,
    /// How names in it differ from ours.
    pub mapping: Option<&'a Mapping>,
    /// How late answers may be.
    pub grace: Duration,
}

impl Entrant {
    /// What the configuration says that it is.
    pub fn of(entry: &Entry) -> Result<Self, ArenaError> {
        let wrong = |why: String| ArenaError::Invalid(format!("player {}: {why}", entry.name));
        let kind = match entry.is.contains("://") {
            true => Kind::Remote(entry.is.parse().map_err(wrong)?),
            false => Kind::Here(
                entry
                    .is
                    .parse()
                    .map_err(|error: SpecError| wrong(error.to_string()))?,
            ),
        };
        Ok(Entrant {
            name: entry.name.clone(),
            kind,
            threads: entry.threads,
            memory: entry.memory_mib << 20,
        })
    }

    /// Whether it thinks at the same time as others do.
    pub fn is_elsewhere(&self) -> bool {
        !matches!(self.kind, Kind::Here(_))
    }

    /// Whether it can sit at one table only.
    pub fn is_single(&self) -> bool {
        matches!(self.kind, Kind::Remote(_))
    }

    /// Whether all that it does repeats, on any machine.
    pub fn repeats(&self) -> bool {
        self.threads == 1 && matches!(&self.kind, Kind::Here(spec) if spec.repeats())
    }

    /// Takes a seat.
    pub fn seat(
        &self,
        engine: &dyn Engine,
        wire: &Wire<'_>,
        budget: &Budget,
    ) -> Box<dyn Participant> {
        let participant: Box<dyn Participant> = match &self.kind {
            Kind::Here(spec) => {
                let resources = Resources {
                    threads: self.threads,
                    memory: self.memory,
                };
                Box::new(Local::new(spec.build(), engine.fork(), resources, budget))
            }
            Kind::Remote(address) => Box::new(Remote::new(
                address.clone(),
                wire.rules.to_string(),
                wire.mapping.cloned(),
                wire.grace,
                budget,
            )),
        };
        Box::new(Named {
            name: self.name.clone(),
            participant,
        })
    }
}

/// A participant under the name that it has in the tournament.
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

    fn start(&mut self, opening: &matches::Opening<'_>) -> Result<(), matches::Fault> {
        self.participant.start(opening)
    }

    fn play(&mut self, turn: &matches::Turn<'_>) -> Result<matches::Answer, matches::Fault> {
        self.participant.play(turn)
    }

    fn finish(&mut self, last: Option<&[game::GroundTerm]>) {
        self.participant.finish(last);
    }

    fn abort(&mut self) {
        self.participant.abort();
    }
}
