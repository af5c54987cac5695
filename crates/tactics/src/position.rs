//! The contents of a sheet.

use game::GroundTerm;

/// The positions of one game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The file name of the rulesheet without its extension.
    pub game: String,
    /// The positions; their names are distinct.
    pub positions: Vec<Position>,
}

/// A state, a role to move, and its right moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The name, one word.
    pub name: String,
    /// A description; may be empty.
    pub about: String,
    /// The kind of position, one word: `win-in-2`, `defence`, `zugzwang`, ...
    pub class: String,
    /// The role to move.
    pub role: GroundTerm,
    /// The state.
    pub place: Place,
    /// The right moves.
    pub moves: Moves,
    /// The goal value that right moves force and wrong moves miss.
    pub forces: u8,
    /// The maximum number of own moves in which right moves force it, if that is claimed.
    pub within: Option<u32>,
    /// The maximum number of states that the proof may visit for each of its questions.
    pub states: u64,
    /// The default number of playouts of a player.
    pub playouts: Option<u64>,
    /// The default time of a player, in seconds.
    pub seconds: Option<u32>,
}

/// How a state is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// By the choices from the initial state. For each state in order, and for each role in
    /// order that has more than one legal move, the list contains the move. Forced moves are
    /// left out.
    Play(Vec<GroundTerm>),
    /// By all facts that hold in it.
    State(Vec<GroundTerm>),
}

/// Which of the legal moves are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// These moves are right, all others wrong.
    Best(Vec<GroundTerm>),
    /// These moves are wrong, all others right.
    Avoid(Vec<GroundTerm>),
}
