//! What several moves of one role lead to, looked at together.

use crate::{EngineError, MoveId, RoleId, State};

/// What each of several moves leads to, in their order. Kept to be used again.
#[derive(Debug, Clone, Default)]
pub struct Fan {
    roles: usize,
    len: usize,
    /// Of these and the next only the first ones count.
    states: Vec<State>,
    over: Vec<bool>,
    choices: Vec<u32>,
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

    /// The same for another thread.
    fn fork(&self) -> Box<dyn Fans>;
}
