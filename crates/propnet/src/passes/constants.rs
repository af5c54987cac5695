//! Constant folding: replaces gates whose value follows from constants, and removes inputs that
//! have no effect.

use super::{Removed, measured, schedule};
use crate::error::Meter;
use crate::schedule::{Fixpoint, Step};
use crate::{Network, Node};
use budget::{Budget, Exhausted};
use petgraph::graph::NodeIndex;

/// Folds constants.
///
/// Every gate and view with a known value is replaced by that constant, and outputs with a
/// known value read the constant. And-gates lose their true inputs and or-gates their false
/// inputs.
///
/// A cycle is examined as a whole. Nodes that are true in its least fixpoint when every unknown
/// input is false are always true. Nodes that are false when every unknown input is true are
/// always false. Recursive rules that only support each other are thereby found to be false.
pub fn run(network: &mut Network, budget: &Budget) -> Removed {
    measured("constants", network, budget, |network, meter| {
        let known = values(network, budget, meter)?;
        if nothing_to_fold(network, &known) {
            return Ok(());
        }
        fold(network, &known, meter)
    })
}

/// The value of every node, if it is known.
fn values(
    network: &Network,
    budget: &Budget,
    meter: &mut Meter<'_>,
) -> Result<Vec<Option<bool>>, Exhausted> {
    let schedule = schedule(network, budget)?;
    let mut known: Vec<Option<bool>> = vec![None; network.graph.node_count()];
    let mut fixpoint = None;
    for step in schedule.steps() {
        meter.step()?;
        match step {
            Step::Node(node) => known[node.index()] = value(network, node, &known),
            Step::Cycle(members) => {
                let fixpoint = fixpoint.get_or_insert_with(|| Fixpoint::new(network));
                let always = fixpoint
                    .solve(network, members, |n| known[n.index()] == Some(true))
                    .to_vec();
                let ever = fixpoint
                    .solve(network, members, |n| known[n.index()] != Some(false))
                    .to_vec();
                for &member in members {
                    known[member.index()] = Some(false);
                }
                for member in ever {
                    known[member.index()] = None;
                }
                for member in always {
                    known[member.index()] = Some(true);
                }
            }
        }
    }
    Ok(known)
}

/// The value of a node outside all cycles, computed from its inputs.
fn value(network: &Network, node: NodeIndex, known: &[Option<bool>]) -> Option<bool> {
    let mut inputs = network.inputs(node).map(|input| known[input.index()]);
    let gate = |inputs: &mut dyn Iterator<Item = Option<bool>>, decisive: bool| {
        let mut open = false;
        for input in inputs {
            match input {
                Some(value) if value == decisive => return Some(decisive),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(!decisive)
    };
    match network.graph[node] {
        Node::Constant(value) => Some(value),
        Node::Base { .. } | Node::Does { .. } => None,
        Node::And => gate(&mut inputs, false),
        Node::Not => inputs.next().unwrap_or(Some(false)).map(|value| !value),
        _ => gate(&mut inputs, true),
    }
}

/// Whether the known values are only those that folding leaves behind: the constants, and
/// outputs that read the true constant or nothing.
fn nothing_to_fold(network: &Network, known: &[Option<bool>]) -> bool {
    network
        .graph
        .node_indices()
        .all(|node| match (network.graph[node], known[node.index()]) {
            (Node::Constant(_), _) | (_, None) => true,
            (weight, Some(value)) if weight.is_output() => {
                let mut inputs = network.inputs(node);
                inputs.next() == value.then(|| Network::constant(true))
                    && network.graph.neighbors(node).next().is_none()
            }
            _ => false,
        })
        && network
            .graph
            .neighbors(Network::constant(false))
            .next()
            .is_none()
        && network
            .graph
            .neighbors(Network::constant(true))
            .all(|n| network.graph[n].is_output())
}

fn fold(
    network: &mut Network,
    known: &[Option<bool>],
    meter: &mut Meter<'_>,
) -> Result<(), Exhausted> {
    let graph = &network.graph;
    let stays = |node: NodeIndex, weight: Node| {
        weight.is_output() || weight.is_source() || known[node.index()].is_none()
    };
    let kept: Vec<bool> = graph
        .node_indices()
        .map(|node| stays(node, graph[node]))
        .collect();
    network.rebuild(
        |node| kept[node.index()],
        |network, node, reads| match known[node.index()] {
            // A true output reads the constant. A false one reads nothing.
            Some(true) if network.graph[node].is_output() => reads.push(Network::constant(true)),
            Some(_) => {}
            // A known input of an unknown gate has no effect. Otherwise it would have decided
            // the gate.
            None => reads.extend(network.inputs(node).filter(|i| known[i.index()].is_none())),
        },
        || meter.step(),
    )
}
