//! Whoever plays a role: in process, at the terminal, or far away.

use game::{GroundTerm, MoveId, RoleId, State};
use std::time::Duration;

/// What a participant is told when the match begins.
#[derive(Debug, Clone)]
pub struct Opening<'a> {
    /// Names the match in messages and records.
    pub id: &'a str,
    /// All roles, in the order of joint moves.
    pub roles: &'a [GroundTerm],
    /// The participant's role.
    pub role: RoleId,
    /// Time to prepare.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// Seed for this role alone.
    pub seed: u64,
}

/// What a participant is told when it has to move.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// Joint moves made so far.
    pub step: usize,
    /// The state to move in.
    pub state: &'a State,
    /// Its facts.
    pub facts: &'a [GroundTerm],
    /// The participant's legal moves, at least one.
    pub legal: &'a [(MoveId, GroundTerm)],
    /// The last joint move, in the order of the roles; `None` in the first turn.
    pub previous: Option<&'a [GroundTerm]>,
    /// Time to answer in.
    pub clock: Duration,
}

/// An answer in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move, legal or not.
    pub mv: GroundTerm,
    /// What the participant says about it, on one line.
    pub note: Option<String>,
}

/// Why there was no good answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It came after the clock had run out, or not at all.
    #[error("no answer in time")]
    Late,
    /// The connection could not be made, or broke.
    #[error("connection failed: {0}")]
    Connection(String),
    /// The answer is no legal move; this is its text.
    #[error("illegal answer: {0}")]
    Illegal(String),
    /// The participant itself failed: an error, a panic.
    #[error("player failed: {0}")]
    Failed(String),
}

impl Fault {
    /// An illegal answer, cut where it is too long for a record that people read.
    pub fn illegal(answer: &str) -> Fault {
        const MOST: usize = 80;
        let answer = answer.trim();
        Fault::Illegal(match answer.char_indices().nth(MOST) {
            _ if answer.is_empty() => "nothing".into(),
            Some((end, _)) => format!("{}...", &answer[..end]),
            None => answer.into(),
        })
    }

    /// The code that match records use: `TO`, `CE`, `IL answer`.
    pub fn code(&self) -> String {
        match self {
            Fault::Late => "TO".into(),
            Fault::Connection(_) | Fault::Failed(_) => "CE".into(),
            Fault::Illegal(answer) => format!("IL {answer}"),
        }
    }
}

/// Whoever plays one role of one match.
pub trait Participant: Send {
    /// What it is called in records: a profile, an address.
    fn name(&self) -> String;

    /// Whether a human plays.
    fn is_human(&self) -> bool {
        false
    }

    /// Whether it thinks elsewhere. Such participants are asked all at the same time and in every
    /// turn; the others share this machine, so they are asked one after the other, and only when
    /// they have a choice.
    fn is_remote(&self) -> bool {
        false
    }

    /// Prepares for a match, within the start clock.
    ///
    /// # Errors
    /// A fault is recorded; the match goes on.
    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault>;

    /// Chooses a move.
    ///
    /// # Errors
    /// A fault is recorded, and a random legal move is made instead.
    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;

    /// The match is over; `last` is the last joint move.
    fn finish(&mut self, last: Option<&[GroundTerm]>) {
        let _ = last;
    }

    /// The match was called off.
    fn abort(&mut self) {}
}
