//! Players that search a tree.

use crate::{BestMove, Player, PlayerError, Setup};
use budget::Budget;
use game::{MoveId, State};
use yardstick::{Config, Limits, Report, Search, SearchError};

/// The settings of a tree player.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    /// The parameters of the search.
    pub config: Config,
    /// Whether it searches until the start clock ends.
    pub prepare: bool,
}

/// Monte-Carlo tree search by a profile.
pub(crate) struct TreePlayer {
    name: String,
    profile: Profile,
    /// Limits for each choice and for the start clock, besides the budget.
    limits: Limits,
    search: Option<Search>,
    last: Option<Report>,
}

impl TreePlayer {
    pub fn new(name: String, profile: Profile, limits: Limits) -> Self {
        TreePlayer {
            name,
            profile,
            limits,
            search: None,
            last: None,
        }
    }
}

impl Player for TreePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError> {
        let initial = setup.playable.engine.initial();
        let mut search = Search::new(
            setup.playable.engine,
            setup.role,
            setup.seed,
            setup.threads,
            setup.memory,
            self.profile.config.clone(),
        );
        if self.profile.prepare {
            // A failure here says nothing about later states.
            let _ = search.ponder(&initial, self.limits, budget);
        }
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
            .choose(state, self.limits, budget, &publish)
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
