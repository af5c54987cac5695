//! The search as players use it: workers on one tree, kept from move to move.
//!
//! This is the only module that knows threads. The tree is behind one lock that is held for
//! selection and for backpropagation, never while an engine works. Playouts take so much longer
//! that a few threads hardly ever wait for each other.

use crate::node::Node;
use crate::tree::Tree;
use crate::worker::Worker;
use crate::{Config, Limits};
use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use parking_lot::Mutex;
use rand::RngExt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A callback that receives the best move so far, from any thread.
pub type Publish<'a> = &'a (dyn Fn(MoveId) + Sync);

/// Why there is no move.
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

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The move with the most visits; a random one if no playout finished.
    pub best: MoveId,
    /// Playouts through that move, including earlier searches of the same tree.
    pub visits: u32,
    /// Their mean result for the role, 0 to 100; `None` if there were none.
    pub value: Option<f64>,
    /// Playouts of this search.
    pub playouts: u64,
    /// Transitions of this search.
    pub steps: u64,
    /// States visited by this search, in the tree and in playouts, as bounded by
    /// [`Limits::nodes`].
    pub passed: u64,
    /// Playouts that the engine could not finish, which also count as playouts.
    pub failures: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
}

/// A search for one role of one match.
pub struct Search {
    config: Config,
    role: RoleId,
    tree: Mutex<Tree>,
    workers: Vec<Worker>,
}

impl Search {
    /// A search for `role` with `threads` threads (at least one) and a tree of at most `memory`
    /// bytes.
    ///
    /// With one thread and a bound on playouts alone, everything it does repeats for the same
    /// `seed`.
    pub fn new(
        engine: Box<dyn Engine>,
        role: RoleId,
        seed: u64,
        threads: usize,
        memory: usize,
        config: Config,
    ) -> Self {
        let mut engines = vec![engine];
        for _ in 1..threads.max(1) {
            let fork = engines[0].fork();
            engines.push(fork);
        }
        let workers = engines
            .into_iter()
            .zip(seed..)
            .map(|(engine, seed)| Worker::new(engine, seed, config.clone()))
            .collect();
        Search {
            config,
            role,
            tree: Mutex::new(Tree::new(memory)),
            workers,
        }
    }

    /// Searches for the best move in `state` until `budget` ends or `limits` are reached.
    ///
    /// Publishes a legal move as soon as one is known, then the best so far every few playouts.
    /// A role without a choice gets its move at once.
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
        let moves = game::legal_in_time(first.engine(), state, role, budget, publish)?;
        if moves.is_empty() {
            return Err(SearchError::NoLegalMove);
        }
        let fallback = moves[first.rng().random_range(0..moves.len())];
        publish(fallback);
        let (mut playouts, mut passed, mut steps, mut failures) = (0, 0, 0, 0);
        // Without a node for the state there is nothing to search, but the fallback is legal.
        if moves.len() > 1 && self.plant(state, false, budget).unwrap_or(false) {
            (playouts, passed) = self.run(limits, budget, publish);
            for worker in &mut self.workers {
                let counts = worker.take_counts();
                steps += counts.0;
                failures += counts.1;
            }
        }
        let tree = self.tree.lock();
        // If nothing was searched, the tree may still be that of another state.
        let here = tree.root().is_some_and(|root| root.state == *state);
        let best = tree.best(role, self.workers[0].rng()).filter(|_| here);
        if let Some(best) = best {
            publish(best.mv);
        }
        Ok(Report {
            best: best.map_or(fallback, |arm| arm.mv),
            visits: best.map_or(0, |arm| arm.visits),
            value: best.map(|arm| 100.0 * arm.mean()),
            playouts,
            steps,
            passed,
            failures,
            nodes: tree.len(),
            bytes: tree.bytes(),
        })
    }

    /// Searches from `state` on without choosing a move, so that the tree is ready when it is
    /// needed.
    ///
    /// Returns the number of playouts.
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
        if !self.plant(state, true, budget)? {
            return Ok(0);
        }
        let (playouts, _) = self.run(limits, budget, &|_| ());
        for worker in &mut self.workers {
            worker.take_counts();
        }
        Ok(playouts)
    }

    /// Bounds all questions to the engines by the budget of a search.
    fn bound(&mut self, budget: &Budget) {
        for worker in &mut self.workers {
            worker.engine().set_budget(budget);
        }
    }

    /// Makes `state` the root, or with `skip` the first state with a choice from it.
    ///
    /// `false` if there is nothing to decide below it, or if the budget ended.
    fn plant(&mut self, state: &State, skip: bool, budget: &Budget) -> Result<bool, EngineError> {
        let tree = self.tree.get_mut();
        if tree.reroot(state, self.config.reuse_search) {
            return Ok(tree.root().is_some_and(can_search));
        }
        let Some(node) = self.workers[0].root(state, skip, budget)? else {
            return Ok(false);
        };
        if !tree.reroot(&node.state, self.config.reuse_search) {
            tree.reset(node);
        }
        Ok(tree.root().is_some_and(can_search))
    }

    /// Runs all workers until the budget or the limits are used up.
    ///
    /// Returns the playouts done and the states visited.
    fn run(&mut self, limits: Limits, budget: &Budget, publish: Publish<'_>) -> (u64, u64) {
        let shared = Shared {
            tree: &self.tree,
            role: self.role,
            started: AtomicU64::new(0),
            done: AtomicU64::new(0),
            passed: AtomicU64::new(0),
            limits,
            budget,
            publish,
        };
        if let Some((first, others)) = self.workers.split_first_mut() {
            std::thread::scope(|scope| {
                for worker in others {
                    scope.spawn(|| shared.work(worker));
                }
                shared.work(first);
            });
        }
        (shared.done.into_inner(), shared.passed.into_inner())
    }
}

/// Whether playouts from the node can distinguish moves.
fn can_search(node: &Node) -> bool {
    node.end.is_none() && node.arms.iter().any(|arms| arms.len() > 1)
}

/// The data that the workers of one search share.
struct Shared<'a> {
    tree: &'a Mutex<Tree>,
    role: RoleId,
    started: AtomicU64,
    done: AtomicU64,
    passed: AtomicU64,
    limits: Limits,
    budget: &'a Budget,
    publish: Publish<'a>,
}

/// Playouts of one worker between two publications, after its first ones.
const PUBLISH_EVERY: u64 = 16;

impl Shared<'_> {
    fn work(&self, worker: &mut Worker) {
        let mut mine = 0u64;
        while self.budget.check().is_ok()
            && self.passed.load(Ordering::Relaxed) < self.limits.nodes
            && self.started.fetch_add(1, Ordering::Relaxed) < self.limits.playouts
        {
            let before = worker.passed();
            let (leaf, expand) = {
                let mut tree = self.tree.lock();
                (worker.depart(&mut tree), !tree.is_full())
            };
            let outcome = worker.simulate(leaf, expand, self.budget);
            let passed = worker.passed() - before;
            self.passed.fetch_add(passed, Ordering::Relaxed);
            let mut tree = self.tree.lock();
            if !worker.arrive(&mut tree, outcome) {
                break;
            }
            self.done.fetch_add(1, Ordering::Relaxed);
            mine += 1;
            if mine < PUBLISH_EVERY || mine.is_multiple_of(PUBLISH_EVERY) {
                let best = tree.best(self.role, worker.rng()).map(|arm| arm.mv);
                drop(tree);
                best.into_iter().for_each(self.publish);
            }
        }
    }
}
