//! Statistics of a network.

use crate::error::Meter;
use crate::schedule::Step;
use crate::{BuildError, Network, Node, Schedule};
use budget::Budget;
use petgraph::graph::NodeIndex;
use std::fmt;

/// Statistics of a network. The `Display` form is readable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of base propositions.
    pub bases: usize,
    /// Number of base propositions that hold initially.
    pub initial: usize,
    /// Number of input propositions.
    pub inputs: usize,
    /// Number of views.
    pub views: usize,
    /// Number of and-gates.
    pub ands: usize,
    /// Number of or-gates.
    pub ors: usize,
    /// Number of not-gates.
    pub nots: usize,
    /// Number of transitions.
    pub transitions: usize,
    /// Number of legal propositions.
    pub legals: usize,
    /// Number of goal propositions.
    pub goals: usize,
    /// Number of nodes of all kinds, including the two constants and the terminal proposition.
    pub nodes: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of nodes on the longest path through the network. A cycle counts as one.
    pub depth: usize,
    /// Maximum number of inputs of a node.
    pub max_fan_in: usize,
    /// Maximum number of readers of a node other than a constant.
    pub max_fan_out: usize,
    /// Number of cycles (strongly connected components other than single nodes).
    pub cycles: usize,
    /// Number of nodes on cycles.
    pub cyclic_nodes: usize,
}

impl Statistics {
    /// Counts, in time linear in the size of the network.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(network: &Network, budget: &Budget) -> Result<Statistics, BuildError> {
        let graph = &network.graph;
        let mut counts = Statistics {
            initial: network.vocabulary.initial.len(),
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            ..Statistics::default()
        };
        for node in graph.node_weights() {
            *match node {
                Node::Base { .. } => &mut counts.bases,
                Node::Does { .. } => &mut counts.inputs,
                Node::View { .. } => &mut counts.views,
                Node::And => &mut counts.ands,
                Node::Or => &mut counts.ors,
                Node::Not => &mut counts.nots,
                Node::Transition { .. } => &mut counts.transitions,
                Node::Legal { .. } => &mut counts.legals,
                Node::Goal { .. } => &mut counts.goals,
                Node::Constant(_) | Node::Terminal => continue,
            } += 1;
        }
        let schedule = Schedule::new(network, budget)?;
        counts.depth = depth(network, &schedule, &mut Meter::new(budget))?;
        counts.cycles = schedule.cycles().len();
        counts.cyclic_nodes = schedule.cycles().map(<[NodeIndex]>::len).sum();
        let (mut fan_in, mut fan_out) = (vec![0usize; counts.nodes], vec![0usize; counts.nodes]);
        for edge in graph.raw_edges() {
            fan_in[edge.target().index()] += 1;
            fan_out[edge.source().index()] += 1;
        }
        counts.max_fan_in = fan_in.into_iter().max().unwrap_or(0);
        let constants = Network::constant(true).index() + 1;
        counts.max_fan_out = fan_out.into_iter().skip(constants).max().unwrap_or(0);
        Ok(counts)
    }
}

fn depth(
    network: &Network,
    schedule: &Schedule,
    meter: &mut Meter<'_>,
) -> Result<usize, BuildError> {
    use crate::error::AtStage;
    let mut depths = vec![0usize; network.graph.node_count()];
    let mut deepest = 0;
    for step in schedule.steps() {
        meter.step().at("statistics")?;
        let members = match &step {
            Step::Node(node) => std::slice::from_ref(node),
            Step::Cycle(members) => members,
        };
        // Members of the same cycle still have depth zero here, so they do not count.
        let before = members
            .iter()
            .flat_map(|&member| network.inputs(member))
            .map(|input| depths[input.index()])
            .max();
        let depth = before.map_or(1, |before| before + 1);
        deepest = deepest.max(depth);
        for member in members {
            depths[member.index()] = depth;
        }
    }
    Ok(deepest)
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            ("base propositions", self.bases),
            ("  of them initial", self.initial),
            ("inputs", self.inputs),
            ("legal propositions", self.legals),
            ("goals", self.goals),
            ("transitions", self.transitions),
            ("views", self.views),
            ("and-gates", self.ands),
            ("or-gates", self.ors),
            ("not-gates", self.nots),
            ("nodes in all", self.nodes),
            ("edges", self.edges),
            ("depth", self.depth),
            ("largest fan-in", self.max_fan_in),
            ("largest fan-out", self.max_fan_out),
            ("cycles", self.cycles),
            ("  nodes on them", self.cyclic_nodes),
        ];
        for (i, (name, value)) in rows.iter().enumerate() {
            let end = if i + 1 < rows.len() { "\n" } else { "" };
            write!(f, "{name:<20} {value:>10}{end}")?;
        }
        Ok(())
    }
}
