//! Players that search a tree.

use crate::{BestMove, Player, PlayerError, Setup, Thought};
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use yardstick::{Config, Limits, Search, SearchError};

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
    /// An engine that knows the names of moves, and the own role.
    names: Option<(Box<dyn Engine>, RoleId)>,
    last: Option<Thought>,
}

impl TreePlayer {
    pub fn new(name: String, profile: Profile, limits: Limits) -> Self {
        TreePlayer {
            name,
            profile,
            limits,
            search: None,
            names: None,
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
        self.names = Some((setup.playable.engine.fork(), setup.role));
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
        self.last = self.names.as_mut().and_then(|(engine, role)| {
            let term = engine.move_term(*role, mv);
            Thought::of_tree(&report, term)
        });
        Ok(mv)
    }

    fn thought(&self) -> Option<&Thought> {
        self.last.as_ref()
    }
}
