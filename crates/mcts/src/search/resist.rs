//! The best of what cannot be won.
//!
//! Where all is proved and the role does not win, moves that are equally good against whoever makes no
//! mistake may be very different against others. Proofs say nothing of that: they stop with the first
//! answer that refutes a move. A second search that knows nothing of proofs sees how much goes wrong
//! after each of these moves, with those who look for the best as far as they get, and at random from
//! there. What it finds out is thrown away.

use super::{Counts, Search, Worker};
use crate::answer::{Candidate, candidates};
use crate::graph::Graph;
use crate::node::NodeRef;
use crate::{Config, Limits};
use budget::Budget;
use game::{EngineError, MoveId, State};

impl Worker {
    /// Begins a graph beside its own, in which only these moves can be made in a state. Returns its own,
    /// which is to be put back.
    fn branch(
        &mut self,
        state: &State,
        moves: &[MoveId],
        config: &Config,
    ) -> Result<(Graph, Option<NodeRef>), EngineError> {
        self.maker.enter(state, false, config)?;
        let mut node = self.maker.node(config)?;
        node.keep(moves);
        let mut graph = self.graph.beside();
        let root = graph.insert(node, &[]);
        let own = std::mem::replace(&mut self.graph, graph);
        Ok((own, std::mem::replace(&mut self.root, root)))
    }
}

impl Search {
    /// Of the moves that are proved to be as good as `found`, where that is no win, the one after which
    /// most goes wrong, with what that took. `None` if there is nothing to choose, or no time for it.
    pub(super) fn resist(
        &mut self,
        state: &State,
        found: Candidate,
        known: &[Candidate],
        limits: Limits,
        budget: &Budget,
    ) -> Option<(Candidate, Counts)> {
        let equal = || known.iter().filter(|own| own.bounds == found.bounds);
        let moves: Vec<MoveId> = equal().map(|own| own.mv).collect();
        if !found.bounds.is_exact() || found.bounds.low == 100 || moves.len() < 2 {
            return None;
        }
        let first = &mut self.workers[0];
        let root = first.root().and_then(|(graph, root)| graph.get(root));
        if !root.is_some_and(|root| root.is_choice()) {
            return None;
        }
        first.maker.enter(state, false, &self.config).ok()?;
        if first.maker.is_certain(&self.config) {
            // Whoever plays what, the result is the same.
            return None;
        }
        let plain = Config {
            solve: false,
            early: None,
            ..self.config.clone()
        };
        let (graph, root) = first.branch(state, &moves, &plain).ok()?;
        self.gather();
        let config = std::mem::replace(&mut self.config, plain);
        let limits = Limits {
            playouts: limits.playouts.min(self.config.resist),
            ..limits
        };
        let counts = self.run(None, limits, budget, &|_| ());
        let tried = self.workers[0].root();
        let tried = tried.map_or(Vec::new(), |(graph, at)| {
            candidates(graph, at, self.role.0, &self.config, None)
        });
        self.config = config;
        (self.workers[0].graph, self.workers[0].root) = (graph, root);
        self.gather();
        let tried = tried.into_iter().filter(|own| own.visits > 0);
        let hardest = tried.max_by_key(|own| own.visits)?.mv;
        let hardest = equal().find(|own| own.mv == hardest)?;
        Some((*hardest, counts))
    }
}
