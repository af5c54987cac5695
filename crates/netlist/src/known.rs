//! What is known of the states that play reaches.

/// Facts of which at most one holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusive {
    /// The facts, by their position in the vocabulary.
    pub facts: Vec<u32>,
    /// Whether one of them always holds.
    pub exactly: bool,
}

/// What holds in every state that legal play reaches, beyond what the rules say at a glance. Whoever
/// says so has proved it.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Facts that exclude each other.
    pub groups: Vec<Exclusive>,
    /// Facts that never change, with their value.
    pub constants: Vec<(u32, bool)>,
}
