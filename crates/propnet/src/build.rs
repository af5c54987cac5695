//! Builds the network from ground rules, with one node per atom and one and-gate per rule.

use crate::error::{AtStage, Meter};
use crate::{BuildError, Graph, Network, Node, Schedule, Vocabulary};
use budget::Budget;
use grounding::{AtomKind, GroundGame, GroundRule};
use petgraph::graph::NodeIndex;
use std::sync::Arc;

const STAGE: &str = "network";

impl Network {
    /// Builds the network of `game`. Nothing is simplified yet: every atom is a proposition.
    ///
    /// Nodes are numbered so that each reads earlier ones only, except for recursive rules.
    ///
    /// # Errors
    /// If the rules negate themselves through a cycle, if they are malformed, or if the budget
    /// is exhausted. The memory bound is also checked against an estimate for all later work:
    /// the passes and the engine.
    pub fn build(game: GroundGame, budget: &Budget) -> Result<Network, BuildError> {
        check(&game)?;
        let by_head = RulesByHead::new(&game);
        let (nodes, edges) = upper_bound(&game, &by_head);
        if nodes >= u32::MAX as usize || edges >= u32::MAX as usize {
            return Err(BuildError::Malformed(
                "more atoms or rules than can be numbered",
            ));
        }
        budget
            .check_memory(Network::estimated_bytes(nodes, edges))
            .at(STAGE)?;

        let mut wiring = Wiring::new(&game, nodes, edges);
        let mut meter = Meter::new(budget);
        for (atom, &kind) in game.atoms.iter().enumerate() {
            meter.step().at(STAGE)?;
            if !matches!(kind, AtomKind::True { .. } | AtomKind::Does { .. }) {
                let rules = by_head.of(atom).iter().map(|&r| &game.rules[r as usize]);
                wiring.define(atom, rules);
            }
        }
        drop(by_head);
        let mut network = Network {
            graph: wiring.graph,
            vocabulary: Arc::new(Vocabulary {
                roles: game.roles,
                facts: game.facts,
                moves: game.moves,
                initial: game.initial,
                views: game.view_names,
                exclusive: game.exclusive,
            }),
        };
        let schedule = Schedule::new(&network, budget)?;
        refuse_negative_cycles(&network, &schedule)?;
        network
            .renumber(schedule.order(), || meter.step())
            .at(STAGE)?;
        Ok(network)
    }
}

/// The graph under construction.
struct Wiring {
    graph: Graph,
    /// The node of each atom.
    nodes: Vec<NodeIndex>,
    /// The not-gate of each atom, once it exists.
    negations: Vec<Option<NodeIndex>>,
}

impl Wiring {
    fn new(game: &GroundGame, nodes: usize, edges: usize) -> Self {
        let mut graph = Graph::with_capacity(nodes, edges);
        graph.add_node(Node::Constant(false));
        graph.add_node(Node::Constant(true));
        // Every fact is part of the state, even if no rule reads it.
        let bases: Vec<NodeIndex> = (0..game.facts.len())
            .map(|fact| graph.add_node(Node::Base { fact: fact as u32 }))
            .collect();
        let nodes = game
            .atoms
            .iter()
            .enumerate()
            .map(|(i, &kind)| match kind {
                AtomKind::True { fact } => bases[fact as usize],
                AtomKind::Does { role, mv } => graph.add_node(Node::Does {
                    role: role as u16,
                    mv,
                }),
                AtomKind::Next { fact } => graph.add_node(Node::Transition { fact }),
                AtomKind::Legal { role, mv } => graph.add_node(Node::Legal {
                    role: role as u16,
                    mv,
                }),
                AtomKind::Goal { role, value } => graph.add_node(Node::Goal {
                    role: role as u16,
                    value,
                }),
                AtomKind::Terminal => graph.add_node(Node::Terminal),
                AtomKind::View => graph.add_node(Node::View { name: i as u32 }),
            })
            .collect::<Vec<_>>();
        Wiring {
            graph,
            negations: vec![None; nodes.len()],
            nodes,
        }
    }

    /// Connects an atom to the bodies of its rules.
    fn define<'a>(
        &mut self,
        atom: usize,
        mut rules: impl ExactSizeIterator<Item = &'a GroundRule>,
    ) {
        let driver = match rules.len() {
            0 => return,
            1 => match rules.next() {
                Some(rule) => self.body(rule),
                None => return,
            },
            _ => {
                let or = self.graph.add_node(Node::Or);
                for rule in rules {
                    let body = self.body(rule);
                    self.graph.add_edge(body, or, ());
                }
                or
            }
        };
        self.graph.add_edge(driver, self.nodes[atom], ());
    }

    /// The node that is true if all conditions of a rule hold.
    fn body(&mut self, rule: &GroundRule) -> NodeIndex {
        match &*rule.body {
            [] => Network::constant(true),
            [only] => self.literal(only.atom.index(), only.negated),
            several => {
                let and = self.graph.add_node(Node::And);
                for literal in several {
                    let node = self.literal(literal.atom.index(), literal.negated);
                    self.graph.add_edge(node, and, ());
                }
                and
            }
        }
    }

    fn literal(&mut self, atom: usize, negated: bool) -> NodeIndex {
        let node = self.nodes[atom];
        if !negated {
            return node;
        }
        match self.negations[atom] {
            Some(not) => not,
            None => {
                let not = self.graph.add_node(Node::Not);
                self.graph.add_edge(node, not, ());
                self.negations[atom] = Some(not);
                not
            }
        }
    }
}

/// The positions of the rules, grouped by head in their order.
struct RulesByHead {
    starts: Vec<u32>,
    rules: Vec<u32>,
}

impl RulesByHead {
    fn new(game: &GroundGame) -> Self {
        let mut starts = vec![0u32; game.atoms.len() + 2];
        for rule in &game.rules {
            starts[rule.head.index() + 2] += 1;
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        // Filling a group advances its start to the start of the next group. The count was
        // therefore stored one position further to the right.
        let mut rules = vec![0; game.rules.len()];
        for (position, rule) in game.rules.iter().enumerate() {
            let slot = &mut starts[rule.head.index() + 1];
            rules[*slot as usize] = position as u32;
            *slot += 1;
        }
        RulesByHead { starts, rules }
    }

    fn of(&self, atom: usize) -> &[u32] {
        &self.rules[self.starts[atom] as usize..self.starts[atom + 1] as usize]
    }
}

/// An upper bound on the number of nodes and edges.
fn upper_bound(game: &GroundGame, by_head: &RulesByHead) -> (usize, usize) {
    let mut negated = vec![false; game.atoms.len()];
    let (mut nodes, mut edges) = (2 + game.facts.len() + game.atoms.len(), game.atoms.len());
    for rule in &game.rules {
        for literal in rule.body.iter().filter(|literal| literal.negated) {
            negated[literal.atom.index()] = true;
        }
        if rule.body.len() > 1 {
            nodes += 1;
            edges += rule.body.len();
        }
    }
    let negations = negated.iter().filter(|&&n| n).count();
    for atom in 0..game.atoms.len() {
        let rules = by_head.of(atom).len();
        if rules > 1 {
            nodes += 1;
            edges += rules;
        }
    }
    (nodes + negations, edges + negations)
}

/// Rejects positions that are out of range, so that later code need not check them.
fn check(game: &GroundGame) -> Result<(), BuildError> {
    let fail = |what| Err(BuildError::Malformed(what));
    if game.roles.len() > usize::from(u16::MAX) || game.atoms.len() > u32::MAX as usize / 4 {
        return fail("too many roles or atoms");
    }
    if game.moves.len() != game.roles.len() {
        return fail("the lists of moves are not one for each role");
    }
    if game.view_names.len() != game.atoms.len() {
        return fail("the names are not one for each atom");
    }
    let fact_known = |fact: u32| (fact as usize) < game.facts.len();
    let move_known = |role: u32, mv: u32| {
        game.moves
            .get(role as usize)
            .is_some_and(|moves| (mv as usize) < moves.len())
    };
    for &kind in &game.atoms {
        let known = match kind {
            AtomKind::True { fact } | AtomKind::Next { fact } => fact_known(fact),
            AtomKind::Does { role, mv } | AtomKind::Legal { role, mv } => move_known(role, mv),
            AtomKind::Goal { role, value } => (role as usize) < game.roles.len() && value <= 100,
            AtomKind::Terminal | AtomKind::View => true,
        };
        if !known {
            return fail("an atom names a role, fact or move that is not listed");
        }
    }
    if !game.initial.iter().all(|&fact| fact_known(fact)) {
        return fail("the initial state holds a fact that is not listed");
    }
    for rule in &game.rules {
        match game.atoms.get(rule.head.index()) {
            None => return fail("a rule's head is not listed"),
            Some(AtomKind::True { .. } | AtomKind::Does { .. }) => {
                return fail("a rule defines a fact of the state or a move being made");
            }
            Some(_) => {}
        }
        if rule
            .body
            .iter()
            .any(|literal| literal.atom.index() >= game.atoms.len())
        {
            return fail("a rule's condition is not listed");
        }
    }
    Ok(())
}

fn refuse_negative_cycles(network: &Network, schedule: &Schedule) -> Result<(), BuildError> {
    for cycle in schedule.cycles() {
        if cycle.iter().any(|&node| network.graph[node] == Node::Not) {
            let mut atoms: Vec<String> = cycle
                .iter()
                .filter(|&&node| network.graph[node].is_repeater())
                .map(|&node| network.label(network.graph[node]))
                .collect();
            atoms.sort();
            return Err(BuildError::Unstratified { atoms });
        }
    }
    Ok(())
}
