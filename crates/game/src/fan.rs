//! Several moves of one role, evaluated together.

use crate::{EngineError, MoveId, RoleId, State};

/// One ply of look-ahead from a state in which one role chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// The role that chooses.
    pub role: RoleId,
    /// Whether one of its moves ends play at once with a result of 100 for it.
    pub wins: bool,
    /// The role that chooses next, and the number of moves after which that role has no such
    /// winning move. `None` if unknown.
    pub careful: Option<(RoleId, u32)>,
}

impl Outlook {
    /// The role that wins whatever the others do, and within how many joint moves. `None` if
    /// neither is known.
    pub fn winner(&self) -> Option<(RoleId, u16)> {
        match self.careful {
            _ if self.wins => Some((self.role, 1)),
            Some((then, 0)) => Some((then, 2)),
            _ => None,
        }
    }
}

/// The successors of several moves, in the order of the moves.
///
/// Callers keep one and reuse its memory.
#[derive(Debug, Clone, Default)]
pub struct Fan {
    roles: usize,
    len: usize,
    /// Only the first `len` entries of this and the next fields count.
    states: Vec<State>,
    over: Vec<bool>,
    choices: Vec<u32>,
    outlooks: Vec<Option<Outlook>>,
}

impl Fan {
    /// Prepares for `len` moves in a game with `roles` roles.
    ///
    /// Afterwards no successor is terminal, no role has a move in any, and the states hold
    /// leftovers that the caller overwrites.
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

    /// Moves the successors of another fan behind those of this one.
    fn append(&mut self, other: &mut Fan) {
        for state in &mut other.states[..other.len] {
            if self.states.len() == self.len {
                self.states.push(State::default());
            }
            std::mem::swap(&mut self.states[self.len], state);
            self.len += 1;
        }
        self.over.append(&mut other.over);
        self.choices.append(&mut other.choices);
        self.outlooks.append(&mut other.outlooks);
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The successor of a move.
    pub fn state(&self, at: usize) -> &State {
        &self.states[at]
    }

    /// The successor of a move, to be overwritten.
    pub fn state_mut(&mut self, at: usize) -> &mut State {
        &mut self.states[at]
    }

    /// Whether the successor is terminal.
    pub fn is_over(&self, at: usize) -> bool {
        self.over[at]
    }

    /// Marks the successor as terminal.
    pub fn end(&mut self, at: usize) {
        self.over[at] = true;
    }

    /// The number of legal moves of each role in the successor. Meaningless if it is terminal.
    pub fn choices(&self, at: usize) -> &[u32] {
        &self.choices[at * self.roles..][..self.roles]
    }

    /// The numbers of legal moves, to be overwritten.
    pub fn choices_mut(&mut self, at: usize) -> &mut [u32] {
        &mut self.choices[at * self.roles..][..self.roles]
    }

    /// The look-ahead from the successor, if known. `None` if a role has no move there, as in
    /// terminal states.
    pub fn outlook(&self, at: usize) -> Option<Outlook> {
        self.outlooks[at].filter(|_| self.choices(at).iter().all(|&count| count > 0))
    }

    /// Sets the look-ahead from the successor.
    pub fn foresee(&mut self, at: usize, outlook: Outlook) {
        self.outlooks[at] = Some(outlook);
    }
}

/// A state that is not terminal, and moves of a role there.
#[derive(Debug, Clone, Copy)]
pub struct Parent<'a> {
    /// The state.
    pub state: &'a State,
    /// A joint move: what the other roles play.
    pub joint: &'a [MoveId],
    /// The role.
    pub role: RoleId,
    /// Its moves, all legal.
    pub moves: &'a [MoveId],
}

/// Evaluates the successors of many moves in about the time that an engine takes for a few.
///
/// It understands the states and moves of one engine and its forks, and gives the same answers
/// as they do.
pub trait Fans: Send {
    /// The least number of moves for which it is faster than the engine.
    fn least(&self) -> usize;

    /// Replaces `fan` by the successors of these moves of `role` in `state`.
    ///
    /// The other roles make their moves of `joint`. `state` must not be terminal, and all moves
    /// must be legal.
    ///
    /// # Errors
    /// If a state or a move does not belong to this game.
    fn fan(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        moves: &[MoveId],
        fan: &mut Fan,
    ) -> Result<(), EngineError>;

    /// Replaces `fan` by the successors of the moves of all parents, one parent after the other.
    ///
    /// For many parents with few moves each this is faster than one [`Fans::fan`] for each.
    ///
    /// # Errors
    /// If a state or a move does not belong to this game.
    fn fan_all(&mut self, parents: &[Parent<'_>], fan: &mut Fan) -> Result<(), EngineError> {
        let roles = parents.first().map_or(0, |parent| parent.joint.len());
        fan.reset(roles, 0);
        let mut one = Fan::default();
        for &Parent {
            state,
            joint,
            role,
            moves,
        } in parents
        {
            self.fan(state, joint, role, moves, &mut one)?;
            fan.append(&mut one);
        }
        Ok(())
    }

    /// Computes outlooks too from now on, which takes longer. Returns whether it can.
    fn foresee(&mut self) -> bool {
        false
    }

    /// A second evaluator of the same game for another thread.
    fn fork(&self) -> Box<dyn Fans>;
}
