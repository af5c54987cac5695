//! Removal of logic that no output depends on.

use super::{Removed, measured};
use crate::{Network, Node};
use budget::Budget;
use petgraph::graph::NodeIndex;

/// Removes everything that no output reads, directly or through other nodes. Base propositions
/// stay, because they are the state. Moves that nothing reads are removed, but can still be
/// played.
pub fn run(network: &mut Network, budget: &Budget) -> Removed {
    measured("dead", network, budget, |network, meter| {
        let graph = &network.graph;
        let mut alive: Vec<bool> = graph
            .node_weights()
            .map(|node| node.is_output() || matches!(node, Node::Base { .. } | Node::Constant(_)))
            .collect();
        let mut open: Vec<NodeIndex> = graph
            .node_indices()
            .filter(|node| alive[node.index()])
            .collect();
        while let Some(node) = open.pop() {
            meter.step()?;
            for input in network.inputs(node) {
                if !std::mem::replace(&mut alive[input.index()], true) {
                    open.push(input);
                }
            }
        }
        if alive.iter().all(|&alive| alive) {
            return Ok(());
        }
        network.rebuild(
            |node| alive[node.index()],
            |network, node, reads| reads.extend(network.inputs(node)),
            || meter.step(),
        )
    })
}
