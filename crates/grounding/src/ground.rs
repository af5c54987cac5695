//! Ground rules as plain data.

use gdl_parse::GroundTerm;

/// The position of a ground atom in [`GroundGame::atoms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

impl AtomId {
    /// Returns the position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The meaning of a ground atom. Roles, facts and moves are positions in the lists of
/// [`GroundGame`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AtomKind {
    /// The fact holds in the current state.
    True {
        /// Position in [`GroundGame::facts`].
        fact: u32,
    },
    /// The role plays the move.
    Does {
        /// Position in [`GroundGame::roles`].
        role: u32,
        /// Position in the role's list of [`GroundGame::moves`].
        mv: u32,
    },
    /// The fact holds in the next state.
    Next {
        /// Position in [`GroundGame::facts`].
        fact: u32,
    },
    /// The move is legal for the role.
    Legal {
        /// Position in [`GroundGame::roles`].
        role: u32,
        /// Position in the role's list of [`GroundGame::moves`].
        mv: u32,
    },
    /// The value is the role's goal value. The rules may define several values for one state.
    Goal {
        /// Position in [`GroundGame::roles`].
        role: u32,
        /// The value, in 0..=100. Grounding drops goals with other values.
        value: u8,
    },
    /// The state is terminal.
    Terminal,
    /// Any other derived relation.
    View,
}

/// An atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether the literal holds when the atom does not.
    pub negated: bool,
}

/// A rule: the head holds if all literals of the body hold.
///
/// An empty body always holds. An atom holds if any rule with it as head applies (minimal
/// model, stratum by stratum). `True` and `Does` atoms are never heads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundRule {
    /// The derived atom.
    pub head: AtomId,
    /// The conditions, sorted and without duplicates.
    pub body: Box<[GroundLiteral]>,
}

/// A game without variables.
///
/// Atoms that can never hold are absent. Atoms that always hold are absent from bodies.
///
/// The rules define the next state for regular joint moves only: exactly one `Does` atom of
/// each role holds, and that move is legal in the current state. For any other assignment the
/// `Next` atoms are meaningless.
#[derive(Debug, Clone, Default)]
pub struct GroundGame {
    /// The roles, in order.
    pub roles: Vec<GroundTerm>,
    /// All facts that may ever hold.
    pub facts: Vec<GroundTerm>,
    /// For each role, all moves that may ever be legal.
    pub moves: Vec<Vec<GroundTerm>>,
    /// The facts of the initial state, as ascending positions in `facts`.
    pub initial: Vec<u32>,
    /// All atoms; each kind other than `View` occurs at most once.
    pub atoms: Vec<AtomKind>,
    /// For each `View` atom its text, for diagrams and messages. Empty for other atoms.
    pub view_names: Vec<String>,
    /// The rules.
    pub rules: Vec<GroundRule>,
    /// Sets of facts of which at most one holds in every reachable state, as the rules show
    /// without play: at least two each, as ascending positions in `facts`. There may be more.
    pub exclusive: Vec<Vec<u32>>,
}
