//! The search as players use it: workers that share a graph, which is kept from move to move.
//!
//! The only module that starts threads. All threads descend through one graph with a lock for
//! each node, and pending visits count as virtual losses for the other threads ("tree
//! parallelisation with local mutexes and virtual loss": Chaslot, Winands and van den Herik,
//! "Parallel Monte-Carlo tree search", 2008). With one graph for each thread, of which only the
//! statistics at the root were merged (root parallelisation), there were more playouts; that it
//! played better was not shown.

mod batch;
mod builder;
mod leaf_values;
mod proofs;
mod questions;
mod reach;
mod report;
mod run;
mod worker;

pub use crate::answer::{Candidate, Forecast};
pub use builder::Builder;
pub use questions::Question;
pub use report::{Report, SoFar};

use crate::answer::{best, candidates};
#[cfg(test)]
use crate::graph::Graph;
use crate::stages::StageTimes;
use crate::{Config, Limits};
use budget::Budget;
use game::{Engine, EngineError, MoveId, Playouts, RoleId, State};
use rand::RngExt;
use report::Counts;
use run::Run;
use std::sync::atomic::{AtomicBool, AtomicU64};
use worker::Worker;

/// Receives the best move so far, with what the search has found, from any thread.
pub type Publish<'a> = &'a (dyn Fn(&SoFar<'_>) + Sync);

/// Why a search has no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The engine failed before any legal move was known.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The role has no legal move in this state.
    #[error("there is no legal move")]
    NoLegalMove,
}

/// A search for one role of one match.
pub struct Search {
    config: Config,
    role: RoleId,
    forecast: Option<Forecast>,
    workers: Vec<Worker>,
}

impl Search {
    /// Begins a search of `engine` with `playouts`, which must know its states. By default it
    /// plays the first role with one thread.
    pub fn builder(engine: Box<dyn Engine>, playouts: Box<dyn Playouts>) -> Builder {
        Builder::new(engine, playouts)
    }

    /// The graph and its root.
    #[cfg(test)]
    pub(crate) fn root(&self) -> Option<(&Graph, crate::node::NodeRef)> {
        self.workers[0].root()
    }

    /// Sets what another role is expected to play in the state that is searched next. Replaces an
    /// earlier forecast.
    pub fn foresee(&mut self, forecast: Option<Forecast>) {
        self.forecast = forecast;
    }

    /// Searches for the best move in `state` until `budget` ends, `limits` are reached, or the
    /// result is proved. Publishes a legal move as soon as one is known, then the best so far. A
    /// role without a choice gets its move at once.
    ///
    /// # Errors
    /// If no legal move could be found.
    pub fn choose(
        &mut self,
        state: &State,
        limits: Limits,
        budget: &Budget,
        publish: Publish<'_>,
    ) -> Result<Report, SearchError> {
        let role = self.role;
        self.bound(budget);
        let first = &mut self.workers[0];
        let unsearched = |mv| publish(&SoFar::new(mv, &|| Report::unsearched(mv)));
        let engine = first.expander.engine();
        let moves = game::legal_in_time(engine, state, role, budget, &unsearched)?;
        if moves.is_empty() {
            return Err(SearchError::NoLegalMove);
        }
        let fallback = moves[first.rng.random_range(0..moves.len())];
        unsearched(fallback);
        let mut counts = Counts::default();
        let has_choice = moves.len() > 1 && self.set_root(state, false).unwrap_or(false);
        counts.known = self.visits();
        if has_choice {
            counts = self.run(None, limits, budget, publish);
        }
        let mut found = Vec::new();
        if let Some((graph, root)) = self.workers[0].root().filter(|_| has_choice) {
            let last = Some(self.forecast.as_ref());
            found = candidates(graph, root, role.0, &self.config, last);
        }
        let place = best(&found, &self.config, &mut self.workers[0].rng);
        let report = self.workers[0].report(fallback, &found, place, &self.config, counts);
        publish(&SoFar::new(report.best, &|| report.clone()));
        Ok(report)
    }

    /// Searches `state` without choosing a move, to grow the graph for later. Returns the number
    /// of playouts.
    ///
    /// # Errors
    /// If the engine could not evaluate `state`.
    pub fn ponder(
        &mut self,
        state: &State,
        limits: Limits,
        budget: &Budget,
    ) -> Result<u64, EngineError> {
        self.bound(budget);
        if !self.set_root(state, true)? {
            return Ok(0);
        }
        Ok(self.run(None, limits, budget, &|_| ()).playouts)
    }

    /// Searches like [`Search::ponder`], and returns the value of `state` for the role, 0 to 100:
    /// the mean, or the result if that is proved.
    ///
    /// # Errors
    /// If the engine could not evaluate `state`.
    pub fn worth(
        &mut self,
        state: &State,
        limits: Limits,
        budget: &Budget,
    ) -> Result<f64, EngineError> {
        self.ponder(state, limits, budget)?;
        let root = self.workers[0].root();
        let root = root.and_then(|(graph, root)| graph.get(root));
        Ok(root.map_or(50.0, |root| {
            100.0 * root.stats[self.role.0].value(root.samples)
        }))
    }

    /// Ponders after the role has decided to play `own` in `state`, while the moves of the others
    /// are not known yet: all of them are searched, with this one move of ours. Returns the
    /// number of playouts.
    ///
    /// # Errors
    /// If the engine could not evaluate `state`.
    pub fn ponder_after(
        &mut self,
        state: &State,
        own: MoveId,
        limits: Limits,
        budget: &Budget,
    ) -> Result<u64, EngineError> {
        self.bound(budget);
        let engine = self.workers[0].expander.engine();
        let (mut joint, mut others) = (Vec::new(), false);
        let mut moves = Vec::new();
        for role in 0..engine.roles().len() {
            engine.legal(state, RoleId(role), &mut moves)?;
            others |= role != self.role.0 && moves.len() > 1;
            match moves.first() {
                _ if role == self.role.0 => joint.push(own),
                Some(&only) => joint.push(only),
                None => return Ok(0),
            }
        }
        if !others {
            let mut next = State::default();
            engine.next(state, &joint, &mut next)?;
            return self.ponder(&next, limits, budget);
        }
        if !self.set_root(state, false)? {
            return Ok(0);
        }
        let fixed = Some((self.role.0, own));
        Ok(self.run(fixed, limits, budget, &|_| ()).playouts)
    }

    /// Measures the stages of the first thread from now on, and forgets what was measured before.
    pub fn measure_stages(&mut self) {
        self.workers[0].stages = StageTimes::measured();
    }

    /// The time that the first thread spent in each stage since [`Search::measure_stages`].
    pub fn stages(&self) -> &StageTimes {
        &self.workers[0].stages
    }

    /// Bounds all questions to the engines by the budget of a search.
    fn bound(&mut self, budget: &Budget) {
        for worker in &mut self.workers {
            worker.expander.engine().set_budget(budget);
        }
    }

    /// Visits of the root.
    fn visits(&self) -> u32 {
        self.workers[0].visits()
    }

    /// Makes `state` the root, or with `skip` the first state from it that offers a choice.
    /// `false` if there is no choice.
    fn set_root(&mut self, state: &State, skip: bool) -> Result<bool, EngineError> {
        let choice = self.workers[0].set_root(state, skip, &self.config)?;
        self.share_root();
        if self.config.amaf.on {
            self.workers.iter_mut().for_each(Worker::start_watching);
        }
        Ok(choice)
    }

    /// Gives all workers the root of the first one.
    fn share_root(&mut self) {
        if let Some((first, others)) = self.workers.split_first_mut() {
            for worker in others {
                (worker.graph, worker.root) = (first.graph.handle(), first.root);
                (worker.reprove, worker.proof_queue) = (first.reprove, first.proof_queue.clone());
            }
        }
    }

    /// Runs all workers until the budget or the limits are used up. With `fixed`, a role and its
    /// move, that role plays no other move at the root.
    fn run(
        &mut self,
        fixed: Option<(usize, MoveId)>,
        limits: Limits,
        budget: &Budget,
        publish: Publish<'_>,
    ) -> Counts {
        let known = self.visits();
        let run = Run {
            fixed,
            began: budget.clock().now(),
            config: &self.config,
            role: self.role,
            done: AtomicBool::new(false),
            playouts: AtomicU64::new(0),
            passed: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            limits,
            budget,
            publish,
        };
        if let Some((first, others)) = self.workers.split_first_mut() {
            std::thread::scope(|scope| {
                for worker in others {
                    scope.spawn(|| run.work(worker, false));
                }
                run.work(first, true);
            });
        }
        run.counts(known)
    }
}
