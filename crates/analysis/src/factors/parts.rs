//! Facts that must stay together, as the components of a graph of nodes.

use super::relieved::{Relieved, conjuncts};
use budget::{Budget, Exhausted};
use netlist::Lit;

/// A partition of the nodes that depend on facts that moves change. Entries of other nodes have
/// no meaning.
#[derive(Clone)]
pub(super) struct Parts {
    parent: Vec<u32>,
}

impl Parts {
    /// Every node is a part of its own.
    pub fn new(nodes: usize) -> Self {
        Parts {
            parent: (0..nodes as u32).collect(),
        }
    }

    /// The part of a node, named by one of its nodes.
    pub fn of(&mut self, node: usize) -> u32 {
        let mut at = node as u32;
        while self.parent[at as usize] != at {
            let up = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = up;
            at = up;
        }
        at
    }

    /// Joins the parts of two nodes. Returns whether they were different.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }
}

/// For each of these signals, joins all nodes that it depends on.
fn join_cones(game: &Relieved, parts: &mut Parts, roots: impl Iterator<Item = Lit>) {
    let net = &game.logic.net;
    let cone = net.cone(roots);
    for node in (0..net.len()).filter(|&node| cone[node] && game.live[node]) {
        for read in net.gate(node).reads().filter(|&read| game.is_live(read)) {
            parts.join(node, read.node());
        }
    }
}

/// Joins what the rules connect: a fact with all facts that its next value depends on, and the
/// facts within each conjunct of a move's legality.
pub(super) fn by_rules(game: &Relieved, budget: &Budget) -> Result<Parts, Exhausted> {
    let logic = &game.logic;
    let mut parts = Parts::new(logic.net.len());
    let next = game
        .facts()
        .map(|fact| (logic.facts[fact], logic.next[fact]));
    let next: Vec<(Lit, Lit)> = next.collect();
    join_cones(game, &mut parts, next.iter().map(|&(_, next)| next));
    for (now, next) in next {
        if game.is_live(next) {
            parts.join(now.node(), next.node());
        }
    }
    join_cones(game, &mut parts, logic.fix_roots());
    for fix in &logic.fixes {
        if game.is_live(fix.value) {
            parts.join(fix.input.node(), fix.value.node());
        }
    }
    budget.check()?;
    let mut leaves: Vec<Lit> = Vec::new();
    for (number, &legal) in logic.legal.iter().flatten().enumerate() {
        if number % 256 == 0 {
            budget.check()?;
        }
        leaves.extend(conjuncts(logic, legal));
    }
    leaves.retain(|&leaf| game.is_live(leaf));
    join_cones(game, &mut parts, leaves.into_iter());
    Ok(parts)
}
