//! For every node: the signal that it reduces to, whether it depends on moves, and which
//! outputs need it.

use super::flat::phase;
use crate::error::Meter;
use crate::schedule::Step;
use crate::{BuildError, Network, Node, Schedule};
use budget::{Budget, Exhausted};
use petgraph::graph::NodeIndex;

/// A node or its negation, after skipping views, not-gates and single-input gates. The
/// constants are the false node and its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) node: NodeIndex,
    pub(super) inverted: bool,
}

impl Signal {
    fn constant(value: bool) -> Self {
        Signal {
            node: Network::constant(false),
            inverted: value,
        }
    }

    fn plain(node: NodeIndex) -> Self {
        Signal {
            node,
            inverted: false,
        }
    }

    fn negated_if(self, inverted: bool) -> Self {
        Signal {
            node: self.node,
            inverted: self.inverted != inverted,
        }
    }
}

/// For every node: the signal that it reduces to, whether it depends on moves, and which
/// outputs need it.
pub(super) struct Cones {
    signals: Vec<Signal>,
    /// Whether a signal's node depends on the moves.
    moving: Vec<bool>,
    /// The kinds of outputs that need a signal's node, as a bit set.
    needs: Vec<u8>,
}

const FOR_LEGAL: u8 = 1;
const FOR_GOAL: u8 = 2;
const FOR_NEXT: u8 = 4;

impl Cones {
    pub(super) fn new(
        network: &Network,
        schedule: &Schedule,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut meter = Meter::new(budget);
        let count = network.graph.node_count();
        let mut cones = Cones {
            signals: vec![Signal::constant(false); count],
            moving: vec![false; count],
            needs: vec![0; count],
        };
        for step in schedule.steps() {
            meter.step()?;
            match step {
                Step::Node(node) => {
                    let signal = cones.signal(network, node);
                    cones.signals[node.index()] = signal;
                    if signal.node == node {
                        cones.moving[node.index()] =
                            matches!(network.graph[node], Node::Does { .. })
                                || cones
                                    .inputs(network, node)
                                    .any(|s| cones.moving[s.node.index()]);
                    }
                }
                Step::Cycle(members) => {
                    for &member in members {
                        cones.signals[member.index()] = Signal::plain(member);
                    }
                    let moving = members.iter().any(|&member| {
                        cones
                            .inputs(network, member)
                            .any(|s| cones.moving[s.node.index()])
                    });
                    for &member in members {
                        cones.moving[member.index()] = moving;
                    }
                }
            }
        }
        Ok(cones)
    }

    /// The signal that a node outside all cycles reduces to.
    fn signal(&self, network: &Network, node: NodeIndex) -> Signal {
        let mut inputs = self.inputs(network, node);
        match network.graph[node] {
            Node::Constant(value) => Signal::constant(value),
            Node::Base { .. } | Node::Does { .. } => Signal::plain(node),
            Node::Not => inputs
                .next()
                .unwrap_or(Signal::constant(false))
                .negated_if(true),
            weight => match (inputs.next(), inputs.next()) {
                (None, _) => Signal::constant(weight == Node::And),
                (Some(only), None) => only,
                _ => Signal::plain(node),
            },
        }
    }

    pub(super) fn inputs<'a>(
        &'a self,
        network: &'a Network,
        node: NodeIndex,
    ) -> impl Iterator<Item = Signal> + 'a {
        network
            .inputs(node)
            .map(|input| self.signals[input.index()])
    }

    /// Each output proposition with its signal.
    pub(super) fn outputs<'a>(
        &'a self,
        network: &'a Network,
    ) -> impl Iterator<Item = (Node, Signal)> + 'a {
        network.graph.node_indices().filter_map(|node| {
            let weight = network.graph[node];
            weight
                .is_output()
                .then(|| (weight, self.signals[node.index()]))
        })
    }

    pub(super) fn refuse_move_dependence(&self, network: &Network) -> Result<(), BuildError> {
        for (output, signal) in self.outputs(network) {
            if self.moving[signal.node.index()] && !matches!(output, Node::Transition { .. }) {
                return Err(BuildError::MoveDependent {
                    atom: network.label(output),
                });
            }
        }
        Ok(())
    }

    pub(super) fn find_needs(
        &mut self,
        network: &Network,
        schedule: &Schedule,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut meter = Meter::new(budget);
        for node in network.graph.node_indices() {
            let need = match network.graph[node] {
                Node::Legal { .. } | Node::Terminal => FOR_LEGAL,
                Node::Goal { .. } => FOR_GOAL,
                Node::Transition { .. } => FOR_NEXT,
                _ => continue,
            };
            self.needs[self.signals[node.index()].node.index()] |= need;
        }
        let steps: Vec<Step<'_>> = schedule.steps().collect();
        for step in steps.iter().rev() {
            meter.step()?;
            let members = match step {
                Step::Node(node) => std::slice::from_ref(node),
                Step::Cycle(members) => members,
            };
            // Every member of a cycle depends on every other.
            let needs = members
                .iter()
                .fold(0, |all, member| all | self.needs[member.index()]);
            for &member in members {
                self.needs[member.index()] = needs;
                if self.signals[member.index()] == Signal::plain(member) && needs != 0 {
                    for input in network.inputs(member) {
                        let input = self.signals[input.index()].node;
                        self.needs[input.index()] |= needs;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a node becomes a gate: it is logic that some output needs.
    pub(super) fn is_gate(&self, network: &Network, node: NodeIndex) -> bool {
        self.needs[node.index()] != 0
            && self.signals[node.index()] == Signal::plain(node)
            && !network.graph[node].is_source()
    }

    pub(super) fn phase(&self, node: NodeIndex) -> usize {
        let needs = self.needs[node.index()];
        if needs & FOR_LEGAL != 0 {
            phase::LEGAL
        } else if needs == FOR_GOAL | FOR_NEXT {
            phase::SHARED
        } else if needs & FOR_GOAL != 0 {
            phase::GOAL
        } else if self.moving[node.index()] {
            phase::MOVES
        } else {
            phase::NEXT
        }
    }
}
