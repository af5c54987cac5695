//! What is known of the states that play reaches.

/// Facts of which at most one holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusive {
    /// The facts, by their position in the vocabulary.
    pub facts: Vec<u32>,
    /// Whether one of them always holds.
    pub exactly: bool,
}

/// Two facts of which one gives away the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equal {
    /// The fact that need not be read, by its position in the vocabulary.
    pub fact: u32,
    /// The fact to be read instead: an earlier one, which is not itself replaced by another.
    pub like: u32,
    /// Whether each holds where the other does not, rather than where it does.
    pub opposite: bool,
}

/// What holds in every state that legal play reaches, beyond what the rules say at a glance. Whoever
/// says so has proved it.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Facts that exclude each other.
    pub groups: Vec<Exclusive>,
    /// Facts that never change, with their value.
    pub constants: Vec<(u32, bool)>,
    /// Facts that are always like others.
    pub equal: Vec<Equal>,
}
