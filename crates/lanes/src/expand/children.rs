//! What comes of moves, as plain data.

use game::MoveId;
use std::ops::Range;

/// The states that moves lead to, and what is asked of them, in the order of the moves.
///
/// Everything is in a few vectors, which are used again when the children of other states are asked
/// for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Children {
    /// How many roles play.
    pub(super) roles: usize,
    /// How many words a state has.
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

    /// How many children there are.
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// The words of the state of a child.
    pub fn state(&self, child: usize) -> &[u64] {
        &self.states[child * self.words..][..self.words]
    }

    /// Whether play has ended in a child.
    pub fn terminal(&self, child: usize) -> bool {
        self.terminal[child]
    }

    /// The results of the roles in a child; `None` where the rules define none or several, or none
    /// was asked for.
    pub fn goals(&self, child: usize) -> &[Option<u8>] {
        &self.goals[child * self.roles..][..self.roles]
    }

    /// The legal moves of a role in a child, ascending; none where play has ended or they were not
    /// asked for.
    pub fn legal(&self, child: usize, role: usize) -> &[MoveId] {
        let range = &self.legal_of[child * self.roles + role];
        &self.legal[range.start as usize..range.end as usize]
    }
}
