//! What each thread searches with.

use crate::Config;
use crate::backpropagate::prove;
use crate::expand::Expander;
use crate::graph::Graph;
use crate::learner::Learner;
use crate::node::{Edge, Kind, NodeRef};
use crate::path::Descent;
use dfpn::Prover;
use game::{Engine, EngineError, Playouts, State, Tally};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Duration;

/// What one thread searches with. No two share a line of the cache.
#[repr(align(128))]
pub(super) struct Worker {
    pub(super) graph: Graph,
    pub(super) root: Option<NodeRef>,
    pub(super) expander: Expander,
    pub(super) learner: Learner,
    pub(super) playouts: Box<dyn Playouts>,
    pub(super) rng: Xoshiro256PlusPlus,
    /// What searches for proofs, if it is to, and the nodes that it is to be asked about.
    pub(super) prover: Option<Prover>,
    pub(super) proof_queue: Vec<NodeRef>,
    /// How much time that took in this search.
    pub(super) proof_time: Duration,
    /// What its role was proved to get from the root, at least, or was proved not to, and is to be proved again for a
    /// move.
    pub(super) reprove: Option<u8>,
    /// The ways of a batch.
    pub(super) descents: Vec<Descent>,
    pub(super) tallies: Vec<Tally>,
    /// Whether playouts tell how they ended.
    pub(super) watches: bool,
    /// How many guesses there were when that was begun, and batches since.
    trial: (u64, u32),
    /// How many roles there are.
    pub(super) roles: usize,
}

impl Worker {
    pub(super) fn new(
        engine: Box<dyn Engine>,
        playouts: Box<dyn Playouts>,
        seed: u64,
        graph: Graph,
        config: &Config,
    ) -> Worker {
        let roles = engine.roles().len();
        Worker {
            graph,
            root: None,
            expander: Expander::new(engine, config),
            learner: Learner::new(roles),
            playouts,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            prover: None,
            proof_queue: Vec::new(),
            proof_time: Duration::ZERO,
            reprove: None,
            descents: Vec::new(),
            tallies: Vec::new(),
            watches: false,
            trial: (0, 0),
            roles,
        }
    }

    /// Its graph and where its root is.
    pub(super) fn root(&self) -> Option<(&Graph, NodeRef)> {
        self.root.map(|root| (&self.graph, root))
    }

    /// Visits of its root.
    pub(super) fn visits(&self) -> u32 {
        let root = self.root().and_then(|(graph, root)| graph.get(root));
        root.map_or(0, |root| root.visits)
    }

    /// Has playouts tell how they end.
    pub(super) fn start_watching(&mut self) {
        self.watches = self.playouts.watch(true);
        self.trial = (self.learner.predictions.guesses(), 0);
    }

    /// After a batch: if that tells next to nothing of moves, playouts need not tell it any more.
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

    /// Makes a state the root, or with `skip` the first one from there with something to decide. `false` if
    /// there is nothing to decide below it.
    pub(super) fn set_root(
        &mut self,
        state: &State,
        skip: bool,
        config: &Config,
    ) -> Result<bool, EngineError> {
        let (graph, expander) = (&mut self.graph, &mut self.expander);
        graph.next_turn();
        if let Some(prover) = &mut self.prover {
            prover.next_turn();
        }
        expander.enter(state, skip, config)?;
        self.root = match graph.find(expander.state()) {
            Some(known) => Some(known),
            None => graph.insert(expander.node(config)?, &[]),
        };
        self.reopen_foreseen();
        self.reset_root_bounds(config)?;
        // Whoever proof_queue what is known of its moves finds them, whether it was visited or not.
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

    /// Has moves at the root that were only foreseen to lose looked at again, so that it is told how long they take.
    fn reopen_foreseen(&mut self) {
        let root = self.root.and_then(|root| self.graph.get_mut(root));
        let Some(mut node) = root else { return };
        if let Kind::Turn { edges, .. } = &mut node.kind {
            let foreseen = edges.iter_mut().filter(|edge| edge.is_foreseen());
            let count = foreseen.map(|edge| *edge = Edge::NEW).count();
            node.looked_ahead &= count == 0;
        }
    }

    /// Leaves of what is proved of the root only what follows from what is known of its moves, since one of them has
    /// to be made; and has it asked about the rest.
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
