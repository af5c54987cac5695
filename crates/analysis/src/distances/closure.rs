//! The columns that nodes read without crossing a transition.

use super::Columns;
use budget::{Budget, Exhausted};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use propnet::{Network, Node};

/// Number of columns processed together: every component has that many bits at a time.
const BLOCK: usize = 1024;
type Block = [u64; BLOCK / 64];

/// The network without its cycles: strongly connected components, each of which reads earlier
/// ones only. The legality of a move is an input of the move.
pub(super) struct Condensed {
    /// The component of each node.
    component: Vec<u32>,
    /// The start of the inputs of each component, plus the end of the last.
    starts: Vec<u32>,
    inputs: Vec<u32>,
    /// Pairs of column and component, ascending by column.
    leaves: Vec<(u32, u32)>,
}

impl Condensed {
    /// Condenses `network`, in time linear in its size.
    pub(super) fn new(
        network: &Network,
        columns: &Columns,
        budget: &Budget,
    ) -> Result<Condensed, Exhausted> {
        let from = network.graph();
        let (nodes, edges) = (from.node_count(), from.edge_count());
        // The petgraph graph, two copies of the edges as lists, and the components.
        budget.check_memory(nodes * 64 + edges * 40)?;
        let mut graph = DiGraph::<(), ()>::with_capacity(nodes, edges + columns.moves());
        from.node_indices().for_each(|_| {
            graph.add_node(());
        });
        for edge in from.raw_edges() {
            graph.add_edge(edge.source(), edge.target(), ());
        }
        let mut legal = vec![None; columns.len()];
        for node in from.node_indices() {
            if let Node::Legal { role, mv } = from[node]
                && let Some(column) = columns.of_move(role.into(), mv)
            {
                legal[column] = Some(node);
            }
        }
        let mut leaves = Vec::new();
        for node in from.node_indices() {
            if let Some(column) = columns.of_node(from[node]) {
                leaves.push((column as u32, node.index() as u32));
                if let Some(legal) = legal[column] {
                    graph.add_edge(legal, node, ());
                }
            }
        }
        budget.check()?;
        // The reversed order puts components before their readers. Kosaraju's algorithm here
        // keeps its own stack, while petgraph's Tarjan would recurse as deep as the network is.
        let mut groups = kosaraju_scc(&graph);
        groups.reverse();
        budget.check()?;
        let mut component = vec![0; nodes];
        for (number, group) in groups.iter().enumerate() {
            for node in group {
                component[node.index()] = number as u32;
            }
        }
        let (mut starts, mut inputs) = (vec![0], Vec::with_capacity(edges));
        for (number, group) in groups.iter().enumerate() {
            let start = inputs.len();
            for &node in group {
                let reads = graph.neighbors_directed(node, petgraph::Incoming);
                let reads = reads.map(|read| component[read.index()]);
                inputs.extend(reads.filter(|&read| read != number as u32));
            }
            inputs[start..].sort_unstable();
            let mut kept = start;
            for i in start..inputs.len() {
                if i == start || inputs[i] != inputs[i - 1] {
                    inputs[kept] = inputs[i];
                    kept += 1;
                }
            }
            inputs.truncate(kept);
            starts.push(inputs.len() as u32);
        }
        for (_, node) in &mut leaves {
            *node = component[*node as usize];
        }
        leaves.sort_unstable();
        Ok(Condensed {
            component,
            starts,
            inputs,
            leaves,
        })
    }

    /// For each component, the components that read it.
    fn readers(&self) -> Lists {
        let count = self.starts.len() - 1;
        Lists::new(count, || {
            (0..count).flat_map(|component| {
                let range = self.starts[component] as usize..self.starts[component + 1] as usize;
                let inputs = self.inputs[range].iter();
                inputs.map(move |&input| (input as usize, component as u32))
            })
        })
    }

    /// The component of a node.
    pub(super) fn component(&self, node: NodeIndex) -> usize {
        self.component[node.index()] as usize
    }

    /// Calls `found` for each root (by its position in `roots`, which are components) and each
    /// word of 64 columns of which the root reads some.
    ///
    /// All columns at once would take one bit per node and column. Processing them block by
    /// block takes the same time and little memory.
    pub(super) fn read_by(
        &self,
        roots: &[usize],
        columns: &Columns,
        budget: &Budget,
        mut found: impl FnMut(usize, usize, u64) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let count = self.starts.len() - 1;
        let bytes = count.saturating_mul(size_of::<Block>() + 9);
        budget.check_memory(bytes.saturating_add(self.inputs.len() * 4))?;
        let readers = self.readers();
        let of_component = Lists::new(count, || (0..).zip(roots).map(|(at, &root)| (root, at)));
        let mut sets: Vec<Block> = vec![[0; BLOCK / 64]; count];
        // The content of an empty set has no meaning.
        let mut empty = vec![true; count];
        // Components that read any column of the block, usually few of all.
        let mut is_met = vec![false; count];
        let mut met: Vec<u32> = Vec::new();
        let mut leaves = self.leaves.iter().peekable();
        for first in (0..columns.len()).step_by(BLOCK) {
            budget.check()?;
            while let Some(&&(column, component)) = leaves.peek()
                && (column as usize) < first + BLOCK
            {
                let bit = column as usize - first;
                if std::mem::take(&mut empty[component as usize]) {
                    sets[component as usize] = [0; BLOCK / 64];
                    is_met[component as usize] = true;
                    met.push(component);
                }
                sets[component as usize][bit / 64] |= 1 << (bit % 64);
                leaves.next();
            }
            let mut next = 0;
            while let Some(&component) = met.get(next) {
                next += 1;
                for &reader in readers.of(component as usize) {
                    if !std::mem::replace(&mut is_met[reader as usize], true) {
                        met.push(reader);
                    }
                }
            }
            met.sort_unstable();
            for &component in &met {
                let component = component as usize;
                let mut nothing = empty[component];
                let range = self.starts[component] as usize..self.starts[component + 1] as usize;
                let (before, from) = sets.split_at_mut(component);
                let set = &mut from[0];
                for &input in &self.inputs[range] {
                    if empty[input as usize] {
                        continue;
                    }
                    let other = &before[input as usize];
                    if std::mem::take(&mut nothing) {
                        *set = *other;
                    } else {
                        set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
                    }
                }
                empty[component] = nothing;
            }
            for component in met.drain(..) {
                let component = component as usize;
                is_met[component] = false;
                empty[component] = true;
                for &position in of_component.of(component) {
                    let words = sets[component].iter().enumerate();
                    for (i, &word) in words.filter(|(_, word)| **word != 0) {
                        found(position as usize, first / 64 + i, word)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A list of numbers for each component.
struct Lists {
    starts: Vec<u32>,
    listed: Vec<u32>,
}

impl Lists {
    fn new<I: Iterator<Item = (usize, u32)>>(count: usize, pairs: impl Fn() -> I) -> Lists {
        let mut starts = vec![0u32; count + 1];
        for (component, _) in pairs() {
            starts[component + 1] += 1;
        }
        for component in 0..count {
            starts[component + 1] += starts[component];
        }
        let mut at = starts.clone();
        let mut listed = vec![0; starts[count] as usize];
        for (component, number) in pairs() {
            let place = &mut at[component];
            listed[*place as usize] = number;
            *place += 1;
        }
        Lists { starts, listed }
    }

    fn of(&self, component: usize) -> &[u32] {
        &self.listed[self.starts[component] as usize..self.starts[component + 1] as usize]
    }
}
