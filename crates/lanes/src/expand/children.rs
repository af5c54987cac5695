//! The children of states, as plain data.

use game::MoveId;
use std::ops::Range;

/// The child states of moves with the answers requested for them, in the order of the moves.
///
/// Everything is in a few vectors, which are reused for the children of other states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Children {
    /// The number of roles.
    pub(super) roles: usize,
    /// The number of words of a state.
    pub(super) words: usize,
    pub(super) terminal: Vec<bool>,
    pub(super) states: Vec<u64>,
    pub(super) goals: Vec<Option<u8>>,
    pub(super) legal: Vec<MoveId>,
    pub(super) legal_of: Vec<Range<u32>>,
}

impl Children {
    pub(super) fn reset(&mut self, roles: usize, words: usize, count: usize) {
        (self.roles, self.words) = (roles, words);
        self.terminal.clear();
        self.terminal.resize(count, false);
        self.states.clear();
        self.states.resize(count * words, 0);
        self.goals.clear();
        self.goals.resize(count * roles, None);
        self.legal.clear();
        self.legal_of.clear();
        self.legal_of.resize(count * roles, 0..0);
    }

    /// The number of children.
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    /// Whether there are no children.
    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// The words of the state of a child.
    pub fn state(&self, child: usize) -> &[u64] {
        &self.states[child * self.words..][..self.words]
    }

    /// Whether a child is terminal.
    pub fn terminal(&self, child: usize) -> bool {
        self.terminal[child]
    }

    /// The results of the roles in a child. `None` where the rules define none or several, or
    /// where results were not requested.
    pub fn goals(&self, child: usize) -> &[Option<u8>] {
        &self.goals[child * self.roles..][..self.roles]
    }

    /// The legal moves of a role in a child, ascending. Empty if the child is terminal or moves
    /// were not requested.
    pub fn legal(&self, child: usize, role: usize) -> &[MoveId] {
        let range = &self.legal_of[child * self.roles + role];
        &self.legal[range.start as usize..range.end as usize]
    }
}
