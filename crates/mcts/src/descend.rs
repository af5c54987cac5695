//! From the root to where there is something to find out.

mod look;

use crate::Config;
use crate::backup::regret;
use crate::expand::Maker;
use crate::graph::Graph;
use crate::learn::Trust;
use crate::mixed::EDGE;
use crate::node::{Kind, Node, NodeRef, Seen};
use crate::others::Company;
use crate::path::{Leaf, Path};
use crate::select::best;
use game::{EngineError, MoveId};
use heuristics::Evaluation;
use rand::{Rng, RngExt};

/// Visits after which a node is looked at for the second time, if it is learnt what states are worth.
const AGAIN: u32 = 64;

/// What a visit of a node comes to.
enum Visit {
    /// The way ends here.
    Stop(Leaf),
    /// What its moves lead to is to be looked at; then one is to be chosen.
    Look { known: u32 },
    /// A choice was made.
    Took {
        choice: usize,
        child: Option<NodeRef>,
    },
    /// One is to be made. So many joint moves of which the result is known may come back before.
    Choose { known: u32 },
}

/// What it takes to walk.
pub(crate) struct Walk<'w, R> {
    pub graph: &'w mut Graph,
    pub maker: &'w mut Maker,
    /// What was learnt of states.
    pub evaluation: &'w mut Evaluation,
    /// How far what is expected of moves can be relied on.
    pub trust: Trust,
    pub config: &'w Config,
    /// A role that makes no other move at the root.
    pub held: Option<(usize, MoveId)>,
    /// What the other roles are taken to do.
    pub company: &'w Company,
    /// Whether one of them has played against the role that searches since that chose.
    pub replied: bool,
    pub rng: &'w mut R,
}

impl<R: Rng> Walk<'_, R> {
    /// Goes down from `root`; every node on the way, and every edge, counts a visit.
    ///
    /// # Errors
    /// If the engine failed. What was counted until then must be taken back.
    pub fn descend(&mut self, root: NodeRef, path: &mut Path) -> Result<Leaf, EngineError> {
        path.clear();
        self.replied = false;
        let mut at = root;
        loop {
            path.nodes.push(at);
            let begins = path.nodes.len() == 1;
            let visit = self.visit(at, begins);
            if let Visit::Look { .. } = visit {
                self.look(at, &path.nodes)?;
                if self.is_solved(at) && !begins {
                    return Ok(Leaf::Known);
                }
            }
            let begin = path.choices.len();
            let next = match visit {
                Visit::Stop(leaf) => return Ok(leaf),
                Visit::Took { choice, child } => {
                    path.choices.push(choice as u32);
                    child
                }
                Visit::Choose { known } | Visit::Look { known } => {
                    if !self.choose_open(at, begins, known, path) {
                        return Ok(Leaf::Known);
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
                    None => return Ok(Leaf::Open),
                },
            };
            if path.nodes.contains(&child) {
                // Round and round. What the node says is worth as much as anything.
                path.nodes.push(child);
                if let Some(mut node) = self.graph.get_mut(child) {
                    node.visits += 1;
                }
                return Ok(Leaf::Known);
            }
            at = child;
        }
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
        let learns = config.learning > 0.0;
        let ahead = config.look_ahead && config.solve;
        // More is known by and by of what its moves lead to.
        let doubled = node.visits >= AGAIN && node.visits.is_power_of_two();
        let again = learns && doubled && node.is_choice();
        // While other ways from here have not come back, what they chose counts as lost, and what is
        // known would be chosen in its place far too often.
        let alone = node.visits <= node.updates + 1;
        let known = if alone { config.known } else { 0 };
        if (ahead || learns) && !node.looked || again {
            return Visit::Look { known };
        }
        if !self.company.is_plain() || !node.is_choice() {
            return Visit::Choose { known };
        }
        let choice = match node.chooser() {
            Some(role) if self.company.errs(role, self.rng) => any(&node, self.rng),
            _ => best(&node, config, self.trust, None, self.rng),
        };
        let child = match &mut node.kind {
            Kind::One { edges, .. } => edges[choice].take(),
            _ => None,
        };
        Visit::Took { choice, child }
    }

    /// Chooses what to look at next in a node. Joint moves of which the result is known come back at once,
    /// up to so many. `false` if the node is solved by them.
    fn choose_open(&mut self, at: NodeRef, begins: bool, known: u32, path: &mut Path) -> bool {
        let (place, begin) = (path.begins.len(), path.choices.len());
        self.choose(at, begins, &mut path.choices);
        while path.known_here(place) < known {
            let Some(values) = self.take_known(at, begins, &path.choices[begin..]) else {
                break;
            };
            path.take(place, &values);
            path.choices.truncate(begin);
            if !begins && self.is_solved(at) {
                return false;
            }
            self.choose(at, begins, &mut path.choices);
        }
        true
    }

    fn is_solved(&self, at: NodeRef) -> bool {
        self.graph.get(at).is_some_and(|node| node.is_solved())
    }

    /// If several roles chose a joint move of which the result is known, notes that at once, so that the
    /// next one can be chosen. `None` if they did not.
    fn take_known(&mut self, at: NodeRef, begins: bool, choices: &[u32]) -> Option<Vec<f64>> {
        let of = |graph: &Graph| -> Option<(Vec<f64>, u16)> {
            let node = graph.get(at)?;
            let Kind::Several(mixed) = &node.kind else {
                return None;
            };
            let edge = mixed.edges.get(&mixed.number(choices)?)?;
            let child = graph.get(edge.child?).filter(|child| child.is_solved())?;
            let values = child.standings.iter();
            let values = values.map(|role| role.value(child.updates)).collect();
            Some((values, child.proved()))
        };
        let (values, proved) = of(self.graph)?;
        let mut news = false;
        let mut node = self.graph.get_mut(at);
        if let Some(Kind::Several(mixed)) = node.as_deref_mut().map(|node| &mut node.kind) {
            mixed.update(choices, &values, self.company);
            if let Some(edge) = mixed.edge(choices) {
                edge.visits += 1;
                news = edge.proved != proved;
                edge.proved = proved;
            }
        }
        drop(node);
        if news && self.config.solve {
            crate::backup::prove(self.graph, at, self.config);
        }
        if begins {
            regret(self.graph, at, choices, self.config, self.company);
        }
        Some(values)
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
        self.maker.follow(&state, &joint, self.config)?;
        let child = self.settle(path)?;
        if let Some(child) = child {
            self.link(at, chosen, child);
            // What is proved of it already is news to this parent, unless it is proved of that too.
            let news = match (self.graph.get(at), self.graph.get(child)) {
                (Some(own), Some(more)) => {
                    let mut pairs = own.standings.iter().zip(&more.standings);
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
            && let Some(same) = self.graph.find(self.maker.state())
        {
            return Ok(Some(same));
        }
        let node = self.maker.node(self.config)?;
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

    /// Chooses what to look at next in a node, with which the way `begins` or not.
    fn choose(&mut self, at: NodeRef, begins: bool, choices: &mut Vec<u32>) {
        let config = self.config;
        let choice = self.alone(at);
        if let Some(choice) = choice {
            choices.push(choice as u32);
            return;
        }
        let mut node = self.graph.get_mut(at);
        if let Some(Node {
            kind: Kind::Several(mixed),
            visits,
            ..
        }) = node.as_deref_mut()
        {
            self.replied &= mixed.arms[self.company.own].len() < 2;
            match begins && mixed.by_regret(config) {
                true => mixed.mix(config, self.rng, choices),
                false => mixed.choose(*visits, config, self.company, self.rng, choices),
            }
            if let Some((role, mv)) = self.held.filter(|_| begins) {
                mixed.hold(role, mv, choices);
            }
        }
    }

    /// The move of a role that chooses alone, by its place.
    fn alone(&mut self, at: NodeRef) -> Option<usize> {
        let graph = &*self.graph;
        let node = &*graph.get(at)?;
        let Kind::One { role, .. } = &node.kind else {
            return None;
        };
        let (role, company) = (*role as usize, self.company);
        self.replied &= role != company.own;
        if company.errs(role, self.rng) {
            return Some(any(node, self.rng));
        }
        let against = Some((graph, company.own));
        if company.is_against(role) {
            return Some(best(node, self.config, self.trust, against, self.rng));
        }
        let own = best(node, self.config, self.trust, None, self.rng);
        if self.replied || !company.may_reply(role) {
            return Some(own);
        }
        // What is expected of moves that were not tried is said of the role's own result.
        let reply = best(node, self.config, Trust::NONE, against, self.rng);
        self.replied = reply != own;
        Some(reply)
    }
}

/// Any move, by its place, where one role chooses.
fn any(node: &Node, rng: &mut impl Rng) -> usize {
    match &node.kind {
        Kind::One { edges, .. } => rng.random_range(0..edges.len()),
        _ => 0,
    }
}
