//! The one interface that every engine offers and every player uses.
//!
//! An [`Engine`] knows the rules of one game and answers the questions that play asks: which
//! roles there are, how it begins, what is legal, what comes next, whether it is over, and what
//! the results are. States and moves are opaque and small; GDL terms appear only where they
//! enter or leave. Searches and analyses are written against this trait alone, so that engines
//! are interchangeable.
//!
//! The trait is object-safe on purpose: a player picks its engine per game at run time, and a
//! virtual call costs nothing beside a transition.

mod fan;
mod in_time;
mod pace;
mod playout;
mod playouts;
mod state;

pub use fan::{Fan, Fans, Outlook, Parent};
pub use gdl_parse::GroundTerm;
pub use in_time::legal_in_time;
pub use pace::Pace;
pub use playout::{Playout, playout};
pub use playouts::{Ends, Playouts, ScalarPlayouts, Start, Tally};
pub use state::{State, Words};

use budget::{Budget, Exhausted};

/// A role's position in the order of the rulesheet's `role` facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub usize);

/// A move of one role in one engine. Only meaningful together with that role and that engine or
/// its forks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(pub u32);

/// Why an engine could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The answer would have taken more time or memory than allowed.
    #[error("the rules could not be evaluated: {0}")]
    Exhausted(Exhausted),
    /// The engine does not know the fact. It cannot hold in any state that play reaches.
    #[error("the fact {0} cannot hold in this game")]
    UnknownFact(GroundTerm),
    /// The rules themselves cannot be evaluated.
    #[error("{0}")]
    Rules(String),
}

impl From<Exhausted> for EngineError {
    fn from(exhausted: Exhausted) -> Self {
        EngineError::Exhausted(exhausted)
    }
}

/// The whole part of `count` · `random` / 2⁶⁴, a number below `count`.
///
/// All numbers are equally likely but for one part in 2⁶⁴ / `count` (Lemire, "Fast Random
/// Integer Generation in an Interval", 2019).
#[inline]
pub fn share(random: u64, count: usize) -> usize {
    ((u128::from(random) * count as u128) >> 64) as usize
}

/// What every engine offers.
///
/// All answers are exact and repeatable: the same question gets the same answer, lists in the
/// same order, from an engine and all its forks. Methods take `&mut self` because engines keep
/// scratch space and tables. No method changes later answers.
pub trait Engine: Send {
    /// What kind of engine this is, for logs: `reasoner`, `propnet`, ...
    fn name(&self) -> &'static str;

    /// The roles in the order of the rulesheet; moves of a joint move come in the same order.
    fn roles(&self) -> &[GroundTerm];

    /// The initial state.
    fn initial(&self) -> State;

    /// Whether the state is terminal.
    ///
    /// # Errors
    /// If the rules could not be evaluated, as for all methods below.
    fn terminal(&mut self, state: &State) -> Result<bool, EngineError>;

    /// Replaces `moves` with the legal moves of `role`.
    ///
    /// In a terminal state, and in games that are not well formed, the list may be empty.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError>;

    /// Picks one of the moves that [`Engine::legal`] lists. `None` if there is none.
    ///
    /// Of n moves it is that at position ⌊`random` · n / 2⁶⁴⌋. If `random` is uniform, all
    /// moves are equally likely. `moves` is scratch space.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    fn pick(
        &mut self,
        state: &State,
        role: RoleId,
        random: u64,
        moves: &mut Vec<MoveId>,
    ) -> Result<Option<MoveId>, EngineError> {
        self.legal(state, role, moves)?;
        Ok(moves.get(share(random, moves.len())).copied())
    }

    /// Finds a legal move of `role` with as little work as possible. `None` if there is none.
    ///
    /// It may be any of those that [`Engine::legal`] lists. Where there are hundreds of thousands
    /// of moves, this is far faster than a list.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    fn some_legal(&mut self, state: &State, role: RoleId) -> Result<Option<MoveId>, EngineError> {
        self.pick(state, role, 0, &mut Vec::new())
    }

    /// Overwrites `next` with the successor of `state` under the joint move `joint`.
    ///
    /// `joint` holds one move for each role, in order.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError>;

    /// The result of `role`, 0 to 100; `None` where the rules define none or several.
    ///
    /// A value that is not a whole number from 0 to 100 is no result, and does not count. Any
    /// state may be asked, not only terminal ones.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError>;

    /// The facts that hold in `state`, without the `true`, sorted by their text.
    fn facts(&mut self, state: &State) -> Vec<GroundTerm>;

    /// The state in which exactly `facts` hold.
    ///
    /// # Errors
    /// [`EngineError::UnknownFact`] where an engine knows that a fact can never hold.
    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError>;

    /// The move as a GDL term.
    fn move_term(&mut self, role: RoleId, mv: MoveId) -> GroundTerm;

    /// The move that `term` denotes, whether or not it is legal now. `None` if the engine knows
    /// that it is never legal.
    ///
    /// Names are compared exactly.
    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId>;

    /// Bounds every question from now on: one that takes beyond the deadline of `budget`, or is
    /// called off by it, fails with [`EngineError::Exhausted`]. Replaces the bound that was set
    /// before. Forks are not bounded. Engines that answer every question in microseconds may
    /// ignore it.
    fn set_budget(&mut self, budget: &Budget) {
        let _ = budget;
    }

    /// A second engine for another thread. Both use the same values for states and moves.
    fn fork(&self) -> Box<dyn Engine>;

    /// Overwrites `bits` with the facts of `state`, one bit for each base proposition.
    ///
    /// The order is that of the vocabulary of the network that the engine was made from.
    /// Returns `false` if there is no such order.
    fn bits(&self, state: &State, bits: &mut State) -> bool {
        let _ = (state, bits);
        false
    }

    /// Like [`Engine::bits`], but updates `bits`, which holds the facts of `known`.
    ///
    /// Either may be empty; then everything is written. For states that differ little this is
    /// faster.
    fn bits_since(&self, known: &State, state: &State, bits: &mut State) -> bool {
        let _ = known;
        self.bits(state, bits)
    }

    /// Whether each bit of a state's words is one fact.
    ///
    /// Then callers can compare facts of states directly in their words. Only [`Engine::bits`]
    /// reports which fact is which.
    fn is_plain(&self) -> bool {
        false
    }
}
