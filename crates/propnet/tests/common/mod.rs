//! Random ground games, and two naive evaluators that share no code with the crate: one
//! evaluates the rules, the other evaluates the graph node by node.

#![allow(
    dead_code,
    reason = "every test binary uses its own part of this module"
)]

use game::GroundTerm;
use grounding::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use propnet::{Network, Node};
use proptest::prelude::*;
use std::collections::BTreeMap;

pub const FACTS: u32 = 6;
pub const MOVES: u32 = 3;
pub const ROLES: u32 = 2;
const VIEWS: usize = 12;
const GOALS: [u8; 3] = [0, 50, 100];

/// The atoms of every random game.
pub fn atoms() -> Vec<AtomKind> {
    let mut atoms: Vec<AtomKind> = (0..FACTS).map(|fact| AtomKind::True { fact }).collect();
    for role in 0..ROLES {
        atoms.extend((0..MOVES).map(|mv| AtomKind::Does { role, mv }));
    }
    atoms.extend((0..VIEWS).map(|_| AtomKind::View));
    for role in 0..ROLES {
        atoms.extend((0..MOVES).map(|mv| AtomKind::Legal { role, mv }));
        atoms.extend(GOALS.map(|value| AtomKind::Goal { role, value }));
    }
    atoms.push(AtomKind::Terminal);
    atoms.extend((0..FACTS).map(|fact| AtomKind::Next { fact }));
    atoms
}

/// The stratum of an atom. Rules may negate atoms of lower strata, and views may depend
/// positively on views of their own stratum.
fn stratum(atoms: &[AtomKind], atom: usize) -> usize {
    match atoms[atom] {
        AtomKind::True { .. } | AtomKind::Does { .. } => 0,
        AtomKind::View => 1 + atom % 3,
        AtomKind::Legal { .. } => 4,
        AtomKind::Goal { .. } | AtomKind::Terminal => 5,
        AtomKind::Next { .. } => 6,
    }
}

/// Whether an atom may depend on the moves.
fn moving(atoms: &[AtomKind], atom: usize) -> bool {
    match atoms[atom] {
        AtomKind::Does { .. } | AtomKind::Next { .. } => true,
        AtomKind::View => atom.is_multiple_of(2),
        _ => false,
    }
}

/// A rule: a head and literals, each picked from the atoms that are allowed there.
type Picked = (prop::sample::Index, Vec<(prop::sample::Index, bool)>);

/// Stratified games over [`atoms`]: of all kinds, or mostly of recursive views.
pub fn games() -> impl Strategy<Value = GroundGame> {
    let initial = || prop::bits::u32::masked((1 << FACTS) - 1);
    let rules = |bodies: std::ops::Range<usize>, rules: std::ops::Range<usize>, negated: f64| {
        let literal = (any::<prop::sample::Index>(), prop::bool::weighted(negated));
        let rule = (
            any::<prop::sample::Index>(),
            prop::collection::vec(literal, bodies),
        );
        prop::collection::vec(rule, rules)
    };
    prop_oneof![
        (rules(0..4, 0..60, 0.3), initial()).prop_map(|(rules, initial)| any_game(&rules, initial)),
        (rules(1..3, 2..20, 0.0), initial())
            .prop_map(|(rules, initial)| recursive_game(&rules, initial)),
    ]
}

/// The picked rules, as far as they keep the strata.
fn any_game(rules: &[Picked], initial: u32) -> GroundGame {
    let atoms = atoms();
    let heads: Vec<usize> = (0..atoms.len())
        .filter(|&a| stratum(&atoms, a) > 0)
        .collect();
    let all: Vec<usize> = (0..atoms.len()).collect();
    game(atoms, rules, &heads, &all, initial)
}

/// The picked rules over a few views of one stratum and the facts, with outputs that repeat
/// views.
fn recursive_game(rules: &[Picked], initial: u32) -> GroundGame {
    let atoms = atoms();
    let still = |&a: &usize| atoms[a] == AtomKind::View && !moving(&atoms, a);
    let views: Vec<usize> = (0..atoms.len()).filter(still).collect();
    let views: Vec<usize> = views
        .iter()
        .copied()
        .filter(|&v| stratum(&atoms, v) == stratum(&atoms, views[0]))
        .collect();
    let (facts, outputs) = (0..FACTS as usize, FACTS as usize + VIEWS..atoms.len());
    let outputs = outputs
        .filter(|&a| stratum(&atoms, a) > 3)
        .enumerate()
        .map(|(i, output)| {
            let view = GroundLiteral {
                atom: AtomId(views[i % views.len()] as u32),
                negated: i % 5 == 0,
            };
            GroundRule {
                head: AtomId(output as u32),
                body: [view].into(),
            }
        });
    let outputs: Vec<GroundRule> = outputs.collect();
    let body: Vec<usize> = views
        .iter()
        .copied()
        .chain(views.clone())
        .chain(facts)
        .collect();
    let mut game = game(atoms, rules, &views, &body, initial);
    game.rules.extend(outputs);
    game
}

/// The game with the picked rules. Heads and literals come from the given atoms. Literals that
/// would break stratification are left out.
fn game(
    atoms: Vec<AtomKind>,
    rules: &[Picked],
    heads: &[usize],
    literals: &[usize],
    initial: u32,
) -> GroundGame {
    let rules = rules.iter().filter_map(|(head, body)| {
        let head = heads[head.index(heads.len())];
        let mut allowed: Vec<GroundLiteral> = Vec::new();
        for (atom, negated) in body {
            let atom = literals[atom.index(literals.len())];
            let (above, here) = (stratum(&atoms, head), stratum(&atoms, atom));
            let both_views = [head, atom].iter().all(|&a| atoms[a] == AtomKind::View);
            let in_order = here < above || here == above && both_views;
            if in_order && (moving(&atoms, head) || !moving(&atoms, atom)) {
                allowed.push(GroundLiteral {
                    atom: AtomId(atom as u32),
                    negated: *negated && here < above,
                });
            }
        }
        allowed.sort();
        allowed.dedup();
        let emptied = allowed.is_empty() && !body.is_empty();
        (!emptied).then(|| GroundRule {
            head: AtomId(head as u32),
            body: allowed.into(),
        })
    });
    let rules = rules.collect();
    let name = |prefix: &str, i: u32| GroundTerm::constant(&format!("{prefix}{i}"));
    GroundGame {
        roles: (0..ROLES).map(|i| name("role", i)).collect(),
        facts: (0..FACTS).map(|i| name("fact", i)).collect(),
        moves: vec![(0..MOVES).map(|i| name("move", i)).collect(); ROLES as usize],
        initial: (0..FACTS).filter(|fact| initial >> fact & 1 == 1).collect(),
        view_names: (0..atoms.len()).map(|i| format!("(view {i})")).collect(),
        atoms,
        rules,
        exclusive: Vec::new(),
    }
}

/// The value of every output in one situation.
pub type Answers = BTreeMap<Node, bool>;

/// Every output of `game`, from the rules alone, where `facts` hold and the joint move is
/// `joint` (empty: no moves). Evaluates stratum by stratum, rule by rule, until nothing
/// changes.
pub fn by_rules(game: &GroundGame, facts: u64, joint: &[u32]) -> Answers {
    let mut holds: Vec<bool> = game
        .atoms
        .iter()
        .map(|&atom| match atom {
            AtomKind::True { fact } => facts >> fact & 1 == 1,
            AtomKind::Does { role, mv } => joint.get(role as usize) == Some(&mv),
            _ => false,
        })
        .collect();
    for level in 1..=6 {
        let mut changed = true;
        while changed {
            changed = false;
            for rule in &game.rules {
                let head = rule.head.index();
                let applies = stratum(&game.atoms, head) == level
                    && !holds[head]
                    && rule
                        .body
                        .iter()
                        .all(|literal| holds[literal.atom.index()] != literal.negated);
                if applies {
                    holds[head] = true;
                    changed = true;
                }
            }
        }
    }
    let output = |(i, &atom): (usize, &AtomKind)| {
        let node = match atom {
            AtomKind::Next { fact } => Node::Transition { fact },
            AtomKind::Legal { role, mv } => Node::Legal {
                role: role as u16,
                mv,
            },
            AtomKind::Goal { role, value } => Node::Goal {
                role: role as u16,
                value,
            },
            AtomKind::Terminal => Node::Terminal,
            _ => return None,
        };
        Some((node, holds[i]))
    };
    game.atoms.iter().enumerate().filter_map(output).collect()
}

/// Every output of `network`, by evaluating the whole graph. Only for stratified networks:
/// cycles are evaluated repeatedly until nothing changes, starting from the smallest sets.
pub fn by_graph(network: &Network, facts: u64, joint: &[u32]) -> Answers {
    let graph = network.graph();
    let mut values: Vec<Option<bool>> = vec![None; graph.node_count()];
    loop {
        // First derive everything that follows from known values.
        let mut changed = false;
        for node in graph.node_indices() {
            if values[node.index()].is_none() {
                values[node.index()] = known(network, node, &values, facts, joint);
                changed |= values[node.index()].is_some();
            }
        }
        if changed {
            continue;
        }
        // Then set unknown nodes to false that depend only on each other.
        let Some(unfounded) = lowest_cycle(network, &values) else {
            break;
        };
        for node in unfounded {
            values[node.index()] = Some(false);
        }
    }
    let outputs = graph.node_indices().filter(|&node| graph[node].is_output());
    outputs
        .map(|node| (graph[node], values[node.index()].unwrap_or(false)))
        .collect()
}

/// A set of unknown nodes that depend only on each other.
fn lowest_cycle(network: &Network, values: &[Option<bool>]) -> Option<Vec<NodeIndex>> {
    let graph = network.graph();
    let unknown = |node: &NodeIndex| values[node.index()].is_none();
    let behind = |start: NodeIndex| {
        let mut seen = vec![start];
        let mut at = 0;
        while at < seen.len() {
            let inputs = graph.neighbors_directed(seen[at], Incoming).filter(unknown);
            for input in inputs.collect::<Vec<_>>() {
                if !seen.contains(&input) {
                    seen.push(input);
                }
            }
            at += 1;
        }
        seen
    };
    graph
        .node_indices()
        .filter(unknown)
        .map(behind)
        .min_by_key(Vec::len)
}

fn known(
    network: &Network,
    node: NodeIndex,
    values: &[Option<bool>],
    facts: u64,
    joint: &[u32],
) -> Option<bool> {
    let inputs: Vec<Option<bool>> = network
        .graph()
        .neighbors_directed(node, Incoming)
        .map(|input| values[input.index()])
        .collect();
    let gate = |decisive: bool| {
        if inputs.contains(&Some(decisive)) {
            Some(decisive)
        } else {
            (!inputs.contains(&None)).then_some(!decisive)
        }
    };
    match network.graph()[node] {
        Node::Constant(value) => Some(value),
        Node::Base { fact } => Some(facts >> fact & 1 == 1),
        Node::Does { role, mv } => Some(joint.get(usize::from(role)) == Some(&mv)),
        Node::And => gate(false),
        Node::Not => inputs[0].map(|value| !value),
        _ => gate(true),
    }
}
