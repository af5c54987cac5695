//! The interface of players.

use crate::{BestMove, Thought};
use budget::Budget;
use game::{EngineError, MoveId, State};
use metagame::{Plan, Setup};
use std::time::Duration;

/// Why a player could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The engine failed before any legal move was known.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The role has no legal move in this state.
    #[error("there is no legal move")]
    NoLegalMove,
    /// [`Player::choose`] was called before [`Player::start`].
    #[error("the match was not started")]
    NotStarted,
}

/// The work of the search for one choice.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Work {
    /// Playouts, and visits of solved nodes.
    pub playouts: u64,
    /// States visited in the search and in playouts, each counted on every visit.
    pub passed: u64,
    /// Nodes that the search holds.
    pub nodes: usize,
    /// How long it searched, by the clock of its budget.
    pub time: Duration,
}

/// Plays one role of one match at a time, in process.
pub trait Player: Send {
    /// The player's name, in the form that [`crate::Spec`] reads.
    fn name(&self) -> &str;

    /// Prepares for a match and forgets any earlier one. May use all of `budget`, the start
    /// clock.
    ///
    /// # Errors
    /// If it cannot play this game at all.
    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError>;

    /// Chooses a legal move in `state`, which need not follow from the state of the last call.
    ///
    /// Publishes to `best` from early on, answers questions there, and returns soon after
    /// `budget` ends.
    ///
    /// # Errors
    /// If no legal move could be found; never merely because time is short.
    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError>;

    /// Ponders while others think, until `budget` ends or is stopped, and returns soon after
    /// that.
    ///
    /// `state` is the last state that the player got, and `own` the move that was answered in
    /// it for its role; `None` before the first turn.
    ///
    /// A caller that lets several players think at the same time on one core must not call
    /// this: it would take time from the others.
    fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        let _ = (state, own, budget);
    }

    /// The work of the last choice, if there was a search.
    fn work(&self) -> Option<Work> {
        None
    }

    /// The plan for the game since [`Player::start`], if there is one.
    fn plan(&self) -> Option<&Plan> {
        None
    }

    /// What it found out about its last choice, if there was a search or a proof.
    fn thought(&self) -> Option<&Thought> {
        None
    }

    /// One line on the reason for the last choice (visits, value, playouts), if there is one.
    fn explain(&self) -> Option<String> {
        self.thought().map(ToString::to_string)
    }
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError> {
        (**self).start(setup, budget)
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        (**self).choose(state, best, budget)
    }

    fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        (**self).ponder(state, own, budget);
    }

    fn work(&self) -> Option<Work> {
        (**self).work()
    }

    fn plan(&self) -> Option<&Plan> {
        (**self).plan()
    }

    fn thought(&self) -> Option<&Thought> {
        (**self).thought()
    }

    fn explain(&self) -> Option<String> {
        (**self).explain()
    }
}
