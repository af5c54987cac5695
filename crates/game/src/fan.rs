//! What several moves of one role lead to, looked at together.

use crate::{EngineError, MoveId, RoleId, State};

/// What can be foreseen of a state in which one role chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// Who chooses.
    pub role: RoleId,
    /// Whether one of its moves ends play at once with a result of 100 for it.
    pub wins: bool,
    /// Who chooses after that, and how many of the moves leave it no such move, where that is known.
    pub careful: Option<(RoleId, u32)>,
}

impl Outlook {
    /// Who wins, whatever the others do, and within how many joint moves; `None` if that is not foreseen.
    pub fn winner(&self) -> Option<(RoleId, u16)> {
        match self.careful {
            _ if self.wins => Some((self.role, 1)),
            Some((then, 0)) => Some((then, 2)),
            _ => None,
        }
    }
}

/// What each of several moves leads to, in their order. Kept to be used again.
#[derive(Debug, Clone, Default)]
pub struct Fan {
    roles: usize,
    len: usize,
    /// Of these and the next only the first ones count.
    states: Vec<State>,
    over: Vec<bool>,
    choices: Vec<u32>,
    outlooks: Vec<Option<Outlook>>,
}

impl Fan {
    /// So many moves in a game of so many roles: play is not over where they lead to, nobody has a move there, and the
    /// states are to be overwritten.
    pub fn reset(&mut self, roles: usize, len: usize) {
        (self.roles, self.len) = (roles, len);
        if self.states.len() < len {
            self.states.resize_with(len, State::default);
        }
        self.over.clear();
        self.over.resize(len, false);
        self.choices.clear();
        self.choices.resize(len * roles, 0);
        self.outlooks.clear();
        self.outlooks.resize(len, None);
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where a move leads to.
    pub fn state(&self, at: usize) -> &State {
        &self.states[at]
    }

    /// The same, to be overwritten.
    pub fn state_mut(&mut self, at: usize) -> &mut State {
        &mut self.states[at]
    }

    /// Whether play is over there.
    pub fn is_over(&self, at: usize) -> bool {
        self.over[at]
    }

    /// Says that it is.
    pub fn end(&mut self, at: usize) {
        self.over[at] = true;
    }

    /// How many legal moves each role has there; means nothing where play is over.
    pub fn choices(&self, at: usize) -> &[u32] {
        &self.choices[at * self.roles..][..self.roles]
    }

    /// The same, to be overwritten.
    pub fn choices_mut(&mut self, at: usize) -> &mut [u32] {
        &mut self.choices[at * self.roles..][..self.roles]
    }

    /// What is foreseen there, if anything is; nothing where somebody has no move, as where play is over.
    pub fn outlook(&self, at: usize) -> Option<Outlook> {
        self.outlooks[at].filter(|_| self.choices(at).iter().all(|&count| count > 0))
    }

    /// Says what is.
    pub fn foresee(&mut self, at: usize, outlook: Outlook) {
        self.outlooks[at] = Some(outlook);
    }
}

/// Looks at what many moves lead to in about the time that an engine takes for a few.
///
/// It knows the states and moves of one engine and its forks, and says what these say.
pub trait Fans: Send {
    /// The least number of moves for which it is faster than the engine.
    fn least(&self) -> usize;

    /// Replaces `fan` by what comes of each of these moves of `role` in a state in which play is not over, while the
    /// others make theirs of `joint`. All have to be legal.
    ///
    /// # Errors
    /// If a state or a move is none of this game.
    fn fan(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        moves: &[MoveId],
        fan: &mut Fan,
    ) -> Result<(), EngineError>;

    /// From now on tells outlooks, too, which takes longer. Whether it can.
    fn foresee(&mut self) -> bool {
        false
    }

    /// The same for another thread.
    fn fork(&self) -> Box<dyn Fans>;
}
