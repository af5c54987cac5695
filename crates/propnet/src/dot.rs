//! Drawings of networks in the Graphviz language.

use crate::{Graph, Network, Node};
use petgraph::dot::{Config, Dot as PetgraphDot};
use petgraph::graph::NodeIndex;
use std::fmt;

/// Writes a network as a Graphviz digraph. The text is produced piece by piece while
/// formatting, so `write!` to a file holds only the current line in memory.
///
/// Propositions are boxes: bases have a double border and are filled if they hold initially,
/// outputs are rounded. Gates are circles. A dashed arrow leads from each transition to its
/// base proposition.
#[derive(Debug, Clone, Copy)]
pub struct Dot<'a>(&'a Network);

impl Network {
    /// Returns the network as a Graphviz digraph.
    pub fn dot(&self) -> Dot<'_> {
        Dot(self)
    }
}

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let network = self.0;
        let attributes = |_: &Graph, (_, &node): (NodeIndex, &Node)| self.attributes(node);
        let plain = |_: &Graph, _: petgraph::graph::EdgeReference<'_, ()>| String::new();
        let config = [
            Config::GraphContentOnly,
            Config::NodeNoLabel,
            Config::EdgeNoLabel,
        ];
        writeln!(f, "digraph propnet {{\n    rankdir=LR")?;
        PetgraphDot::with_attr_getters(&network.graph, &config, &plain, &attributes).graph_fmt(
            f,
            |_, _| Ok(()),
            |(), _| Ok(()),
        )?;
        let mut bases = vec![None; network.vocabulary.facts.len()];
        for node in network.graph.node_indices() {
            if let Node::Base { fact } = network.graph[node] {
                bases[fact as usize] = Some(node);
            }
        }
        for node in network.graph.node_indices() {
            if let Node::Transition { fact } = network.graph[node]
                && let Some(base) = bases[fact as usize]
            {
                let (from, to) = (node.index(), base.index());
                writeln!(f, "    {from} -> {to} [ style=dashed constraint=false ]")?;
            }
        }
        writeln!(f, "}}")
    }
}

impl Dot<'_> {
    fn attributes(&self, node: Node) -> String {
        let initial = |fact| self.0.vocabulary.initial.binary_search(&fact).is_ok();
        let style = match node {
            Node::Base { fact } if initial(fact) => "shape=box peripheries=2 style=filled",
            Node::Base { .. } => "shape=box peripheries=2",
            Node::Does { .. } | Node::View { .. } => "shape=box",
            Node::Constant(_) => "shape=plaintext",
            Node::And | Node::Or | Node::Not => "shape=circle",
            _ => "shape=box style=rounded",
        };
        let label = self
            .0
            .label(node)
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        format!("label=\"{label}\" {style}")
    }
}
