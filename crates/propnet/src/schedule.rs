//! An evaluation order of the nodes, and the cycles in it.

use crate::error::{AtStage, Meter};
use crate::{BuildError, Network, Node};
use budget::Budget;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;
use petgraph::visit::NodeFiltered;
use std::ops::Range;

const STAGE: &str = "schedule";

/// All nodes of a network in evaluation order.
///
/// Every node comes after those that it reads, except within a cycle. The nodes of a cycle (a
/// strongly connected component of several nodes, or one node that reads itself) are
/// consecutive.
#[derive(Debug, Clone)]
pub struct Schedule {
    order: Vec<NodeIndex>,
    /// The ranges of the cycles in `order`, ascending.
    cycles: Vec<Range<usize>>,
}

/// A step of a [`Schedule`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// A node that reads only nodes of earlier steps.
    Node(NodeIndex),
    /// Nodes that read each other and nodes of earlier steps. None is a not-gate. Their values
    /// are their least fixpoint.
    Cycle(&'a [NodeIndex]),
}

impl Schedule {
    /// Orders the nodes in time linear in the size of the network.
    ///
    /// Most networks have no cycle. Their nodes are numbered in a valid order when they are
    /// built, and passes keep that order, so that one scan of the edges suffices. Otherwise
    /// Kahn's algorithm orders as many nodes as it can. The rest (the nodes on or behind a
    /// cycle) goes through petgraph's Kosaraju, which has its own stack. Its Tarjan recurses
    /// and would overflow the stack on deep networks.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(network: &Network, budget: &Budget) -> Result<Schedule, BuildError> {
        let graph = &network.graph;
        budget.check().at(STAGE)?;
        if graph
            .raw_edges()
            .iter()
            .all(|edge| edge.source() < edge.target())
        {
            let (order, cycles) = (graph.node_indices().collect(), Vec::new());
            return Ok(Schedule { order, cycles });
        }
        let mut meter = Meter::new(budget);
        let mut waiting = vec![0u32; graph.node_count()];
        for edge in graph.raw_edges() {
            waiting[edge.target().index()] += 1;
        }
        let mut order: Vec<NodeIndex> = Vec::with_capacity(graph.node_count());
        order.extend(
            graph
                .node_indices()
                .filter(|node| waiting[node.index()] == 0),
        );
        let mut done = 0;
        while let Some(&node) = order.get(done) {
            meter.step().at(STAGE)?;
            done += 1;
            for reader in graph.neighbors(node) {
                waiting[reader.index()] -= 1;
                if waiting[reader.index()] == 0 {
                    order.push(reader);
                }
            }
        }
        let mut cycles = Vec::new();
        if order.len() < graph.node_count() {
            budget.check().at(STAGE)?;
            let rest = NodeFiltered::from_fn(graph, |node: NodeIndex| waiting[node.index()] > 0);
            for mut component in kosaraju_scc(&rest).into_iter().rev() {
                meter.step().at(STAGE)?;
                let start = order.len();
                component.sort_unstable();
                order.extend_from_slice(&component);
                if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                    cycles.push(start..order.len());
                }
            }
        }
        Ok(Schedule { order, cycles })
    }

    /// The nodes in evaluation order.
    pub fn order(&self) -> &[NodeIndex] {
        &self.order
    }

    /// The cycles in evaluation order.
    pub fn cycles(&self) -> impl ExactSizeIterator<Item = &[NodeIndex]> {
        self.cycles.iter().map(|range| &self.order[range.clone()])
    }

    /// The steps of evaluation, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let (mut at, mut cycles) = (0, self.cycles.iter().peekable());
        std::iter::from_fn(move || {
            if let Some(range) = cycles.next_if(|range| range.start == at) {
                at = range.end;
                return Some(Step::Cycle(&self.order[range.clone()]));
            }
            let node = *self.order.get(at)?;
            at += 1;
            Some(Step::Node(node))
        })
    }
}

/// Computes the least fixpoint of one cycle at a time.
///
/// Each member has a counter of missing true inputs: an and-gate needs all of its inputs, other
/// nodes need one. The time is linear in the edges of the cycle.
#[derive(Debug)]
pub(crate) struct Fixpoint {
    /// Number of inputs that a member still needs. [`Fixpoint::OUTSIDE`] for nodes outside the
    /// cycle.
    missing: Vec<i64>,
    holding: Vec<NodeIndex>,
}

impl Fixpoint {
    const OUTSIDE: i64 = i64::MAX;

    pub(crate) fn new(network: &Network) -> Self {
        Fixpoint {
            missing: vec![Self::OUTSIDE; network.graph.node_count()],
            holding: Vec::new(),
        }
    }

    /// Returns the members that hold in the least fixpoint. `given` returns whether a node
    /// outside the cycle holds.
    pub(crate) fn solve(
        &mut self,
        network: &Network,
        members: &[NodeIndex],
        given: impl Fn(NodeIndex) -> bool,
    ) -> &[NodeIndex] {
        for &member in members {
            self.missing[member.index()] = match network.graph[member] {
                Node::And => network.inputs(member).count() as i64,
                _ => 1,
            };
        }
        self.holding.clear();
        for &member in members {
            let met = network
                .inputs(member)
                .filter(|&input| self.missing[input.index()] == Self::OUTSIDE && given(input))
                .count();
            self.missing[member.index()] -= met as i64;
            if self.missing[member.index()] <= 0 {
                self.holding.push(member);
            }
        }
        let mut done = 0;
        while let Some(&node) = self.holding.get(done) {
            done += 1;
            for reader in network.graph.neighbors(node) {
                let missing = &mut self.missing[reader.index()];
                if *missing == Self::OUTSIDE {
                    continue;
                }
                *missing -= 1;
                if *missing == 0 {
                    self.holding.push(reader);
                }
            }
        }
        for &member in members {
            self.missing[member.index()] = Self::OUTSIDE;
        }
        &self.holding
    }
}
