//! What every player offers.

use crate::BestMove;
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

/// What the search for one choice did.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Work {
    /// Playouts, and visits of what was solved.
    pub playouts: u64,
    /// States passed, each time that one is, in the search and in playouts.
    pub passed: u64,
    /// Nodes that the search holds.
    pub nodes: usize,
    /// How long it searched, by the clock of its budget.
    pub time: Duration,
}

/// Plays one role of one match at a time, in process.
pub trait Player: Send {
    /// Who it is, as [`crate::Spec`] reads it.
    fn name(&self) -> &str;

    /// Prepares for a match, forgetting any earlier one. May use all of `budget`, the start clock.
    ///
    /// # Errors
    /// If it cannot play this game at all.
    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError>;

    /// Chooses a legal move in `state`, which need not follow from the state seen last. Publishes
    /// to `best` from early on and returns soon after `budget` ends.
    ///
    /// # Errors
    /// If no legal move could be found; never merely because time is short.
    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError>;

    /// Thinks on while others do, until `budget` ends or is called off, and returns soon after that.
    /// `state` is the one that the player saw last, and `own` what was answered in it for its role;
    /// `None` before the first turn.
    ///
    /// Nobody may call that who lets several players think at the same time on one core: it would
    /// be at the cost of the others.
    fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        let _ = (state, own, budget);
    }

    /// What the last choice took, if it was searched for.
    fn work(&self) -> Option<Work> {
        None
    }

    /// What was decided about the game since [`Player::start`], and why, if anything was.
    fn plan(&self) -> Option<&Plan> {
        None
    }

    /// One line on why the last choice was made (visits, value, playouts), if there is something
    /// to say.
    fn explain(&self) -> Option<String> {
        None
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

    fn explain(&self) -> Option<String> {
        (**self).explain()
    }
}
