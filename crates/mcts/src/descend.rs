//! From the root to where there is something to find out.

mod ask;
mod choose;
mod look;
mod recall;

use crate::Config;
use crate::expand::Expander;
use crate::graph::Graph;
use crate::learn::Trust;
use crate::node::{Kind, NodeRef, Seen};
use crate::path::{Leaf, Path, Traversal};
use crate::select::best;
use crate::simultaneous::EDGE;
use game::{EngineError, MoveId};
use heuristics::Evaluation;
use rand::Rng;

/// What a visit of a node comes to.
enum Visit {
    /// The way ends here.
    Stop(Leaf),
    /// What its moves lead to is to be looked at; then one is to be chosen.
    Look { look: bool, known: u32 },
    /// A choice was made.
    Took {
        choice: usize,
        child: Option<NodeRef>,
    },
    /// One is to be made. So many joint moves of which the result is known may come back before.
    Choose { known: u32 },
}

/// What a step of a way comes to.
enum Step {
    On(NodeRef),
    End(Leaf),
}

/// What it takes to walk.
pub(crate) struct Descent<'w, R> {
    pub graph: &'w mut Graph,
    pub expander: &'w mut Expander,
    /// What was learnt of states.
    pub evaluation: &'w mut Evaluation,
    /// How far what is expected of moves can be relied on.
    pub trust: Trust,
    /// Whether playouts tell how they ended.
    pub watches: bool,
    pub config: &'w Config,
    /// A role that makes no other move at the root.
    pub held: Option<(usize, MoveId)>,
    /// Nodes that are to be asked about ([`Descent::ask`]), as far as that is wanted.
    pub asks: &'w mut Vec<NodeRef>,
    pub rng: &'w mut R,
}

impl<R: Rng> Descent<'_, R> {
    /// Goes down from `root` on all of these ways, a step of each in turn; every node on a way, and every edge,
    /// counts a visit. How many the engine failed on, which tell nothing.
    ///
    /// Nodes lie all over the memory: that of one way is on its way to the processor while others make their
    /// steps.
    pub fn descend(&mut self, root: NodeRef, traversals: &mut [Traversal]) -> u64 {
        traversals
            .iter_mut()
            .for_each(|traversal| traversal.begin(root));
        let (mut going, mut failures) = (traversals.len(), 0);
        while going > 0 {
            for place in 0..traversals.len() {
                let soon = &traversals[(place + 1) % traversals.len()];
                // The root is at hand.
                if let Some(next) = soon.next.filter(|_| !soon.path.nodes.is_empty()) {
                    self.graph.fetch_edges(next);
                }
                let traversal = &mut traversals[place];
                let Some(at) = traversal.next else {
                    continue;
                };
                let step = self.step(at, &mut traversal.path).unwrap_or_else(|_| {
                    // What cannot be evaluated was tried all the same; or it would be tried for ever.
                    failures += 1;
                    Step::End(Leaf::Known)
                });
                traversal.next = match step {
                    Step::On(next) => {
                        self.graph.fetch(next);
                        Some(next)
                    }
                    Step::End(leaf) => {
                        traversal.end(leaf, self.graph);
                        going -= 1;
                        None
                    }
                };
            }
        }
        failures
    }

    /// From one node of a way to the next one.
    ///
    /// # Errors
    /// If the engine failed.
    fn step(&mut self, at: NodeRef, path: &mut Path) -> Result<Step, EngineError> {
        let begins = path.nodes.is_empty();
        if !begins && !self.graph.has(at) {
            // It had to make room since the last step: playouts go on without it.
            return Ok(Step::End(Leaf::Open));
        }
        path.nodes.push(at);
        let visit = self.visit(at, begins);
        if let Visit::Look { look, .. } = visit {
            if look {
                self.look(at, &path.nodes)?;
            }
            self.recall(at, &path.nodes);
            if self.is_solved(at) && !begins {
                return Ok(Step::End(Leaf::Known));
            }
        }
        let begin = path.choices.len();
        let next = match visit {
            Visit::Stop(leaf) => return Ok(Step::End(leaf)),
            Visit::Took { choice, child } => {
                path.choices.push(choice as u32);
                child
            }
            Visit::Choose { known } | Visit::Look { known, .. } => {
                if !self.choose_open(at, begins, known, path) {
                    return Ok(Step::End(Leaf::Known));
                }
                self.take(at, &path.choices[begin..])
            }
        };
        path.begins.push(begin);
        let child = match next.filter(|&child| self.graph.has(child)) {
            Some(child) => child,
            None => match self.make(at, &path.choices[begin..], &path.nodes)? {
                Some(child) => child,
                // No room: playouts go on without a node, from here.
                None => return Ok(Step::End(Leaf::Open)),
            },
        };
        if path.nodes.contains(&child) {
            // Round and round. What the node says is worth as much as anything.
            path.nodes.push(child);
            if let Some(mut node) = self.graph.get_mut(child) {
                node.visits += 1;
            }
            return Ok(Step::End(Leaf::Known));
        }
        Ok(Step::On(child))
    }

    /// Counts a visit of a node, and finds out what is to be done there. Where that takes no look at any
    /// other node, the choice is made at once: to lock a node is what costs.
    fn visit(&mut self, at: NodeRef, begins: bool) -> Visit {
        let (turn, config) = (self.graph.turn(), self.config);
        let Some(mut node) = self.graph.get_mut(at) else {
            return Visit::Stop(Leaf::Known);
        };
        node.visits += 1;
        node.turn = turn;
        // The root is never taken for known: a move has to be found.
        if node.is_end() || !begins && node.is_solved() {
            return Visit::Stop(Leaf::Known);
        }
        if node.visits == 1 && !begins {
            return Visit::Stop(Leaf::Open);
        }
        let grown = node.open();
        if grown > 0 {
            drop(node);
            self.graph.grown(grown);
            node = match self.graph.get_mut(at) {
                Some(node) => node,
                None => return Visit::Stop(Leaf::Known),
            };
        }
        let doubled = node.visits.is_power_of_two() && node.is_choice();
        if doubled && config.proofs.states > 0.0 && node.visits >= config.proofs.first_visits {
            self.asks.push(at);
        }
        let learns = config.learning.visits > 0.0;
        let ahead = config.look_ahead && config.solve;
        // More is known by and by of what its moves lead to.
        let again = learns && doubled && node.visits >= config.learning.refresh_visits;
        // While other ways from here have not come back, what they chose counts as lost, and what is
        // known would be chosen in its place far too often.
        let alone = node.visits <= node.updates + 1;
        let known = if alone { config.simultaneous.known } else { 0 };
        let recall = self.watches && doubled;
        let look = (ahead || learns) && !node.looked || again;
        if look || recall {
            return Visit::Look { look, known };
        }
        if !node.is_choice() {
            return Visit::Choose { known };
        }
        let choice = best(&node, config, self.trust, self.rng);
        let child = match &mut node.kind {
            Kind::One { edges, .. } => edges[choice].take(),
            _ => None,
        };
        Visit::Took { choice, child }
    }

    fn is_solved(&self, at: NodeRef) -> bool {
        self.graph.get(at).is_some_and(|node| node.is_solved())
    }

    /// Counts a choice. Where it leads, if that was seen before.
    fn take(&mut self, at: NodeRef, chosen: &[u32]) -> Option<NodeRef> {
        let mut node = self.graph.get_mut(at)?;
        let (mut child, mut grown) = (None, 0);
        match &mut node.kind {
            Kind::End => {}
            Kind::One { edges, .. } => child = edges[chosen[0] as usize].take(),
            Kind::Several(mixed) => {
                let before = mixed.edges.len();
                if let Some(edge) = mixed.edge(chosen) {
                    edge.visits += 1;
                    child = edge.child;
                }
                grown = (mixed.edges.len() - before) * EDGE;
            }
        }
        drop(node);
        self.graph.grown(grown);
        child
    }

    /// Makes the node that a choice leads to, unless there is one of the same state. `None` if there is no
    /// room.
    fn make(
        &mut self,
        at: NodeRef,
        chosen: &[u32],
        path: &[NodeRef],
    ) -> Result<Option<NodeRef>, EngineError> {
        let Some(node) = self.graph.get(at) else {
            return Ok(None);
        };
        let (state, joint) = (node.state.clone(), node.joint(chosen));
        drop(node);
        self.expander.follow(&state, &joint, self.config)?;
        let child = self.settle(path)?;
        if let Some(child) = child {
            self.link(at, chosen, child);
            // What is proved of it already is news to this parent, unless it is proved of that too.
            let news = match (self.graph.get(at), self.graph.get(child)) {
                (Some(own), Some(more)) => {
                    let mut pairs = own.stats.iter().zip(&more.stats);
                    pairs.any(|(own, more)| own.bounds != more.bounds)
                }
                _ => false,
            };
            if self.config.solve && news {
                crate::backup::prove(self.graph, at, self.config);
            }
        }
        Ok(child)
    }

    /// The node of the state that the maker has gone to, an old one or a new one.
    fn settle(&mut self, path: &[NodeRef]) -> Result<Option<NodeRef>, EngineError> {
        if self.graph.shares()
            && let Some(same) = self.graph.find(self.expander.state())
        {
            return Ok(Some(same));
        }
        let node = self.expander.node(self.config)?;
        Ok(self.graph.insert(node, path))
    }

    fn link(&mut self, at: NodeRef, chosen: &[u32], child: NodeRef) {
        let mut seen = Seen::default();
        match self.graph.get(child) {
            Some(child) => seen.see(&child),
            None => return,
        }
        let mut grown = 0;
        let mut node = self.graph.get_mut(at);
        match node.as_deref_mut().map(|node| &mut node.kind) {
            Some(Kind::One { role, edges, .. }) => {
                let edge = &mut edges[chosen[0] as usize];
                edge.child = Some(child);
                edge.note(&seen, *role as usize);
            }
            Some(Kind::Several(mixed)) => {
                let before = mixed.edges.len();
                if let Some(edge) = mixed.edge(chosen) {
                    (edge.child, edge.proved) = (Some(child), seen.proved());
                }
                grown = (mixed.edges.len() - before) * EDGE;
            }
            _ => {}
        }
        drop(node);
        self.graph.grown(grown);
    }
}
