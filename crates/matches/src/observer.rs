//! Watching a match.

use crate::Fault;
use game::GroundTerm;
use players::Thought;
use std::time::Duration;

/// One joint move that was played.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    /// The number of joint moves before this one.
    pub number: usize,
    /// All roles.
    pub roles: &'a [GroundTerm],
    /// The move of every role.
    pub joint: &'a [GroundTerm],
    /// The number of legal moves of every role.
    pub choices: &'a [usize],
    /// The participants' notes on their moves.
    pub notes: &'a [Option<String>],
    /// What the participants found out about their moves.
    pub thoughts: &'a [Option<Thought>],
    /// How long each role took to answer; zero for a role that was not asked.
    pub times: &'a [Duration],
    /// The fault of each role, if any. The move of a role with a fault is a random one.
    pub faults: &'a [Option<Fault>],
    /// The facts of the state after the joint move.
    pub facts: &'a [GroundTerm],
}

/// Receives the events of a match. All methods do nothing unless overridden.
pub trait Observer {
    /// `role` is about to prepare on the start clock.
    fn starting(&mut self, role: &GroundTerm, name: &str) {
        let _ = (role, name);
    }
    /// Play begins in a state with these facts.
    fn started(&mut self, facts: &[GroundTerm], faults: &[Option<Fault>]) {
        let _ = (facts, faults);
    }
    /// `role` is about to choose a move, within `clock`.
    fn thinking(&mut self, role: &GroundTerm, step: usize, clock: Duration) {
        let _ = (role, step, clock);
    }
    /// Moves were taken back: `number` joint moves remain, after which these facts hold.
    fn taken_back(&mut self, number: usize, facts: &[GroundTerm]) {
        let _ = (number, facts);
    }
    /// A joint move was played.
    fn moved(&mut self, step: &Step<'_>) {
        let _ = step;
    }
}

/// Ignores all events.
impl Observer for () {}
