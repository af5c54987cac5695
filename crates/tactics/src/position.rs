//! What a sheet holds.

use game::GroundTerm;

/// The positions of one game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The file name of the rulesheet without its ending.
    pub game: String,
    /// The positions; no two have the same name.
    pub positions: Vec<Position>,
}

/// A state, a role, and which of its moves are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Its name, one word.
    pub name: String,
    /// What it is about; may be empty.
    pub about: String,
    /// What kind of position it is, one word: `win-in-2`, `defence`, `zugzwang`, ...
    pub class: String,
    /// Who is to choose.
    pub role: GroundTerm,
    /// Where.
    pub place: Place,
    /// Which moves are right.
    pub moves: Moves,
    /// The goal value that right moves force and wrong ones miss.
    pub forces: u8,
    /// How many own moves right moves need at most to force it, if that is claimed.
    pub within: Option<u32>,
    /// States that the proof may visit for each of its questions.
    pub states: u64,
    /// Playouts that a player is to be given, unless told otherwise.
    pub playouts: Option<u64>,
    /// Seconds that a player is to be given, unless told otherwise.
    pub seconds: Option<u32>,
}

/// How a state is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// By the choices made from the initial state on: for each state in order, for each role in
    /// order that has more than one legal move, the move. What is forced is left out.
    Play(Vec<GroundTerm>),
    /// By all facts that hold in it.
    State(Vec<GroundTerm>),
}

/// Which of the legal moves are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moves {
    /// These, all others are wrong.
    Best(Vec<GroundTerm>),
    /// All but these.
    Avoid(Vec<GroundTerm>),
}
