//! The yardstick: plain UCT with its parameters frozen.

use crate::{BestMove, Player, PlayerError, Setup};
use budget::Budget;
use game::{MoveId, State};
use mcts::{Config, Report, Search, SearchError};

/// Monte-Carlo tree search with [`mcts::Config::default`], which stays as it is so that later
/// profiles can be measured against it.
///
/// It searches through the whole start clock, keeps its tree from move to move, and answers at
/// once where it has no choice.
#[derive(Default)]
pub struct Baseline {
    search: Option<Search>,
    last: Option<Report>,
    /// Playouts per choice, on top of the budget; for tests and matches that must repeat.
    playouts: Option<u64>,
}

impl Baseline {
    /// A player that makes at most that many playouts per choice, and as many in the start clock.
    pub fn with_playouts(playouts: u64) -> Self {
        Baseline {
            playouts: Some(playouts),
            ..Baseline::default()
        }
    }
}

impl Player for Baseline {
    fn name(&self) -> &str {
        "baseline"
    }

    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError> {
        let initial = setup.engine.initial();
        let mut search = Search::new(
            setup.engine,
            setup.role,
            setup.seed,
            setup.threads,
            setup.memory,
            Config::default(),
        );
        // A failure here says nothing about the states to come.
        let _ = search.ponder(&initial, self.playouts, budget);
        self.search = Some(search);
        self.last = None;
        Ok(())
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        self.last = None;
        let search = self.search.as_mut().ok_or(PlayerError::NotStarted)?;
        let publish = |mv| best.publish(mv);
        let report = search
            .choose(state, self.playouts, budget, &publish)
            .map_err(|error| match error {
                SearchError::Engine(error) => PlayerError::Engine(error),
                _ => PlayerError::NoLegalMove,
            })?;
        let mv = report.best;
        self.last = Some(report);
        Ok(mv)
    }

    fn explain(&self) -> Option<String> {
        let report = self.last.as_ref()?;
        let value = report.value?;
        let mut text = format!(
            "value {value:.1} from {} visits; {} playouts, {} nodes",
            report.visits, report.playouts, report.nodes
        );
        if report.failures > 0 {
            text += &format!(", {} playouts failed", report.failures);
        }
        Some(text)
    }
}
