//! Properties known to hold in all reachable states.

/// A group of facts of which at most one holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusive {
    /// The facts, by their position in the vocabulary.
    pub facts: Vec<u32>,
    /// Whether exactly one of them always holds.
    pub exactly: bool,
}

/// Two facts, one of which determines the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equal {
    /// The redundant fact, by its position in the vocabulary.
    pub fact: u32,
    /// The fact to read instead. It is an earlier fact that is not itself redundant.
    pub like: u32,
    /// Whether the facts are always opposite, rather than always equal.
    pub opposite: bool,
}

/// Properties of every state that legal play reaches, beyond what is obvious from the rules.
/// The caller must have proved them.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Groups of mutually exclusive facts.
    pub groups: Vec<Exclusive>,
    /// Facts that never change, with their values.
    pub constants: Vec<(u32, bool)>,
    /// Facts that are always equal or opposite to others.
    pub equal: Vec<Equal>,
}
