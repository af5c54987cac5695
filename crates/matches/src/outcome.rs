//! The outcome of a match.

use crate::Fault;
use records::Record;
use std::fmt;

/// Why a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// Play reached a terminal state.
    Terminal,
    /// The budget ran out, or the match was stopped.
    CalledOff,
    /// Play reached no terminal state within
    /// [`Settings::max_steps`](crate::Settings::max_steps) joint moves.
    TooLong,
    /// The engine could not evaluate the rules, or a role had no legal move. Holds the message.
    Broken(String),
}

/// The outcome of a match.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// Why it ended.
    pub end: End,
    /// The number of joint moves played.
    pub steps: usize,
    /// The goal value of every role. `None` if the match is incomplete or the goal is
    /// undefined.
    pub goals: Vec<Option<u8>>,
    /// The number of faults of every role, including those of the start clock.
    pub faults: Vec<usize>,
    /// The faults of every role by kind.
    pub counts: Vec<FaultCount>,
    /// The record of the match.
    pub record: Record,
}

/// The number of faults of a participant, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// Faults on the start clock; at most one in each match.
    pub start: usize,
    /// Moves replaced because no answer came in time.
    pub late: usize,
    /// Moves replaced because the answer was illegal.
    pub illegal: usize,
    /// Moves replaced because the connection failed.
    pub connection: usize,
    /// Moves replaced because the player itself failed.
    pub failed: usize,
}

impl FaultCount {
    /// Counts the fault of a move, if there is one.
    pub fn add(&mut self, fault: Option<&Fault>) {
        let count = match fault {
            None => return,
            Some(Fault::Late | Fault::TakeBack) => &mut self.late,
            Some(Fault::Illegal(_)) => &mut self.illegal,
            Some(Fault::Connection(_)) => &mut self.connection,
            Some(Fault::Failed(_)) => &mut self.failed,
        };
        *count += 1;
    }

    /// The number of moves replaced by random ones.
    pub fn replaced(&self) -> usize {
        self.late + self.illegal + self.connection + self.failed
    }

    /// The number of all faults.
    pub fn total(&self) -> usize {
        self.start + self.replaced()
    }
}

impl fmt::Display for FaultCount {
    /// The counts on one line; empty if there are no faults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.start > 0 {
            parts.push("not ready at the start".to_string());
        }
        if self.replaced() > 0 {
            let kinds = [
                (self.late, "late"),
                (self.illegal, "illegal"),
                (self.connection, "without connection"),
                (self.failed, "failed"),
            ];
            let kinds = kinds.iter().filter(|(count, _)| *count > 0);
            let kinds: Vec<String> = kinds
                .map(|(count, kind)| format!("{count} {kind}"))
                .collect();
            let plural = if self.replaced() == 1 { "" } else { "s" };
            let (replaced, kinds) = (self.replaced(), kinds.join(", "));
            parts.push(format!("{replaced} move{plural} replaced: {kinds}"));
        }
        f.write_str(&parts.join(", "))
    }
}

/// Why a match could not begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There must be one participant for each role.
    #[error("the game has {roles} roles, but there are {participants} players")]
    Participants {
        /// The number of roles of the game.
        roles: usize,
        /// The number of participants given.
        participants: usize,
    },
}
