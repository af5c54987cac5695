//! Flattening: merges a gate into its only reader if that is a gate of the same kind.

use super::{Removed, measured, schedule};
use crate::schedule::Step;
use crate::{Network, Node};
use budget::Budget;
use petgraph::graph::NodeIndex;

/// Merges and-gates whose only reader is an and-gate into that reader, and or-gates likewise.
/// Gates within a cycle are not merged, but gates from outside the cycle may be merged into
/// them.
pub fn run(network: &mut Network, budget: &Budget) -> Removed {
    measured("flatten", network, budget, |network, meter| {
        let schedule = schedule(network, budget)?;
        let mut merged = vec![false; network.graph.node_count()];
        for step in schedule.steps() {
            meter.step()?;
            if let Step::Node(node) = step {
                merged[node.index()] = merges(network, node);
            }
        }
        if merged.iter().all(|&merged| !merged) {
            return Ok(());
        }
        network.rebuild(
            |node| !merged[node.index()],
            |network, node, reads| {
                // Each chain of merged gates is walked once, starting from the gate that
                // absorbs them all.
                reads.extend(network.inputs(node));
                let mut at = 0;
                while let Some(&read) = reads.get(at) {
                    if merged[read.index()] {
                        reads.swap_remove(at);
                        reads.extend(network.inputs(read));
                    } else {
                        at += 1;
                    }
                }
            },
            || meter.step(),
        )
    })
}

fn merges(network: &Network, node: NodeIndex) -> bool {
    let weight = network.graph[node];
    let mut readers = network.graph.neighbors(node);
    matches!(weight, Node::And | Node::Or)
        && readers
            .next()
            .is_some_and(|reader| network.graph[reader] == weight)
        && readers.next().is_none()
}
