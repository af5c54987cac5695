//! Watching a match.

use crate::Fault;
use game::GroundTerm;
use std::time::Duration;

/// One joint move, as it was made.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    /// Joint moves made before this one.
    pub number: usize,
    /// All roles.
    pub roles: &'a [GroundTerm],
    /// The move of every role.
    pub joint: &'a [GroundTerm],
    /// The number of legal moves that every role had.
    pub choices: &'a [usize],
    /// What each role said about its move.
    pub notes: &'a [Option<String>],
    /// How long each role took to answer; zero for a role that was not asked.
    pub times: &'a [Duration],
    /// What went wrong for each role; its move is then a random one.
    pub faults: &'a [Option<Fault>],
    /// The facts of the state that follows.
    pub facts: &'a [GroundTerm],
}

/// Follows a match. All methods do nothing unless overridden.
pub trait Observer {
    /// Participants are about to prepare, `role` next.
    fn starting(&mut self, role: &GroundTerm, name: &str) {
        let _ = (role, name);
    }
    /// Play begins in a state with these facts.
    fn started(&mut self, facts: &[GroundTerm], faults: &[Option<Fault>]) {
        let _ = (facts, faults);
    }
    /// That role is thinking now, for at most `clock`.
    fn thinking(&mut self, role: &GroundTerm, step: usize, clock: Duration) {
        let _ = (role, step, clock);
    }
    /// A joint move was made.
    fn moved(&mut self, step: &Step<'_>) {
        let _ = step;
    }
}

/// Sees nothing.
impl Observer for () {}
