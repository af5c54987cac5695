//! The answers of the solver.

use game::MoveId;

/// Whether a role gets at least the value asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does: the role can force this much, at least the value asked for.
    Yes(u8),
    /// It does not: the others together can hold it to this much, below the value asked for.
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
    /// The most own moves that the proof looks ahead, this one included. If nothing was proved,
    /// the own moves searched.
    ///
    /// A yes was not provable with fewer. A no may also rest on the proof of a state met
    /// elsewhere with more moves left.
    pub own_moves: u32,
}

/// The bounds of the result after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The move.
    pub mv: MoveId,
    /// The role can force at least this, even if the others know its moves beforehand.
    pub lower: u8,
    /// The others together can hold the role to this after the move, even if the role knows
    /// their moves beforehand from then on.
    pub upper: u8,
}
