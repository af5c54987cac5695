//! The interface of everything that plays a role: in process, at the terminal, or remote.

use game::{GroundTerm, MoveId, RoleId, State};
use players::Thought;
use std::time::Duration;

/// What a participant receives when the match begins.
#[derive(Debug, Clone)]
pub struct Opening<'a> {
    /// The identifier of the match, for messages and records.
    pub id: &'a str,
    /// All roles, in the order of joint moves.
    pub roles: &'a [GroundTerm],
    /// The participant's role.
    pub role: RoleId,
    /// The start clock.
    pub start_clock: Duration,
    /// The play clock.
    pub play_clock: Duration,
    /// A random seed for this role alone.
    pub seed: u64,
}

/// What a participant receives when it has to move.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    /// The number of joint moves played so far.
    pub step: usize,
    /// The state to move in.
    pub state: &'a State,
    /// The facts of the state.
    pub facts: &'a [GroundTerm],
    /// The participant's legal moves, at least one.
    pub legal: &'a [(MoveId, GroundTerm)],
    /// The last joint move, in the order of the roles; `None` in the first turn.
    pub previous: Option<&'a [GroundTerm]>,
    /// The time to answer.
    pub clock: Duration,
    /// Whether the participant may answer with [`Fault::TakeBack`].
    pub may_take_back: bool,
}

/// An answer that came in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The move, legal or not.
    pub mv: GroundTerm,
    /// The participant's note on the move, on one line.
    pub note: Option<String>,
    /// What it found out about the move, if it is known.
    pub thought: Option<Thought>,
}

/// Why there was no valid answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The answer came after the clock had run out, or not at all.
    #[error("no answer in time")]
    Late,
    /// The connection could not be made, or broke.
    #[error("connection failed: {0}")]
    Connection(String),
    /// The answer is not a legal move. Holds its text.
    #[error("illegal answer: {0}")]
    Illegal(String),
    /// No move, because the participant wants to decide again: its last decision and all that
    /// followed are undone. Where that is not allowed, it counts as no answer.
    #[error("wants its last move back")]
    TakeBack,
    /// The participant itself failed, with an error or a panic.
    #[error("player failed: {0}")]
    Failed(String),
}

impl Fault {
    /// An illegal answer, shortened if it is too long for a record.
    pub fn illegal(answer: &str) -> Fault {
        Fault::Illegal(match Fault::shorten(answer) {
            text if text.is_empty() => "nothing".into(),
            text => text,
        })
    }

    /// An answer on one line, shortened if it is too long for a record.
    pub(crate) fn shorten(answer: &str) -> String {
        const MOST: usize = 80;
        // A few characters more than are kept: a hostile answer may have a megabyte of them.
        let mut words = answer.split_whitespace();
        let mut text = String::new();
        while let (true, Some(word)) = (text.len() <= MOST * 4, words.next()) {
            if !text.is_empty() {
                text.push(' ');
            }
            text += word;
        }
        match text.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    /// The code that match records use: `TO`, `CE`, `IL answer`.
    pub fn code(&self) -> String {
        match self {
            Fault::Late | Fault::TakeBack => "TO".into(),
            Fault::Connection(_) | Fault::Failed(_) => "CE".into(),
            Fault::Illegal(answer) => format!("IL {answer}"),
        }
    }
}

/// Plays one role of one match.
pub trait Participant: Send {
    /// The name in records: a profile, an address.
    fn name(&self) -> String;

    /// Whether a human plays.
    fn is_human(&self) -> bool {
        false
    }

    /// Whether it computes outside this process. Remote participants are asked in parallel and
    /// in every turn. The others share this machine, so they are asked one after the other, and
    /// only when they have a choice.
    fn is_remote(&self) -> bool {
        false
    }

    /// Whether it can answer in any state of the match, so that moves can be taken back. Remote
    /// participants follow a match move by move.
    fn can_go_back(&self) -> bool {
        false
    }

    /// Prepares for a match, within the start clock.
    ///
    /// # Errors
    /// The fault is recorded, and the match continues.
    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault>;

    /// Chooses a move.
    ///
    /// # Errors
    /// The fault is recorded, and a random legal move is played instead.
    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;

    /// Ends the match; `last` is the last joint move.
    fn finish(&mut self, last: Option<&[GroundTerm]>) {
        let _ = last;
    }

    /// Ends a match that was called off.
    fn abort(&mut self) {}
}
