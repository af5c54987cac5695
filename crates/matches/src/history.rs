//! The moves of a match so far, for taking them back.

use crate::{Fault, FaultCount};
use game::{GroundTerm, State};

/// One joint move of the past.
pub(crate) struct Past {
    /// The state before it.
    pub state: State,
    /// The move of every role.
    pub joint: Vec<GroundTerm>,
    /// The roles that were asked.
    pub asked: Vec<bool>,
    /// The fault of every role, if any.
    pub faults: Vec<Option<Fault>>,
}

/// The joint moves of a match whose moves can be taken back; otherwise always empty.
#[derive(Default)]
pub(crate) struct History(Vec<Past>);

impl History {
    /// Adds a joint move.
    pub fn push(&mut self, past: Past) {
        self.0.push(past);
    }

    /// The number of joint moves before the last decision of a role; `None` if it has made none.
    pub fn last_decision(&self, role: usize) -> Option<usize> {
        self.0.iter().rposition(|past| past.asked[role])
    }

    /// Takes back all but `number` joint moves, of which there must be more. Returns the state
    /// to go on from.
    pub fn back_to(&mut self, number: usize) -> State {
        self.0
            .drain(number..)
            .next()
            .map_or_else(State::default, |past| past.state)
    }

    /// The last joint move.
    pub fn last(&self) -> Option<Vec<GroundTerm>> {
        self.0.last().map(|past| past.joint.clone())
    }

    /// Counts the faults of what has not been taken back.
    pub fn recount(&self, counts: &mut [FaultCount]) {
        for (role, count) in counts.iter_mut().enumerate() {
            *count = FaultCount {
                start: count.start,
                ..FaultCount::default()
            };
            for past in &self.0 {
                count.add(past.faults[role].as_ref());
            }
        }
    }
}
