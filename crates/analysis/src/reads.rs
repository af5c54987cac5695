//! Dependencies between signals, and partial evaluation.

use fixedbitset::FixedBitSet;
use netlist::{GameLogic, Gate, Lit, Source};

/// For every node, the nodes that read it in one state: gates, and the inputs that stand for a
/// recursive signal.
pub struct Readers {
    start: Vec<u32>,
    readers: Vec<u32>,
}

impl Readers {
    /// Builds the table in one pass over the gates.
    pub fn new(logic: &GameLogic) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(2 * logic.net.len());
        for (node, gate) in logic.net.gates().iter().enumerate() {
            for read in gate.reads() {
                pairs.push((read.node() as u32, node as u32));
            }
        }
        for fix in &logic.fixes {
            pairs.push((fix.value.node() as u32, fix.input.node() as u32));
        }
        let mut start = vec![0u32; logic.net.len() + 1];
        for &(read, _) in &pairs {
            start[read as usize + 1] += 1;
        }
        for node in 1..start.len() {
            start[node] += start[node - 1];
        }
        let mut at = start.clone();
        let mut readers = vec![0; pairs.len()];
        for &(read, reader) in &pairs {
            readers[at[read as usize] as usize] = reader;
            at[read as usize] += 1;
        }
        Readers { start, readers }
    }

    /// The nodes that read a node directly.
    pub fn of(&self, node: usize) -> &[u32] {
        &self.readers[self.start[node] as usize..self.start[node + 1] as usize]
    }

    /// Marks these nodes and all nodes that depend on them in one state.
    pub fn mark(&self, nodes: impl IntoIterator<Item = usize>, marked: &mut FixedBitSet) {
        let mut open: Vec<usize> = Vec::new();
        for node in nodes {
            if !marked.put(node) {
                open.push(node);
            }
        }
        while let Some(node) = open.pop() {
            for &reader in self.of(node) {
                if !marked.put(reader as usize) {
                    open.push(reader as usize);
                }
            }
        }
    }
}

/// The fact that an input stands for. `None` for other nodes.
pub fn fact(logic: &GameLogic, node: usize) -> Option<u32> {
    match logic.net.gate(node) {
        Gate::Input(number) => match logic.sources[number as usize] {
            Source::Fact(fact) => Some(fact),
            Source::Does { .. } | Source::Fix(_) => None,
        },
        _ => None,
    }
}

/// Finds the facts that single signals read, one signal at a time, each at the cost of its own
/// cone.
pub struct Supports<'l> {
    logic: &'l GameLogic,
    seen: Vec<u32>,
    round: u32,
}

impl<'l> Supports<'l> {
    /// An instance that has visited nothing.
    pub fn new(logic: &'l GameLogic) -> Self {
        Supports {
            logic,
            seen: vec![0; logic.net.len()],
            round: 0,
        }
    }

    /// The facts that a signal reads, ascending, and the number of nodes visited. Stops after
    /// more than `most` nodes.
    pub fn facts(&mut self, lit: Lit, most: usize) -> (Vec<u32>, usize) {
        self.round += 1;
        let (mut facts, mut visits) = (Vec::new(), 0);
        let mut open = vec![lit.node()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.seen[node], self.round) == self.round {
                continue;
            }
            visits += 1;
            if visits > most {
                break;
            }
            match self.logic.net.gate(node) {
                Gate::Input(number) => match self.logic.sources[number as usize] {
                    Source::Fact(fact) => facts.push(fact),
                    Source::Does { .. } => {}
                    Source::Fix(at) => open.push(self.logic.fixes[at as usize].value.node()),
                },
                gate => open.extend(gate.reads().map(Lit::node)),
            }
        }
        facts.sort_unstable();
        (facts, visits)
    }
}

/// The logic nodes that some signals depend on, in order, for repeated evaluation.
pub struct Cone {
    nodes: Vec<u32>,
}

impl Cone {
    /// The cone of these signals and of the recursive ones that they read.
    pub fn new(logic: &GameLogic, roots: impl Iterator<Item = Lit>) -> Self {
        let (reach, _) = logic.reach(roots);
        let nodes = (0..logic.net.len()).filter(|&node| reach[node]);
        Cone {
            nodes: nodes.map(|node| node as u32).collect(),
        }
    }

    /// The number of its nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Evaluates the nodes in three values when only some facts are known. Moves and recursive
    /// signals are unknown. `values` has an entry for each node of the logic.
    pub fn partly(
        &self,
        logic: &GameLogic,
        known: impl Fn(u32) -> Option<bool>,
        values: &mut [Option<bool>],
    ) {
        for &node in &self.nodes {
            let node = node as usize;
            let of = |lit: Lit| value(values, lit);
            values[node] = match logic.net.gate(node) {
                Gate::False => Some(false),
                Gate::Input(_) => fact(logic, node).and_then(&known),
                Gate::And(a, b) => match (of(a), of(b)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
                Gate::Xor(a, b) => of(a).zip(of(b)).map(|(a, b)| a != b),
            };
        }
    }

    /// Evaluates the nodes when all facts are known, for signals that do not depend on moves.
    /// Recursive signals are evaluated cycle by cycle, each starting from false.
    pub fn wholly(&self, logic: &GameLogic, holds: impl Fn(u32) -> bool, values: &mut [bool]) {
        for fix in &logic.fixes {
            values[fix.input.node()] = false;
        }
        let once = |values: &mut [bool]| {
            for &node in &self.nodes {
                let node = node as usize;
                let of = |lit: Lit| values[lit.node()] != lit.is_negated();
                values[node] = match logic.net.gate(node) {
                    Gate::False => false,
                    Gate::Input(_) => match fact(logic, node) {
                        Some(fact) => holds(fact),
                        None => values[node],
                    },
                    Gate::And(a, b) => of(a) && of(b),
                    Gate::Xor(a, b) => of(a) != of(b),
                };
            }
        };
        once(values);
        for cycle in logic.fixes.chunk_by(|a, b| a.cycle == b.cycle) {
            loop {
                let mut changed = false;
                for fix in cycle {
                    let value = values[fix.value.node()] != fix.value.is_negated();
                    changed |= values[fix.input.node()] != value;
                    values[fix.input.node()] = value;
                }
                if !changed {
                    break;
                }
                once(values);
            }
        }
    }
}

/// The value of a signal.
pub fn value(values: &[Option<bool>], lit: Lit) -> Option<bool> {
    values[lit.node()].map(|value| value != lit.is_negated())
}

/// The facts that no move affects, at any distance, ascending.
pub fn untouched(logic: &GameLogic, readers: &Readers) -> Vec<u32> {
    let mut marked = FixedBitSet::with_capacity(logic.net.len());
    let moves = logic.does.iter().flatten().map(|lit| lit.node());
    readers.mark(moves.filter(|&node| node > 0), &mut marked);
    let mut touched = vec![false; logic.facts.len()];
    loop {
        let new: Vec<usize> = (0..touched.len())
            .filter(|&fact| !touched[fact] && marked.contains(logic.next[fact].node()))
            .collect();
        if new.is_empty() {
            break;
        }
        for &fact in &new {
            touched[fact] = true;
        }
        let nodes = new.iter().map(|&fact| logic.facts[fact].node());
        readers.mark(nodes, &mut marked);
    }
    let facts = (0..touched.len()).filter(|&fact| !touched[fact]);
    facts.map(|fact| fact as u32).collect()
}
