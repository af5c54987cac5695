//! What the solver says.

use game::MoveId;

/// Whether a role gets at least the value that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does: the role can force this much, at least what was asked for.
    Yes(u8),
    /// It does not: the others together can hold it to this much, below what was asked for.
    No(u8),
    /// Neither was proved.
    Unknown,
}

impl Verdict {
    /// Whether it is proved that the role gets the value.
    pub fn is_yes(self) -> bool {
        matches!(self, Verdict::Yes(_))
    }

    /// Whether it is proved that the role does not get the value.
    pub fn is_no(self) -> bool {
        matches!(self, Verdict::No(_))
    }
}

/// The verdict on a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub mv: MoveId,
    /// Whether the role gets at least the value after it.
    pub verdict: Verdict,
    /// How many own moves, this one included, the proof looks ahead at most; where nothing was
    /// proved, how many were looked ahead. A yes was not provable with fewer; a no may also rest on
    /// what was proved of a state in another place, where one could look further.
    pub own_moves: u32,
}

/// Between which values the result lies after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The move.
    pub mv: MoveId,
    /// The role can force at least this, even if its moves are known beforehand.
    pub lower: u8,
    /// The others together can hold it to this after the move, even if theirs are known beforehand
    /// from then on.
    pub upper: u8,
}
