//! Players that search a graph.

use crate::{BestMove, Player, PlayerError, Setup};
use budget::Budget;
use game::{Engine, MoveId, RoleId, ScalarPlayouts, State};
use mcts::{Config, Limits, Report, Search, SearchError};

/// Transitions in a playout after which it is cut.
///
/// A well-formed game ends by itself, so this only guards against those that do not.
const MAX_STEPS: usize = 5_000;

/// How a player searches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    /// The parameters of the search.
    pub config: Config,
    /// Whether it searches through the start clock.
    pub prepare: bool,
    /// Whether the graph is kept from move to move.
    pub reuse: bool,
}

/// What it takes to begin a search.
struct Match {
    engine: Box<dyn Engine>,
    role: RoleId,
    seed: u64,
    threads: usize,
    memory: usize,
}

/// Graph search by a profile.
pub(crate) struct Grapher {
    name: String,
    profile: Profile,
    /// For each choice and for the start clock, on top of the budget.
    limits: Limits,
    of: Option<Match>,
    search: Option<Search>,
    last: Option<Report>,
}

impl Grapher {
    pub fn new(name: String, profile: Profile, limits: Limits) -> Self {
        Grapher {
            name,
            profile,
            limits,
            of: None,
            search: None,
            last: None,
        }
    }

    fn begin(&self, of: &Match) -> Search {
        let playouts = ScalarPlayouts::new(of.engine.fork(), of.seed, MAX_STEPS);
        Search::new(
            of.engine.fork(),
            Box::new(playouts),
            of.role,
            of.seed,
            of.threads,
            of.memory,
            self.profile.config.clone(),
        )
    }
}

impl Player for Grapher {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, setup: Setup, budget: &Budget) -> Result<(), PlayerError> {
        let of = Match {
            engine: setup.engine,
            role: setup.role,
            seed: setup.seed,
            threads: setup.threads,
            memory: setup.memory,
        };
        let mut search = self.begin(&of);
        if self.profile.prepare {
            // A failure here says nothing about the states to come.
            let _ = search.ponder(&of.engine.initial(), self.limits, budget);
        }
        self.search = Some(search);
        self.of = Some(of);
        self.last = None;
        Ok(())
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        let again = self.last.is_some() && !self.profile.reuse;
        self.last = None;
        if let Some(of) = self.of.as_ref().filter(|_| again) {
            self.search = Some(self.begin(of));
        }
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
        let candidate = report.candidate?;
        let known = match (candidate.value, candidate.bounds.is_exact()) {
            (_, true) => format!("{} proved", candidate.bounds.low),
            (Some(value), _) => format!("value {value:.1}"),
            _ => format!("chance {:.2}", candidate.chance),
        };
        let mut text = format!(
            "{known} from {} visits; {} playouts, {} nodes",
            candidate.visits, report.playouts, report.nodes
        );
        if report.failures > 0 {
            text += &format!(", {} ways failed", report.failures);
        }
        Some(text)
    }
}
