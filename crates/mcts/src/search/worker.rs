//! The state of each search thread.

use super::questions::Questions;
use super::reach::Length;
use crate::Config;
use crate::backpropagate::prove;
use crate::descend::CHECK_EVERY;
use crate::expand::Expander;
use crate::graph::Graph;
use crate::learner::Learner;
use crate::node::{Edge, Kind, NodeRef};
use crate::path::Descent;
use crate::stages::StageTimes;
use budget::Checks;
use game::{Engine, EngineError, Playouts, State, Tally};
use heuristics::StateValue;
use provers::ProofSearch;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Duration;

/// The state of one search thread. No two share a cache line.
#[repr(align(128))]
pub(super) struct Worker {
    pub(super) graph: Graph,
    pub(super) root: Option<NodeRef>,
    pub(super) expander: Expander,
    pub(super) learner: Learner,
    pub(super) playouts: Box<dyn Playouts>,
    pub(super) rng: Xoshiro256PlusPlus,
    /// The proof-number search, if it is on, and the nodes that wait for it.
    pub(super) prover: Option<Box<dyn ProofSearch>>,
    pub(super) proof_queue: Vec<NodeRef>,
    /// The proof search for questions about the root, if they have one of their own.
    pub(super) asker: Option<Box<dyn ProofSearch>>,
    /// What is asked about the root.
    pub(super) questions: Questions,
    /// The plies to the end of play in this search.
    pub(super) length: Length,
    /// The time that proofs took in this search.
    pub(super) proof_time: Duration,
    /// Proof searches for nodes in this search, and how many of them proved something.
    pub(super) proofs: [u64; 2],
    /// The time of each stage.
    pub(super) stages: StageTimes,
    /// When descents check the budget.
    pub(super) checks: Checks,
    /// A result at the root whose proof has to be repeated, so that a move is known for it.
    pub(super) reprove: Option<u8>,
    /// The descents of a batch.
    pub(super) descents: Vec<Descent>,
    pub(super) tallies: Vec<Tally>,
    /// Visits that each descent of the next batch counts while it is under way: the leaves of those
    /// of the last one, in the mean.
    pub(super) visits_each: u32,
    /// Playouts from each leaf of the batch.
    pub(super) playouts_each: u64,
    /// Whether playouts report their final states.
    pub(super) watches: bool,
    /// The number of predictions when that began, and of batches since.
    trial: (u64, u32),
    /// The number of roles.
    pub(super) roles: usize,
}

impl Worker {
    pub(super) fn new(
        engine: Box<dyn Engine>,
        playouts: Box<dyn Playouts>,
        seed: u64,
        graph: Graph,
        known: Option<StateValue>,
        config: &Config,
    ) -> Worker {
        let roles = engine.roles().len();
        Worker {
            graph,
            root: None,
            expander: Expander::new(engine, config),
            learner: Learner::new(roles, known),
            playouts,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            prover: None,
            asker: None,
            proof_queue: Vec::new(),
            questions: Questions::default(),
            length: Length::default(),
            proof_time: Duration::ZERO,
            proofs: [0; 2],
            stages: StageTimes::default(),
            checks: Checks::new(CHECK_EVERY),
            reprove: None,
            descents: Vec::new(),
            tallies: Vec::new(),
            visits_each: 1,
            playouts_each: 1,
            watches: false,
            trial: (0, 0),
            roles,
        }
    }

    /// The graph and its root.
    pub(super) fn root(&self) -> Option<(&Graph, NodeRef)> {
        self.root.map(|root| (&self.graph, root))
    }

    /// Visits of the root.
    pub(super) fn visits(&self) -> u32 {
        let root = self.root().and_then(|(graph, root)| graph.get(root));
        root.map_or(0, |root| root.visits)
    }

    /// Makes playouts report their final states.
    pub(super) fn start_watching(&mut self) {
        self.watches = self.playouts.watch(true);
        self.trial = (self.learner.predictions.guesses(), 0);
    }

    /// After a batch: stops reporting if final states predict next to nothing. Most of the
    /// predictions may be from earlier searches.
    pub(super) fn review_watching(&mut self, config: &Config) {
        let amaf = &config.amaf;
        let predictions = &self.learner.predictions;
        let (before, batches) = &mut self.trial;
        *batches = batches.saturating_add(1);
        let due = predictions.guesses() >= *before + amaf.trial_predictions
            || *batches >= amaf.trial_batches;
        if self.watches && due {
            self.watches = predictions
                .fit()
                .is_some_and(|fit| fit.added >= amaf.min_gain);
            self.playouts.watch(self.watches);
        }
    }

    /// Makes a state the root, or with `skip` the first state from it that offers a choice.
    /// `false` if there is no choice.
    pub(super) fn set_root(
        &mut self,
        state: &State,
        skip: bool,
        config: &Config,
    ) -> Result<bool, EngineError> {
        let (graph, expander) = (&mut self.graph, &mut self.expander);
        graph.next_turn();
        for prover in [&mut self.prover, &mut self.asker].into_iter().flatten() {
            prover.next_turn();
        }
        expander.enter(state, skip, config)?;
        self.root = match graph.find(expander.state()) {
            Some(known) => Some(known),
            None => graph.insert(expander.node(config)?, &[]),
        };
        self.reopen_foreseen();
        self.reset_root_bounds(config)?;
        // The candidates need edges, even if the root is never visited.
        let graph = &mut self.graph;
        let root = self.root.and_then(|root| graph.get_mut(root));
        let grown = root.map_or(0, |mut root| root.allocate_edges());
        graph.add_bytes(grown);
        let node = self.root.and_then(|root| graph.get(root));
        Ok(node.is_some_and(|node| match &node.kind {
            Kind::Terminal => false,
            Kind::Turn { moves, .. } => moves.len() > 1,
            Kind::Simultaneous(_) => true,
        }))
    }

    /// Reopens moves at the root that were solved without a child, so that the length of the loss
    /// is found.
    fn reopen_foreseen(&mut self) {
        let root = self.root.and_then(|root| self.graph.get_mut(root));
        let Some(mut node) = root else { return };
        if let Kind::Turn { edges, .. } = &mut node.kind {
            let foreseen = edges.iter_mut().filter(|edge| edge.is_foreseen());
            let count = foreseen.map(|edge| *edge = Edge::NEW).count();
            node.looked_ahead &= count == 0;
        }
    }

    /// Reduces the bounds of the root to those that follow from its moves, since one of them has
    /// to be played. What is lost by that is queued for a proof search.
    fn reset_root_bounds(&mut self, config: &Config) -> Result<(), EngineError> {
        self.proof_queue.clear();
        self.reprove = None;
        let Some((root, prover)) = self.root.zip(self.prover.as_ref()) else {
            return Ok(());
        };
        let role = prover.role().0;
        let fresh = self.expander.node(config)?;
        let graph = &mut self.graph;
        let Some(mut node) = graph.get_mut(root).filter(|node| node.is_turn()) else {
            return Ok(());
        };
        let before = node.stats[role].bounds;
        for (role_stats, fresh) in node.stats.iter_mut().zip(&fresh.stats) {
            role_stats.bounds = fresh.bounds;
        }
        drop(node);
        prove(graph, root, config);
        let after = graph
            .get(root)
            .map_or(before, |node| node.stats[role].bounds);
        if after.low < before.low {
            self.reprove = Some(before.low);
        } else if after.high > before.high {
            self.reprove = Some(before.high + 1);
        }
        self.proof_queue.extend(self.reprove.map(|_| root));
        Ok(())
    }
}
