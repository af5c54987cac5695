//! The disjuncts of goals and of terminality.

use super::Condition;
use fixedbitset::FixedBitSet;
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use propnet::{Network, Node, Schedule, Step};

/// A disjunct of a condition. The condition holds if and only if one of its disjuncts does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Disjunct {
    /// The condition.
    pub of: Condition,
    /// The node whose value decides whether the disjunct holds.
    pub node: NodeIndex,
    /// Whether it holds if the node is false.
    pub negated: bool,
}

/// Appends the disjuncts of a condition whose node is `root`.
///
/// Splits or-gates, and negated and-gates, which are or-gates of negations. In recursive rules
/// it splits only or-gates that are not negated: the negation of a least fixpoint is a greatest
/// one, which is not the disjunction of its parts.
pub(super) fn split(
    network: &Network,
    cyclic: &FixedBitSet,
    of: Condition,
    root: NodeIndex,
    into: &mut Vec<Disjunct>,
) {
    let graph = network.graph();
    let mut seen = [true, false].map(|_| FixedBitSet::with_capacity(graph.node_count()));
    let mut open = vec![(root, false)];
    while let Some((node, negated)) = open.pop() {
        if seen[usize::from(negated)].put(node.index()) {
            continue;
        }
        let whole = negated && cyclic.contains(node.index());
        let inward = match graph[node] {
            _ if whole => None,
            Node::Or if !negated => Some(negated),
            Node::And if negated => Some(negated),
            Node::Not => Some(!negated),
            Node::Constant(value) if value == negated => continue,
            repeater if repeater.is_repeater() => Some(negated),
            _ => None,
        };
        let before = open.len();
        if let Some(inward) = inward {
            let inputs = graph.neighbors_directed(node, Incoming);
            open.extend(inputs.map(|input| (input, inward)));
        }
        // A repeater without an input is false, so its negation holds.
        let holds = negated && open.len() == before && graph[node].is_repeater();
        if inward.is_none() || holds {
            into.push(Disjunct { of, node, negated });
        }
    }
}

/// The nodes of cycles.
pub(super) fn recursive(schedule: &Schedule, nodes: usize) -> FixedBitSet {
    let mut cyclic = FixedBitSet::with_capacity(nodes);
    for step in schedule.steps() {
        if let Step::Cycle(nodes) = step {
            cyclic.extend(nodes.iter().map(|node| node.index()));
        }
    }
    cyclic
}
