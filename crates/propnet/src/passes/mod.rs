//! Passes: rewrites that make a network smaller without changing play.
//!
//! Each pass is one idea in one module with one function, `run`, and reports what it removed. A
//! pass that exhausts its budget leaves the network unchanged. A network is therefore correct
//! however early optimisation ends.

pub mod constants;
pub mod dead;
pub mod flatten;
pub mod sharing;
pub mod trivial;
pub mod views;

use crate::error::Meter;
use crate::{BuildError, Network, Schedule};
use budget::{Budget, Exhausted};
use petgraph::graph::NodeIndex;
use std::fmt;

/// The result of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The name of the pass.
    pub pass: &'static str,
    /// Nodes and edges before the pass.
    pub before: Size,
    /// Nodes and edges after the pass.
    pub after: Size,
    /// Why the pass was aborted, if it was. The network is then unchanged.
    pub stopped: Option<Exhausted>,
}

/// The size of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of nodes of all kinds.
    pub nodes: usize,
    /// Number of edges.
    pub edges: usize,
}

impl Removed {
    /// Number of nodes removed. No pass adds any.
    pub fn nodes(&self) -> usize {
        self.before.nodes - self.after.nodes
    }

    /// Number of edges removed. No pass adds any.
    pub fn edges(&self) -> usize {
        self.before.edges - self.after.edges
    }

    /// Whether the size is unchanged.
    pub fn is_nothing(&self) -> bool {
        self.before == self.after
    }
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<10} {:>9} nodes {:>9} edges removed, {:>9} nodes {:>9} edges left",
            self.pass,
            self.nodes(),
            self.edges(),
            self.after.nodes,
            self.after.edges
        )?;
        match self.stopped {
            Some(why) => write!(f, " (given up: {why})"),
            None => Ok(()),
        }
    }
}

/// A pass: rewrites a network within a budget.
pub type Pass = fn(&mut Network, &Budget) -> Removed;

/// The passes in the order in which [`optimise`] runs them.
pub const ALL: [Pass; 6] = [
    constants::run,
    views::run,
    trivial::run,
    sharing::run,
    flatten::run,
    dead::run,
];

/// Runs all passes in rounds. It ends after a few rounds, when a round removes next to nothing,
/// or when the budget is exhausted. The report has an entry for each run of a pass.
pub fn optimise(network: &mut Network, budget: &Budget) -> Vec<Removed> {
    // One pass creates work for another: for example, sharing equal gates leaves a gate with
    // equal inputs.
    const ROUNDS: usize = 4;
    // Another round follows if this one removed more than one part in this many.
    const WORTHWHILE: usize = 100;
    let mut report: Vec<Removed> = Vec::new();
    for _ in 0..ROUNDS {
        let round = report.len();
        for pass in ALL {
            let removed = pass(network, budget);
            let stopped = removed.stopped.is_some();
            report.push(removed);
            if stopped {
                return report;
            }
        }
        let removed: usize = report[round..].iter().map(|r| r.nodes() + r.edges()).sum();
        if removed <= size(network).edges / WORTHWHILE {
            break;
        }
    }
    report
}

/// Wraps a pass: measures before and after, and reports an exhausted budget.
fn measured(
    pass: &'static str,
    network: &mut Network,
    budget: &Budget,
    rewrite: impl FnOnce(&mut Network, &mut Meter<'_>) -> Result<(), Exhausted>,
) -> Removed {
    let before = size(network);
    let stopped = rewrite(network, &mut Meter::new(budget)).err();
    Removed {
        pass,
        before,
        after: size(network),
        stopped,
    }
}

fn size(network: &Network) -> Size {
    Size {
        nodes: network.graph.node_count(),
        edges: network.graph.edge_count(),
    }
}

/// The schedule of a network that is known to be stratified.
fn schedule(network: &Network, budget: &Budget) -> Result<Schedule, Exhausted> {
    Schedule::new(network, budget).map_err(|error| match error {
        BuildError::Exhausted { why, .. } => why,
        // A schedule has no other errors.
        _ => Exhausted::Stopped,
    })
}

/// For every node its replacement, or the node itself.
struct StandIns(Vec<NodeIndex>);

impl StandIns {
    fn new(network: &Network) -> Self {
        StandIns(network.graph.node_indices().collect())
    }

    fn of(&self, node: NodeIndex) -> NodeIndex {
        self.0[node.index()]
    }

    /// Replaces `node` by `other`, which must not be replaced itself.
    fn replace(&mut self, node: NodeIndex, other: NodeIndex) {
        debug_assert_eq!(self.of(other), other, "a replacement must be final");
        self.0[node.index()] = other;
    }

    fn is_empty(&self) -> bool {
        self.0.iter().enumerate().all(|(i, node)| node.index() == i)
    }

    fn is_replaced(&self, node: NodeIndex) -> bool {
        self.of(node) != node
    }

    /// Removes the replaced nodes and redirects their readers to the replacements.
    fn apply(&self, network: &mut Network, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        if self.is_empty() {
            return Ok(());
        }
        network.rebuild(
            |node| !self.is_replaced(node),
            |network, node, reads| {
                reads.extend(network.inputs(node).map(|input| self.of(input)));
            },
            || meter.step(),
        )
    }
}
