//! Removal of views: propositions that only name a gate.

use super::{Removed, StandIns, measured};
use crate::{Network, Node};
use budget::Budget;
use petgraph::graph::NodeIndex;

/// Redirects every reader of a view to the view's input and removes the views. Readers of an
/// output proposition are redirected too, so that outputs have no readers afterwards.
pub fn run(network: &mut Network, budget: &Budget) -> Removed {
    measured("views", network, budget, |network, meter| {
        if network
            .graph
            .node_indices()
            .all(|node| !is_read_through(network, node))
        {
            return Ok(());
        }
        let mut behind = StandIns::new(network);
        let mut settled = vec![false; network.graph.node_count()];
        let mut chain: Vec<NodeIndex> = Vec::new();
        for node in network.graph.node_indices() {
            // Follow the repeaters to a different kind of node, or to one that is already
            // settled.
            let mut at = node;
            while network.graph[at].is_repeater() && !settled[at.index()] {
                meter.step()?;
                settled[at.index()] = true;
                chain.push(at);
                at = network
                    .inputs(at)
                    .next()
                    .unwrap_or(Network::constant(false));
            }
            // A ring of views that only repeat each other is never true. Neither are the nodes
            // behind it.
            let end = if chain.contains(&at) && network.graph[at].is_repeater() {
                Network::constant(false)
            } else {
                behind.of(at)
            };
            for repeater in chain.drain(..) {
                behind.replace(repeater, end);
            }
        }
        let kept: Vec<bool> = network
            .graph
            .node_weights()
            .map(|node| !matches!(node, Node::View { .. }))
            .collect();
        network.rebuild(
            |node| kept[node.index()],
            |network, node, reads| {
                reads.extend(network.inputs(node).map(|input| behind.of(input)));
            },
            || meter.step(),
        )
    })
}

/// Whether the pass bypasses the node: a view, or an output with readers.
fn is_read_through(network: &Network, node: NodeIndex) -> bool {
    match network.graph[node] {
        Node::View { .. } => true,
        weight => weight.is_output() && network.graph.neighbors(node).next().is_some(),
    }
}
