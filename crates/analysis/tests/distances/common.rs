//! Networks of rulesheets, and distances computed by a naive walk.

use analysis::distances::{Columns, Condition, Met, Origin};
use budget::Budget;
use datalog::Program;
use game::{GroundTerm, MoveId, RoleId};
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use propnet::{Network, Node};
use std::collections::VecDeque;

/// The rules of a fixture.
pub fn fixture(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).unwrap()
}

/// The optimised network of some rules.
pub fn network(rules: &str) -> Network {
    let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
    let program = Program::from_sheet(&sheet);
    let built = compile::build_network(&program, &Budget::system());
    built.unwrap().network
}

/// The network before optimisation.
pub fn plain_network(rules: &str) -> Network {
    let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
    let budget = Budget::system();
    let ground = grounding::ground(&Program::from_sheet(&sheet), &budget).unwrap();
    Network::build(ground.game, &budget).unwrap()
}

/// The fact with that text.
pub fn fact(network: &Network, text: &str) -> u32 {
    let facts = &network.vocabulary().facts;
    let position = facts.iter().position(|fact| fact.to_string() == text);
    position.unwrap_or_else(|| panic!("no fact {text}")) as u32
}

/// The move of a role with that text.
pub fn mv(network: &Network, role: usize, text: &str) -> Met {
    let moves = &network.vocabulary().moves[role];
    let position = moves.iter().position(|mv| mv.to_string() == text);
    let position = position.unwrap_or_else(|| panic!("no move {text}"));
    Met::Move(RoleId(role), MoveId(position as u32))
}

/// A column as terms.
pub fn name(network: &Network, met: Met) -> (Option<GroundTerm>, GroundTerm) {
    let words = network.vocabulary();
    match met {
        Met::Fact(fact) => (None, words.facts[fact as usize].clone()),
        Met::Move(role, mv) => (
            Some(words.roles[role.0].clone()),
            words.moves[role.0][mv.0 as usize].clone(),
        ),
    }
}

/// All facts, moves and conditions as origins.
pub fn origins(columns: &Columns, conditions: impl Iterator<Item = Condition>) -> Vec<Origin> {
    let columns = (0..columns.len()).map(|column| match columns.met(column).unwrap() {
        Met::Fact(fact) => Origin::Fact(fact),
        Met::Move(role, mv) => Origin::Move(role, mv),
    });
    columns.chain(conditions.map(Origin::Condition)).collect()
}

/// The distances from `start` to all columns, by walking the network node by node.
pub fn walk(network: &Network, columns: &Columns, start: NodeIndex) -> Vec<Option<usize>> {
    let graph = network.graph();
    let find = |wanted: Node| graph.node_indices().find(|&node| graph[node] == wanted);
    let mut found = vec![None; columns.len()];
    let mut known = vec![usize::MAX; graph.node_count()];
    let mut open = VecDeque::from([(start, 0)]);
    while let Some((node, distance)) = open.pop_front() {
        if known[node.index()] <= distance {
            continue;
        }
        known[node.index()] = distance;
        let met = match graph[node] {
            Node::Base { fact } => Some(Met::Fact(fact)),
            Node::Does { role, mv } => Some(Met::Move(RoleId(role.into()), MoveId(mv))),
            _ => None,
        };
        if let Some(met) = met {
            let found = &mut found[columns.column(met).unwrap()];
            *found = Some(found.map_or(distance, |before: usize| before.min(distance)));
        }
        let same = graph.neighbors_directed(node, Incoming);
        let legal = match graph[node] {
            Node::Does { role, mv } => find(Node::Legal { role, mv }),
            _ => None,
        };
        for next in same.chain(legal) {
            open.push_front((next, distance));
        }
        if let Node::Base { fact } = graph[node]
            && let Some(next) = find(Node::Transition { fact })
        {
            open.push_back((next, distance + 1));
        }
    }
    found
}

/// The node of an origin; for a move without a node, the node of its legality.
pub fn node_of(network: &Network, origin: Origin) -> Option<NodeIndex> {
    let graph = network.graph();
    let find = |wanted: Node| graph.node_indices().find(|&node| graph[node] == wanted);
    match origin {
        Origin::Fact(fact) => find(Node::Base { fact }),
        Origin::Move(role, mv) => {
            let (role, mv) = (role.0 as u16, mv.0);
            find(Node::Does { role, mv }).or_else(|| find(Node::Legal { role, mv }))
        }
        Origin::Condition(Condition::Goal { role, value }) => find(Node::Goal {
            role: role.0 as u16,
            value,
        }),
        Origin::Condition(Condition::Terminal) => find(Node::Terminal),
        Origin::Disjunct(_) => None,
    }
}
