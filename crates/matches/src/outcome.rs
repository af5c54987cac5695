//! How a match went.

use crate::{Fault, Record};
use std::fmt;

/// Why a match ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// A terminal state was reached.
    Terminal,
    /// The budget ended, or somebody called it off.
    CalledOff,
    /// After [`Settings::max_steps`](crate::Settings::max_steps) joint moves no end was in sight.
    TooLong,
    /// The rules do not say how to go on.
    Broken(String),
}

/// How a match went.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// Why it ended.
    pub end: End,
    /// Joint moves made.
    pub steps: usize,
    /// The result of every role, where the last state defines one and it is terminal.
    pub goals: Vec<Option<u8>>,
    /// Faults of every role, those of the start clock included.
    pub faults: Vec<usize>,
    /// The same by what went wrong.
    pub counts: Vec<FaultCount>,
    /// The match file.
    pub record: Record,
}

/// How often something went wrong with a participant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// Faults within the start clock; at most one in each match.
    pub start: usize,
    /// Moves replaced because no answer came in time.
    pub late: usize,
    /// Moves replaced because they were not legal.
    pub illegal: usize,
    /// Moves replaced because the connection failed.
    pub connection: usize,
    /// Moves replaced because the player itself failed.
    pub failed: usize,
}

impl FaultCount {
    /// Counts what went wrong with a move, if anything did.
    pub fn add(&mut self, fault: Option<&Fault>) {
        let count = match fault {
            None => return,
            Some(Fault::Late) => &mut self.late,
            Some(Fault::Illegal(_)) => &mut self.illegal,
            Some(Fault::Connection(_)) => &mut self.connection,
            Some(Fault::Failed(_)) => &mut self.failed,
        };
        *count += 1;
    }

    /// Moves that were replaced by random ones.
    pub fn replaced(&self) -> usize {
        self.late + self.illegal + self.connection + self.failed
    }

    /// All faults.
    pub fn total(&self) -> usize {
        self.start + self.replaced()
    }
}

impl fmt::Display for FaultCount {
    /// What went wrong, on one line; nothing if nothing did.
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

/// Why a match could not even begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There must be one participant for each role.
    #[error("the game has {roles} roles, but there are {participants} players")]
    Participants {
        /// Roles of the game.
        roles: usize,
        /// Participants given.
        participants: usize,
    },
}
