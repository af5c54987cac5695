//! Structural sharing: merges gates that compute the same function of the same inputs.

use super::{Removed, StandIns, measured, schedule};
use crate::schedule::Step;
use crate::{Network, Node};
use budget::Budget;
use petgraph::graph::NodeIndex;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Replaces every gate by the first one of its kind with the same set of inputs.
///
/// The pass is exact: hashes only find candidates, whose inputs are then compared. Inputs come
/// first, so gates that become equal when their inputs are shared are shared too. Gates within
/// a cycle stay as they are.
pub fn run(network: &mut Network, budget: &Budget) -> Removed {
    measured("sharing", network, budget, |network, meter| {
        let schedule = schedule(network, budget)?;
        let mut stand_ins = StandIns::new(network);
        let gates = network
            .graph
            .node_weights()
            .filter(|node| is_gate(**node))
            .count();
        let mut table = Table::with_capacity(gates);
        let mut inputs = Vec::new();
        for step in schedule.steps() {
            meter.step()?;
            let Step::Node(node) = step else { continue };
            let weight = network.graph[node];
            if is_gate(weight) {
                inputs.clear();
                inputs.extend(network.inputs(node).map(|input| stand_ins.of(input)));
                inputs.sort_unstable();
                let first = table.find_or_insert(weight, &inputs, node);
                if first != node {
                    stand_ins.replace(node, first);
                }
            }
        }
        drop(table);
        stand_ins.apply(network, meter)
    })
}

fn is_gate(node: Node) -> bool {
    matches!(node, Node::And | Node::Or | Node::Not)
}

/// All distinct gates so far, by kind and inputs.
struct Table {
    /// The last gate inserted with each hash.
    latest: FxHashMap<u64, u32>,
    gates: Vec<Gate>,
    /// The inputs of all gates, concatenated.
    inputs: Vec<NodeIndex>,
}

struct Gate {
    kind: Node,
    node: NodeIndex,
    /// The end of its inputs in [`Table::inputs`]. They begin at the end of the previous gate's
    /// inputs.
    end: u32,
    /// The previous gate inserted with the same hash.
    previous: Option<u32>,
}

impl Table {
    fn with_capacity(gates: usize) -> Self {
        Table {
            latest: FxHashMap::with_capacity_and_hasher(gates, FxBuildHasher),
            gates: Vec::with_capacity(gates),
            inputs: Vec::new(),
        }
    }

    /// Returns the gate with these inputs, which is `node` if there was none.
    fn find_or_insert(&mut self, kind: Node, inputs: &[NodeIndex], node: NodeIndex) -> NodeIndex {
        let mut hasher = FxHasher::default();
        (kind, inputs).hash(&mut hasher);
        let latest = self.latest.entry(hasher.finish());
        let mut candidate = match &latest {
            std::collections::hash_map::Entry::Occupied(entry) => Some(*entry.get()),
            std::collections::hash_map::Entry::Vacant(_) => None,
        };
        let previous = candidate;
        while let Some(at) = candidate {
            let gate = &self.gates[at as usize];
            let start = match at {
                0 => 0,
                _ => self.gates[at as usize - 1].end as usize,
            };
            if gate.kind == kind && &self.inputs[start..gate.end as usize] == inputs {
                return gate.node;
            }
            candidate = gate.previous;
        }
        latest.insert_entry(self.gates.len() as u32);
        self.inputs.extend_from_slice(inputs);
        self.gates.push(Gate {
            kind,
            node,
            end: self.inputs.len() as u32,
            previous,
        });
        node
    }
}
