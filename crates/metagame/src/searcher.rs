//! The searches that a game can be played with, behind one interface.

use budget::Budget;
use game::{EngineError, MoveId, State};

/// How moves are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Graph search whose leaves are worth what playouts come to.
    Playouts,
    /// Graph search whose leaves are worth half what playouts come to, and half what was learnt.
    Mixed,
    /// Best-first minimax with what was learnt.
    BestFirst,
}

impl Method {
    /// The name in plans and logs.
    pub fn name(self) -> &'static str {
        match self {
            Method::Playouts => "playouts",
            Method::Mixed => "playouts and value",
            Method::BestFirst => "best-first",
        }
    }
}

/// A search for one role, as far as a duel needs it. Another method is another implementation.
pub(crate) trait Searcher {
    /// The best move within the budget.
    fn choose(&mut self, state: &State, budget: &Budget) -> Result<MoveId, Failed>;
}

/// Why there is no move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failed {
    /// The engine failed, or there is no legal move.
    Engine(EngineError),
    /// The method does not know states of this kind.
    Unsuitable,
}

impl Searcher for mcts::Search {
    fn choose(&mut self, state: &State, budget: &Budget) -> Result<MoveId, Failed> {
        let report = self.choose(state, mcts::Limits::default(), budget, &|_| ());
        report
            .map(|report| report.best)
            .map_err(|error| match error {
                mcts::SearchError::Engine(error) => Failed::Engine(error),
                _ => Failed::Engine(EngineError::Rules("there is no legal move".into())),
            })
    }
}

impl Searcher for bestfirst::Search {
    fn choose(&mut self, state: &State, budget: &Budget) -> Result<MoveId, Failed> {
        let report = self.choose(state, u64::MAX, budget, &|_| ());
        report
            .map(|report| report.best)
            .map_err(|error| match error {
                bestfirst::SearchError::Engine(error) => Failed::Engine(error),
                bestfirst::SearchError::Simultaneous => Failed::Unsuitable,
                _ => Failed::Engine(EngineError::Rules("there is no legal move".into())),
            })
    }
}
