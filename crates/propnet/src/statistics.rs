//! Figures about a network.

use crate::error::Meter;
use crate::schedule::Step;
use crate::{BuildError, Network, Node, Schedule};
use budget::Budget;
use petgraph::graph::NodeIndex;
use std::fmt;

/// Figures about a network, readable when displayed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Base propositions.
    pub bases: usize,
    /// Base propositions that hold initially.
    pub initial: usize,
    /// Input propositions.
    pub inputs: usize,
    /// Views.
    pub views: usize,
    /// And-gates.
    pub ands: usize,
    /// Or-gates.
    pub ors: usize,
    /// Not-gates.
    pub nots: usize,
    /// Transitions.
    pub transitions: usize,
    /// Legal propositions.
    pub legals: usize,
    /// Goal propositions.
    pub goals: usize,
    /// Nodes of all kinds; the two constants and the terminal proposition included.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
    /// Nodes one after the other on the longest way through the network; a cycle counts as one.
    pub depth: usize,
    /// Most inputs of a node.
    pub max_fan_in: usize,
    /// Most readers of a node, other than a constant.
    pub max_fan_out: usize,
    /// Cycles (strongly connected components that are not a single node).
    pub cycles: usize,
    /// Nodes on cycles.
    pub cyclic_nodes: usize,
}

impl Statistics {
    /// Counts, in time linear in the size of the network.
    ///
    /// # Errors
    /// If the budget runs out.
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
