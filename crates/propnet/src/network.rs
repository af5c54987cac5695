//! The network: a graph of nodes, and the vocabulary that gives the nodes their meaning.

use crate::Node;
use budget::Exhausted;
use game::GroundTerm;
use petgraph::Direction::Incoming;
use petgraph::graph::{DiGraph, NodeIndex};
use std::sync::Arc;

/// The graph: an edge leads from each node to every node that reads it.
pub type Graph = DiGraph<Node, ()>;

/// The terms that the numbers in the nodes stand for, and the initial state.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// The roles, in order.
    pub roles: Vec<GroundTerm>,
    /// All facts that may ever hold.
    pub facts: Vec<GroundTerm>,
    /// For each role, all moves that may ever be legal.
    pub moves: Vec<Vec<GroundTerm>>,
    /// The facts of the initial state, ascending.
    pub initial: Vec<u32>,
    /// The names of the views.
    pub views: Vec<String>,
    /// Sets of facts of which at most one holds in every reachable state, ascending, as far as
    /// the rules show it. There may be more.
    pub exclusive: Vec<Vec<u32>>,
}

/// The propositional network of a game.
///
/// Its graph contains every base proposition of the vocabulary and the logic of one state. A
/// cycle of the graph (a recursive rule) means its least fixpoint. No cycle goes through a
/// negation.
#[derive(Debug, Clone)]
pub struct Network {
    pub(crate) graph: Graph,
    pub(crate) vocabulary: Arc<Vocabulary>,
}

impl Network {
    /// The node that always has this value. These two nodes are the first of every network.
    pub fn constant(value: bool) -> NodeIndex {
        NodeIndex::new(value.into())
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the meaning of the numbers in the nodes.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the vocabulary for a caller that keeps it longer than the network.
    pub fn vocabulary_shared(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    /// Estimates the peak memory in bytes for building, optimising and running a network of
    /// this size, rounded up. It consists of two copies of the graph while a pass rebuilds it
    /// (each 16 bytes per node and per edge, and as much again where a vector has just grown),
    /// and of the scratch arrays beside them.
    pub fn estimated_bytes(nodes: usize, edges: usize) -> usize {
        nodes
            .saturating_mul(110)
            .saturating_add(edges.saturating_mul(50))
    }

    /// The meaning of a node in terms of the rulesheet. For a gate, only its kind.
    pub fn label(&self, node: Node) -> String {
        let words = &*self.vocabulary;
        let term = |terms: &[GroundTerm], i: usize| {
            terms
                .get(i)
                .map_or_else(|| "?".to_string(), GroundTerm::to_string)
        };
        let role = |role: u16| term(&words.roles, role.into());
        let mv = |role: u16, mv: u32| {
            let moves = words.moves.get(usize::from(role));
            term(moves.map_or(&[], Vec::as_slice), mv as usize)
        };
        match node {
            Node::Constant(value) => value.to_string(),
            Node::Base { fact } => format!("(true {})", term(&words.facts, fact as usize)),
            Node::Does { role: r, mv: m } => format!("(does {} {})", role(r), mv(r, m)),
            Node::And => "and".into(),
            Node::Or => "or".into(),
            Node::Not => "not".into(),
            Node::View { name } => words.views[name as usize].clone(),
            Node::Transition { fact } => format!("(next {})", term(&words.facts, fact as usize)),
            Node::Legal { role: r, mv: m } => format!("(legal {} {})", role(r), mv(r, m)),
            Node::Goal { role: r, value } => format!("(goal {} {value})", role(r)),
            Node::Terminal => "terminal".into(),
        }
    }

    /// The nodes that a node reads.
    pub(crate) fn inputs(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.graph.neighbors_directed(node, Incoming)
    }

    /// Replaces the graph by one with the nodes that `keep` selects, in the same order. The
    /// constants always stay.
    ///
    /// `inputs` appends the new inputs of a kept node, which must be kept nodes. The time is
    /// near-linear, whereas removing nodes from a petgraph one by one walks the edge lists of
    /// all their neighbours. On an error the network is unchanged.
    pub(crate) fn rebuild(
        &mut self,
        mut keep: impl FnMut(NodeIndex) -> bool,
        mut inputs: impl FnMut(&Network, NodeIndex, &mut Vec<NodeIndex>),
        mut step: impl FnMut() -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let constants = self
            .graph
            .node_indices()
            .take_while(|&n| n <= Self::constant(true));
        let kept = self
            .graph
            .node_indices()
            .filter(|&n| n > Self::constant(true) && keep(n));
        let order: Vec<NodeIndex> = constants.chain(kept).collect();
        self.graph = self.rebuilt(&order, |node, reads| inputs(self, node, reads), &mut step)?;
        Ok(())
    }

    /// Renumbers all nodes in the given order, which must begin with the constants.
    pub(crate) fn renumber(
        &mut self,
        order: &[NodeIndex],
        mut step: impl FnMut() -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        self.graph = self.rebuilt(
            order,
            |node, reads| reads.extend(self.inputs(node)),
            &mut step,
        )?;
        Ok(())
    }

    fn rebuilt(
        &self,
        order: &[NodeIndex],
        mut inputs: impl FnMut(NodeIndex, &mut Vec<NodeIndex>),
        step: &mut impl FnMut() -> Result<(), Exhausted>,
    ) -> Result<Graph, Exhausted> {
        let mut graph = Graph::with_capacity(order.len(), self.graph.edge_count());
        let mut moved = vec![NodeIndex::end(); self.graph.node_count()];
        for &old in order {
            moved[old.index()] = graph.add_node(self.graph[old]);
        }
        let mut reads = Vec::new();
        for &old in order {
            step()?;
            reads.clear();
            inputs(old, &mut reads);
            // In reverse, because petgraph lists the latest edge first. This keeps the order of
            // inputs.
            for read in reads.iter().rev() {
                graph.add_edge(moved[read.index()], moved[old.index()], ());
            }
        }
        Ok(graph)
    }
}
