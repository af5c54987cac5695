//! Ground rules as plain data.

use gdl_parse::GroundTerm;

/// A ground atom's position in [`GroundGame::atoms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a ground atom says. Roles, facts and moves are positions in the lists of [`GroundGame`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AtomKind {
    /// The fact holds in the current state.
    True {
        /// Position in [`GroundGame::facts`].
        fact: u32,
    },
    /// The role makes the move.
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
    /// The role may make the move.
    Legal {
        /// Position in [`GroundGame::roles`].
        role: u32,
        /// Position in the role's list of [`GroundGame::moves`].
        mv: u32,
    },
    /// The role's result is the value. The rules may define several for one state.
    Goal {
        /// Position in [`GroundGame::roles`].
        role: u32,
        /// The value, within 0..=100; others are left out by grounding.
        value: u8,
    },
    /// Play has ended.
    Terminal,
    /// Any other relation, derived from the above.
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

/// The head holds if all of the body does. An empty body always holds. An atom holds if any rule
/// with it as head applies (minimal model, stratum by stratum); `True` and `Does` atoms are never
/// heads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundRule {
    /// The derived atom.
    pub head: AtomId,
    /// The conditions, sorted and without duplicates.
    pub body: Box<[GroundLiteral]>,
}

/// A game without variables.
///
/// Atoms that can never hold are absent, and atoms that always hold are absent from bodies.
///
/// The rules say what comes next for joint moves as play has them: for each role, exactly one of
/// its `Does` atoms holds, and the move is legal in the current state. For anything else the `Next`
/// atoms mean nothing.
#[derive(Debug, Clone, Default)]
pub struct GroundGame {
    /// The roles in order.
    pub roles: Vec<GroundTerm>,
    /// All facts that may ever hold.
    pub facts: Vec<GroundTerm>,
    /// For each role, all moves that may ever be legal.
    pub moves: Vec<Vec<GroundTerm>>,
    /// The facts of the initial state, as positions in `facts`, ascending.
    pub initial: Vec<u32>,
    /// All atoms; each kind other than `View` occurs at most once.
    pub atoms: Vec<AtomKind>,
    /// For a `View` atom its text, for pictures and messages; the empty text for others.
    pub view_names: Vec<String>,
    /// The rules.
    pub rules: Vec<GroundRule>,
}
