//! Removal of trivial gates: gates with one input, equal inputs or contradicting inputs, and
//! double negations.

use super::{Removed, StandIns, measured, schedule};
use crate::schedule::Step;
use crate::{Network, Node};
use budget::Budget;
use petgraph::graph::NodeIndex;

/// Replaces and- and or-gates with one (distinct) input by that input, double negations by the
/// negated node's input, and gates that read a node and its negation by a constant. Repeated
/// inputs of a gate are dropped.
///
/// Gates within a cycle only lose repeated inputs and the self-references of or-gates, which
/// have no effect.
pub fn run(network: &mut Network, budget: &Budget) -> Removed {
    measured("trivial", network, budget, |network, meter| {
        let schedule = schedule(network, budget)?;
        let mut stand_ins = StandIns::new(network);
        let mut inputs = Inputs::new(network);
        let mut changed = schedule.cycles().len() > 0;
        for step in schedule.steps() {
            meter.step()?;
            if let Step::Node(node) = step
                && let Some(other) = replacement(network, node, &stand_ins, &mut inputs)
            {
                stand_ins.replace(node, other);
                changed = true;
            }
        }
        if !changed && !inputs.repeated {
            return Ok(());
        }
        network.rebuild(
            |node| !stand_ins.is_replaced(node),
            |network, node, reads| {
                let weight = network.graph[node];
                if matches!(weight, Node::And | Node::Or) {
                    reads.extend_from_slice(inputs.distinct(network, node, &stand_ins));
                    if weight == Node::Or {
                        reads.retain(|&read| read != node);
                    }
                } else {
                    reads.extend(network.inputs(node).map(|input| stand_ins.of(input)));
                }
            },
            || meter.step(),
        )
    })
}

/// The replacement for a node outside all cycles. All its inputs must be final.
fn replacement(
    network: &Network,
    node: NodeIndex,
    stand_ins: &StandIns,
    inputs: &mut Inputs,
) -> Option<NodeIndex> {
    match network.graph[node] {
        gate @ (Node::And | Node::Or) => {
            let distinct = inputs.distinct(network, node, stand_ins);
            if let [only] = distinct {
                return Some(*only);
            }
            let contradicts = inputs.contradict(network, stand_ins);
            contradicts.then_some(match gate {
                Node::And => Network::constant(false),
                _ => Network::constant(true),
            })
        }
        Node::Not => {
            let negated = stand_ins.of(network.inputs(node).next()?);
            match network.graph[negated] {
                Node::Not => network
                    .inputs(negated)
                    .next()
                    .map(|input| stand_ins.of(input)),
                Node::Constant(true) => Some(Network::constant(false)),
                Node::Constant(false) => Some(Network::constant(true)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The distinct inputs of one gate at a time.
struct Inputs {
    /// For each node the last gate that was seen to read it.
    reader: Vec<NodeIndex>,
    list: Vec<NodeIndex>,
    gate: NodeIndex,
    /// Whether any gate read a node twice.
    repeated: bool,
}

impl Inputs {
    fn new(network: &Network) -> Self {
        // Node 0 is a constant, not a gate, so it can mean "none".
        Inputs {
            reader: vec![Network::constant(false); network.graph.node_count()],
            list: Vec::new(),
            gate: Network::constant(false),
            repeated: false,
        }
    }

    fn distinct(
        &mut self,
        network: &Network,
        gate: NodeIndex,
        stand_ins: &StandIns,
    ) -> &[NodeIndex] {
        // Forget the inputs that an earlier visit recorded for the same gate.
        for input in network.inputs(gate) {
            self.reader[stand_ins.of(input).index()] = Network::constant(false);
        }
        self.gate = gate;
        self.list.clear();
        for input in network.inputs(gate) {
            let input = stand_ins.of(input);
            if self.reader[input.index()] == gate {
                self.repeated = true;
            } else {
                self.reader[input.index()] = gate;
                self.list.push(input);
            }
        }
        &self.list
    }

    /// Whether the current gate reads a node and its negation.
    fn contradict(&self, network: &Network, stand_ins: &StandIns) -> bool {
        self.list.iter().any(|&input| {
            network.graph[input] == Node::Not
                && network
                    .inputs(input)
                    .any(|negated| self.reader[stand_ins.of(negated).index()] == self.gate)
        })
    }
}
