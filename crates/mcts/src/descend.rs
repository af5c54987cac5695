//! From the root to where there is something to find out.

use crate::Config;
use crate::backup::regret;
use crate::expand::Maker;
use crate::graph::Graph;
use crate::learn::Trust;
use crate::mixed::EDGE;
use crate::node::{Edge, Kind, Node, NodeRef};
use crate::others::Company;
use crate::path::{Leaf, Path};
use crate::select::best;
use game::{EngineError, MoveId, State};
use heuristics::Evaluation;
use rand::{Rng, RngExt};

/// Joint moves of which all are looked at for ends of play, at most.
const FEW: u32 = 64;

/// Visits after which a node is looked at for the second time, if it is learnt what states are worth.
const AGAIN: u32 = 64;

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
            let turn = self.graph.turn();
            let Some(mut node) = self.graph.get_mut(at) else {
                return Ok(Leaf::Known);
            };
            node.visits += 1;
            node.turn = turn;
            let begins = path.nodes.len() == 1;
            // While other ways from here have not come back, what they chose counts as lost, and what is
            // known would be chosen in its place far too often.
            let alone = node.visits <= node.updates + 1;
            let known = if alone { self.config.known } else { 0 };
            // The root is never taken for known: a move has to be found.
            if node.is_end() || !begins && node.is_solved() {
                return Ok(Leaf::Known);
            }
            if node.visits == 1 && !begins {
                return Ok(Leaf::Open);
            }
            let learns = self.config.learning > 0.0;
            let ahead = self.config.look_ahead && self.config.solve;
            // More is known by and by of what its moves lead to.
            let doubled = node.visits >= AGAIN && node.visits.is_power_of_two();
            let again = learns && doubled && node.is_choice();
            let look = (ahead || learns) && !node.looked || again;
            drop(node);
            if look {
                self.look(at, &path.nodes)?;
                if self.is_solved(at) && !begins {
                    return Ok(Leaf::Known);
                }
            }
            let (place, begin) = (path.begins.len(), path.choices.len());
            self.choose(at, begins, &mut path.choices);
            while path.known_here(place) < known {
                let Some(values) = self.take_known(at, begins, &path.choices[begin..]) else {
                    break;
                };
                path.take(place, &values);
                path.choices.truncate(begin);
                if !begins && self.is_solved(at) {
                    return Ok(Leaf::Known);
                }
                self.choose(at, begins, &mut path.choices);
            }
            path.begins.push(begin);
            let chosen = &path.choices[path.begins[path.nodes.len() - 1]..];
            let Some(child) = self.child(at, chosen, &path.nodes)? else {
                // No room: playouts go on without a node, from here.
                return Ok(Leaf::Open);
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

    /// Where a choice leads.
    fn child(
        &mut self,
        at: NodeRef,
        chosen: &[u32],
        path: &[NodeRef],
    ) -> Result<Option<NodeRef>, EngineError> {
        let mut grown = 0;
        let Some(mut node) = self.graph.get_mut(at) else {
            return Ok(None);
        };
        let known = match &mut node.kind {
            Kind::End => None,
            Kind::One { edges, .. } => edges.get_mut(chosen[0] as usize).and_then(|edge| {
                edge.visits += 1;
                edge.pending += 1;
                edge.child
            }),
            Kind::Several(mixed) => {
                let before = mixed.edges.len();
                let known = mixed.edge(chosen).and_then(|edge| {
                    edge.visits += 1;
                    edge.child
                });
                grown = (mixed.edges.len() - before) * EDGE;
                known
            }
        };
        drop(node);
        if grown > 0 {
            self.graph.grown(grown);
        }
        if let Some(known) = known.filter(|&child| self.graph.get(child).is_some()) {
            return Ok(Some(known));
        }
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
        let role = self.graph.get(at).and_then(|node| node.chooser());
        let (mut noted, mut proved) = (Edge::NEW, 0);
        if let Some(child) = self.graph.get(child) {
            noted.note(&child, role.unwrap_or(0));
            proved = child.proved();
        }
        let mut grown = 0;
        let mut node = self.graph.get_mut(at);
        match node.as_deref_mut().map(|node| &mut node.kind) {
            Some(Kind::One { edges, .. }) => {
                let edge = &mut edges[chosen[0] as usize];
                *edge = edge.to(Some(child), noted);
            }
            Some(Kind::Several(mixed)) => {
                let before = mixed.edges.len();
                if let Some(edge) = mixed.edge(chosen) {
                    (edge.child, edge.proved) = (Some(child), proved);
                }
                grown = (mixed.edges.len() - before) * EDGE;
            }
            _ => {}
        }
        drop(node);
        if grown > 0 {
            self.graph.grown(grown);
        }
    }

    /// Looks at what the moves of a node lead to. Ends of play become children; what is to be expected of
    /// the other states is noted, where one role chooses.
    fn look(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(mut node) = self.graph.get_mut(at) else {
            return Ok(());
        };
        node.looked = true;
        let Kind::One {
            role,
            moves,
            edges,
            joint,
        } = &node.kind
        else {
            drop(node);
            return self.look_at_all(at, path);
        };
        let (role, mut joint) = (*role as usize, joint.clone());
        // Each with whether its result is known already.
        let moves = moves.iter().zip(edges);
        let moves: Vec<(MoveId, bool)> = moves.map(|(&mv, edge)| (mv, edge.solved)).collect();
        let state: State = node.state.clone();
        drop(node);
        let guess = self.config.learning > 0.0;
        let company = self.company;
        let value = |evaluation: &Evaluation, bits: &[u64]| -> f32 {
            company.value(role, |role| f64::from(evaluation.value(bits, role))) as f32
        };
        let mut before = 0.0;
        if guess {
            let bits = self.maker.bits_of(&state);
            self.evaluation.near(bits);
            before = value(self.evaluation, bits);
        }
        let mut found = false;
        let mut expected = Vec::new();
        for (choice, &(mv, solved)) in (0..).zip(&moves) {
            if solved {
                continue;
            }
            joint[role] = mv;
            if !self.maker.ends(&state, &joint, self.config)? {
                if guess {
                    let after = value(self.evaluation, self.maker.bits());
                    expected.push((choice as usize, after - before));
                }
                continue;
            }
            let Some(end) = self.settle(path)? else {
                break;
            };
            found = true;
            self.link(at, &[choice], end);
            let end = self.graph.get(end);
            if end.is_some_and(|end| end.standings[role].bounds.low == 100) {
                break;
            }
        }
        self.expect(at, &expected);
        if found && self.config.solve {
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
    }

    /// Notes what is expected of moves.
    fn expect(&mut self, at: NodeRef, priors: &[(usize, f32)]) {
        let mut node = self.graph.get_mut(at);
        if let Some(Kind::One { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) {
            for &(choice, prior) in priors {
                edges[choice].prior = prior;
            }
        }
    }

    /// Looks for ends of play among all joint moves of a node where several roles choose, if they are few.
    fn look_at_all(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(node) = self.graph.get(at) else {
            return Ok(());
        };
        let Kind::Several(mixed) = &node.kind else {
            return Ok(());
        };
        if mixed.joints().is_none_or(|joints| joints > u128::from(FEW)) {
            return Ok(());
        }
        let sizes: Vec<u32> = mixed.arms.iter().map(|arms| arms.len() as u32).collect();
        let state = node.state.clone();
        drop(node);
        let mut choices = vec![0; sizes.len()];
        let mut found = false;
        while let Some(joint) = self.graph.get(at).map(|node| node.joint(&choices)) {
            if self.maker.ends(&state, &joint, self.config)? {
                let Some(end) = self.settle(path)? else {
                    break;
                };
                found = true;
                self.link(at, &choices, end);
            }
            if !crate::several::advance(&mut choices, &sizes) {
                break;
            }
        }
        if found {
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
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
        let Kind::One { role, edges, .. } = &node.kind else {
            return None;
        };
        let (role, company) = (*role as usize, self.company);
        self.replied &= role != company.own;
        if company.errs(role, self.rng) {
            return Some(self.rng.random_range(0..edges.len()));
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
