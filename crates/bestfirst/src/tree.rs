//! The tree in memory: nodes with their moves and the values behind these.

use game::{MoveId, State};
use hashbrown::HashTable;
use heuristics::Outputs;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// The value of a certain win, less the plies to it. Estimates, in logits, are far smaller.
pub(crate) const WIN: f32 = 1000.0;

/// A value that is no estimate but the distance to a certain win or loss.
pub(crate) fn is_certain(value: f32) -> bool {
    value.abs() > WIN / 2.0
}

/// The values for each output of a certain result of a role. What others get then is not known
/// where results are not opposed; it does not matter to the role.
pub(crate) fn certain(outputs: Outputs, role: usize, worth: f32) -> impl Fn(usize) -> f32 + use<> {
    move |output| match outputs {
        Outputs::Opposed if role == 0 => worth,
        Outputs::Opposed => -worth,
        Outputs::Each { .. } if output == role => worth,
        Outputs::Each { .. } => -worth,
    }
}

/// No child.
pub(crate) const NONE: u32 = u32::MAX;

/// A move at a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub mv: MoveId,
    /// The node behind it, or [`NONE`] before it was expanded.
    pub child: u32,
    pub visits: u32,
    /// Whether its value is proved.
    pub solved: bool,
}

/// A state in which at most one role chooses.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub state: State,
    /// One move of each role. The chooser's is a placeholder.
    pub joint: Box<[MoveId]>,
    /// The role that chooses.
    pub role: u16,
    /// Whether its value is proved.
    pub solved: bool,
    /// Whether that is so by a proof that does not tell which moves have the value.
    pub settled: bool,
    pub visits: u32,
    /// Its edges, as positions in [`Tree::edges`].
    pub first: u32,
    pub count: u32,
    /// The edge whose value is that of the node.
    pub best: u32,
}

/// Nodes and edges. Equal states are one node.
pub(crate) struct Tree {
    outputs: Outputs,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// For each edge its value for each output.
    values: Vec<f32>,
    table: HashTable<u32>,
    /// Bytes of states and joint moves outside of the nodes.
    heap: usize,
}

fn hash(state: &State) -> u64 {
    FxBuildHasher.hash_one(state)
}

impl Tree {
    pub fn new(outputs: Outputs) -> Tree {
        Tree {
            outputs,
            nodes: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            table: HashTable::new(),
            heap: 0,
        }
    }

    pub fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let edge = size_of::<Edge>() + size_of::<f32>() * self.outputs.count();
        self.nodes.len() * (size_of::<Node>() + 8) + self.edges.len() * edge + self.heap
    }

    pub fn find(&self, state: &State) -> Option<u32> {
        let same = |&at: &u32| self.nodes[at as usize].state == *state;
        self.table.find(hash(state), same).copied()
    }

    /// Adds a node with the edges and values that were pushed after position `first`.
    pub fn insert(&mut self, state: &State, joint: &[MoveId], role: usize, first: usize) -> u32 {
        let at = self.nodes.len() as u32;
        self.heap += state.heap() + size_of_val(joint) + 16;
        self.nodes.push(Node {
            state: state.clone(),
            joint: joint.into(),
            role: role as u16,
            solved: false,
            settled: false,
            visits: 1,
            first: first as u32,
            count: (self.edges.len() - first) as u32,
            best: first as u32,
        });
        let nodes = &self.nodes;
        self.table
            .insert_unique(hash(state), at, |&at| hash(&nodes[at as usize].state));
        self.update(at);
        at
    }

    /// Adds an edge with its values to the node that is inserted next.
    pub fn push_edge(&mut self, mv: MoveId, values: &[f32], solved: bool) {
        self.edges.push(Edge {
            mv,
            child: NONE,
            visits: 0,
            solved,
        });
        self.values.extend_from_slice(values);
    }

    /// Removes the edges from position `first` on, which belong to no node.
    pub fn drop_edges(&mut self, first: usize) {
        self.edges.truncate(first);
        self.values.truncate(first * self.outputs.count());
    }

    /// The values of an edge.
    pub fn values(&self, edge: usize) -> &[f32] {
        let outputs = self.outputs.count();
        &self.values[edge * outputs..][..outputs]
    }

    /// What an edge is worth for a role.
    pub fn worth(&self, edge: usize, role: usize) -> f32 {
        self.outputs.worth(self.values(edge), role)
    }

    /// The edges of a node.
    pub fn edges_of(&self, at: u32) -> std::ops::Range<usize> {
        let node = &self.nodes[at as usize];
        node.first as usize..(node.first + node.count) as usize
    }

    /// The unsolved edge that is worth most for the role that chooses.
    pub fn leading(&self, at: u32) -> Option<usize> {
        let role = usize::from(self.nodes[at as usize].role);
        let open = self.edges_of(at).filter(|&edge| !self.edges[edge].solved);
        open.max_by(|&a, &b| self.worth(a, role).total_cmp(&self.worth(b, role)))
    }

    /// Finds the best edge of a node, and whether the node is solved.
    pub fn update(&mut self, at: u32) {
        let role = usize::from(self.nodes[at as usize].role);
        let (mut best, mut most, mut all) = (None, f32::NEG_INFINITY, true);
        for edge in self.edges_of(at) {
            let (worth, solved) = (self.worth(edge, role), self.edges[edge].solved);
            all &= solved;
            if best.is_none() || worth > most || worth == most && solved {
                (best, most) = (Some(edge), worth);
            }
        }
        let Some(best) = best else { return };
        let won = self.edges[best].solved && most > WIN / 2.0;
        let node = &mut self.nodes[at as usize];
        node.best = best as u32;
        node.solved |= won || all;
    }

    /// Takes the value of the child of an edge.
    pub fn back_up(&mut self, edge: usize) {
        let child = self.edges[edge].child;
        let Some(node) = self.nodes.get(child as usize) else {
            return;
        };
        let (from, solved) = (node.best as usize, node.solved);
        let outputs = self.outputs.count();
        for output in 0..outputs {
            let value = self.values[from * outputs + output];
            // Certain results count the plies to them.
            let value = if is_certain(value) {
                value - value.signum()
            } else {
                value
            };
            self.values[edge * outputs + output] = value;
        }
        self.edges[edge].solved = solved;
    }

    /// Sets the value of an edge.
    pub fn set_values(&mut self, edge: usize, value: impl Fn(usize) -> f32, solved: bool) {
        let outputs = self.outputs.count();
        for output in 0..outputs {
            self.values[edge * outputs + output] = value(output);
        }
        self.edges[edge].solved = solved;
    }

    /// Marks a node as solved by a proof. All its edges get this value, since it is not known
    /// which of them has it.
    pub fn settle(&mut self, at: u32, value: impl Fn(usize) -> f32) {
        for edge in self.edges_of(at) {
            self.set_values(edge, &value, true);
        }
        let node = &mut self.nodes[at as usize];
        (node.solved, node.settled) = (true, true);
        self.update(at);
    }

    /// Gives a node the edges that were pushed after position `first`.
    pub fn reopen(&mut self, at: u32, first: usize) {
        let count = self.edges.len() - first;
        let node = &mut self.nodes[at as usize];
        (node.solved, node.settled) = (false, false);
        (node.first, node.count, node.best) = (first as u32, count as u32, first as u32);
        self.update(at);
    }

    /// Keeps only what is reachable from `root` through nodes with at least `visits` visits.
    /// Returns the new number of the root.
    pub fn prune(&mut self, root: u32, visits: u32) -> u32 {
        let mut kept = Tree::new(self.outputs);
        let mut number = vec![NONE; self.nodes.len()];
        let mut open = vec![root];
        let mut order = Vec::new();
        number[root as usize] = 0;
        while let Some(at) = open.pop() {
            order.push(at);
            for edge in self.edges_of(at) {
                let child = self.edges[edge].child;
                let Some(node) = self.nodes.get(child as usize) else {
                    continue;
                };
                if number[child as usize] == NONE && node.visits >= visits {
                    number[child as usize] = 0;
                    open.push(child);
                }
            }
        }
        for (new, &old) in (0..).zip(&order) {
            number[old as usize] = new;
        }
        for &old in &order {
            let first = kept.edges.len();
            for edge in self.edges_of(old) {
                let Edge {
                    mv,
                    child,
                    visits,
                    solved,
                } = self.edges[edge];
                kept.push_edge(mv, self.values(edge), solved);
                if let (Some(copy), Some(&child)) =
                    (kept.edges.last_mut(), number.get(child as usize))
                {
                    (copy.child, copy.visits) = (child, visits);
                }
            }
            let node = &self.nodes[old as usize];
            let at = kept.insert(&node.state, &node.joint, usize::from(node.role), first);
            let copy = &mut kept.nodes[at as usize];
            (copy.visits, copy.solved) = (node.visits, node.solved);
            copy.settled = node.settled;
        }
        *self = kept;
        0
    }
}
