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
            let turn = self.graph.turn;
            let Some(node) = self.graph.get_mut(at) else {
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
            if (ahead || learns) && !node.looked || again {
                self.look(at, &path.nodes)?;
                let solved = self.graph.get(at).is_some_and(Node::is_solved);
                if solved && !begins {
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
                if !begins && self.graph.get(at).is_some_and(Node::is_solved) {
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
                if let Some(node) = self.graph.get_mut(child) {
                    node.visits += 1;
                }
                return Ok(Leaf::Known);
            }
            at = child;
        }
    }

    /// If several roles chose a joint move of which the result is known, notes that at once, so that the
    /// next one can be chosen. `None` if they did not.
    fn take_known(&mut self, at: NodeRef, begins: bool, choices: &[u32]) -> Option<Vec<f64>> {
        let of = |graph: &Graph| -> Option<(Vec<f64>, u16)> {
            let Kind::Several(mixed) = &graph.get(at)?.kind else {
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
        if let Some(Kind::Several(mixed)) = self.graph.get_mut(at).map(|node| &mut node.kind) {
            mixed.update(choices, &values, self.company);
            if let Some(edge) = mixed.edge(choices) {
                edge.visits += 1;
                news = edge.proved != proved;
                edge.proved = proved;
            }
        }
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
        let Some(node) = self.graph.get_mut(at) else {
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
        self.graph.grown(grown);
        if let Some(known) = known.filter(|&child| self.graph.get(child).is_some()) {
            return Ok(Some(known));
        }
        let Some(node) = self.graph.get(at) else {
            return Ok(None);
        };
        let (state, joint) = (node.state.clone(), node.joint(chosen));
        self.maker.follow(&state, &joint, self.config)?;
        let child = self.settle(path)?;
        if let Some(child) = child {
            self.link(at, chosen, child);
            // What is proved of it already is news to this parent, unless it is proved of that too.
            let bounds = |node: NodeRef| {
                let node = self.graph.get(node);
                node.map(|node| node.standings.iter().map(|role| role.bounds))
            };
            let news = match (bounds(at), bounds(child)) {
                (Some(own), Some(more)) => !own.eq(more),
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
        let role = match self.graph.get(at).map(|node| &node.kind) {
            Some(Kind::One { role, .. }) => *role as usize,
            _ => 0,
        };
        let (mut noted, mut proved) = (Edge::NEW, 0);
        if let Some(child) = self.graph.get(child) {
            noted.note(child, role);
            proved = child.proved();
        }
        match self.graph.get_mut(at).map(|node| &mut node.kind) {
            Some(Kind::One { edges, .. }) => {
                let edge = &mut edges[chosen[0] as usize];
                *edge = edge.to(Some(child), noted);
            }
            Some(Kind::Several(mixed)) => {
                let before = mixed.edges.len();
                if let Some(edge) = mixed.edge(chosen) {
                    (edge.child, edge.proved) = (Some(child), proved);
                }
                let grown = (mixed.edges.len() - before) * EDGE;
                self.graph.grown(grown);
            }
            _ => {}
        }
    }

    /// Looks at what the moves of a node lead to. Ends of play become children; what is to be expected of
    /// the other states is noted, where one role chooses.
    fn look(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(node) = self.graph.get_mut(at) else {
            return Ok(());
        };
        node.looked = true;
        let (role, moves, joint) = match &node.kind {
            Kind::End => return Ok(()),
            Kind::One {
                role, moves, joint, ..
            } => (role, moves, joint),
            Kind::Several(mixed) => {
                return match mixed.joints() {
                    Some(joints) if joints <= u128::from(FEW) => self.look_at_all(at, path),
                    _ => Ok(()),
                };
            }
        };
        let (role, moves, mut joint) = (*role as usize, moves.clone(), joint.clone());
        let state: State = node.state.clone();
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
        for (choice, &mv) in (0..).zip(&*moves) {
            if solved(self.graph, at, choice) {
                continue;
            }
            joint[role] = mv;
            if !self.maker.ends(&state, &joint, self.config)? {
                if guess {
                    let after = value(self.evaluation, self.maker.bits());
                    self.expect(at, choice, after - before);
                }
                continue;
            }
            let Some(end) = self.settle(path)? else {
                break;
            };
            found = true;
            self.link(at, &[choice], end);
            let won = |node: &Node| node.standings[role].bounds.low == 100;
            if self.graph.get(end).is_some_and(won) {
                break;
            }
        }
        if found && self.config.solve {
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
    }

    /// Notes what is expected of a move.
    fn expect(&mut self, at: NodeRef, choice: u32, prior: f32) {
        if let Some(Kind::One { edges, .. }) = self.graph.get_mut(at).map(|node| &mut node.kind) {
            edges[choice as usize].prior = prior;
        }
    }

    /// Looks for ends of play among all joint moves of a node where several roles choose.
    fn look_at_all(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(Node {
            kind: Kind::Several(mixed),
            state,
            ..
        }) = self.graph.get(at)
        else {
            return Ok(());
        };
        let sizes: Vec<u32> = mixed.arms.iter().map(|arms| arms.len() as u32).collect();
        let state = state.clone();
        let mut choices = vec![0; sizes.len()];
        let mut found = false;
        while let Some(node) = self.graph.get(at) {
            if self
                .maker
                .ends(&state, &node.joint(&choices), self.config)?
            {
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
        if let Some(Node {
            kind: Kind::Several(mixed),
            visits,
            ..
        }) = self.graph.get_mut(at)
        {
            self.replied &= mixed.arms[self.company.own].len() < 2;
            match begins && mixed.by_regret(config) {
                true => mixed.mix(config, self.rng, choices),
                false => mixed.choose(*visits, config, self.company, self.rng, choices),
            }
            if let Some((role, mv)) = self.held.filter(|_| begins) {
                mixed.hold(role, mv, choices);
            }
            return;
        }
        let choice = self.alone(at);
        choices.push(choice as u32);
    }

    /// The move of a role that chooses alone, by its place.
    fn alone(&mut self, at: NodeRef) -> usize {
        let Some(node) = self.graph.get(at) else {
            return 0;
        };
        let Kind::One { role, edges, .. } = &node.kind else {
            return 0;
        };
        let (role, company) = (*role as usize, self.company);
        self.replied &= role != company.own;
        if company.errs(role, self.rng) {
            return self.rng.random_range(0..edges.len());
        }
        let against = Some((&*self.graph, company.own));
        if company.is_against(role) {
            return best(node, self.config, self.trust, against, self.rng);
        }
        let own = best(node, self.config, self.trust, None, self.rng);
        if self.replied || !company.may_reply(role) {
            return own;
        }
        // What is expected of moves that were not tried is said of the role's own result.
        let reply = best(node, self.config, Trust::NONE, against, self.rng);
        self.replied = reply != own;
        reply
    }
}

/// Whether the result of a move is known already.
fn solved(graph: &Graph, at: NodeRef, choice: u32) -> bool {
    match graph.get(at).map(|node| &node.kind) {
        Some(Kind::One { edges, .. }) => edges[choice as usize].solved,
        _ => false,
    }
}
