//! Descents through the graph, and the samples that they backpropagate.

use crate::graph::Graph;
use crate::node::{ByRole, NodeRef, Snapshot};
use game::{State, Tally};

/// The nodes and choices of a descent.
#[derive(Debug, Default, Clone)]
pub(crate) struct Path {
    pub nodes: Vec<NodeRef>,
    /// The choices of all nodes, concatenated; the last node has some only if its child has no
    /// node. A choice is the index of a move; a node has one for the role that chooses, or one for
    /// each role if several choose.
    pub choices: Vec<u32>,
    /// For each node the index of its first choice in `choices`.
    pub choice_starts: Vec<usize>,
    /// For each node the number of its samples after that of this descent; 0 if the node had
    /// none.
    pub samples: Vec<u32>,
    /// Samples of solved joint moves, in the order of the nodes.
    pub solved: Vec<SolvedSamples>,
}

/// Samples of solved joint moves that a node received before the descent continued from it.
#[derive(Debug, Clone)]
pub(crate) struct SolvedSamples {
    /// The index of the node on the path.
    pub index: usize,
    /// The number of samples.
    pub count: u32,
    /// For each role the sum of its results, 0 to 1 each.
    pub sums: Vec<f64>,
}

impl Path {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.choices.clear();
        self.choice_starts.clear();
        self.samples.clear();
        self.solved.clear();
    }

    /// The number of such samples of the node at an index, which must be the last one so far.
    pub fn solved_samples(&self, index: usize) -> u32 {
        let last = self.solved.last().filter(|solved| solved.index == index);
        last.map_or(0, |solved| solved.count)
    }

    /// Adds one.
    pub fn add_solved(&mut self, index: usize, values: &[f64]) {
        match self
            .solved
            .last_mut()
            .filter(|solved| solved.index == index)
        {
            Some(solved) => {
                solved.count += 1;
                for (sum, value) in solved.sums.iter_mut().zip(values) {
                    *sum += value;
                }
            }
            None => self.solved.push(SolvedSamples {
                index,
                count: 1,
                sums: values.to_vec(),
            }),
        }
    }

    /// The choices of the node at an index of the path.
    pub fn choices_at(&self, index: usize) -> &[u32] {
        let end = self.choice_starts.get(index + 1);
        &self.choices[self.choice_starts[index]..end.copied().unwrap_or(self.choices.len())]
    }
}

/// How a descent is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// By the value of the last node: it is solved, or on the path twice, or the engine failed.
    Value,
    /// By playouts from the last node.
    Playouts,
    /// By playouts from children of the last node that have no nodes yet.
    Children,
    /// By playouts from the state after the last choices, which has no node yet.
    State,
}

/// Where a descent goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next {
    /// At a node. `is_new` if the step before made it, or found it by its state.
    Node { at: NodeRef, is_new: bool },
    /// At the child of the last node whose state is [`Descent::state`], which is to be found or
    /// made.
    Child,
}

/// One descent, from the root to the backpropagation of its sample.
#[derive(Debug)]
pub(crate) struct Descent {
    pub path: Path,
    /// The visits that it counts while it is under way.
    pub visits: u32,
    /// What comes next; `None` once the descent has ended.
    pub next: Option<Next>,
    /// How the descent is evaluated, once it has ended.
    pub leaf: Leaf,
    /// The state of the child that is made next. In the end the state that playouts start from, a
    /// copy, since the node may be evicted meanwhile.
    pub state: State,
    /// The children that it is evaluated by.
    pub children: Vec<Child>,
    /// The sample.
    pub sample: Sample,
}

/// A child of the last node of a descent, by which the descent is evaluated.
#[derive(Debug)]
pub(crate) struct Child {
    /// The index of the move that leads to it.
    pub choice: u32,
    /// The state that playouts start from.
    pub state: State,
    /// Its sample: the result of each role, 0 to 1.
    pub values: ByRole<f64>,
}

impl Child {
    /// The child of a move, without a state yet.
    pub fn new(choice: u32) -> Child {
        Child {
            choice,
            state: State::default(),
            values: ByRole::new(),
        }
    }
}

/// The sample of a descent on its way from the leaf to the root.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    /// The result of each role, 0 to 1; the mean, if it is more than one sample.
    pub values: Vec<f64>,
    /// How many samples it is.
    pub count: u32,
    /// The variance of each role's results among these samples.
    pub variances: Vec<f64>,
    /// The node that it was last added to, if that still exists, and a copy of its statistics.
    pub from: Option<NodeRef>,
    pub snapshot: Snapshot,
    /// The playouts of the leaf.
    pub tally: Tally,
}

impl Descent {
    pub fn new() -> Descent {
        Descent {
            path: Path::default(),
            visits: 1,
            next: None,
            leaf: Leaf::Value,
            state: State::default(),
            children: Vec::new(),
            sample: Sample::default(),
        }
    }

    /// Begins a new descent.
    pub fn begin(&mut self, root: NodeRef, visits: u32) {
        self.visits = visits;
        self.path.clear();
        self.children.clear();
        self.next = Some(Next::Node {
            at: root,
            is_new: false,
        });
    }

    /// The states that playouts start from, and the depth of each.
    pub fn starts(&self) -> impl Iterator<Item = (&State, usize)> {
        let depth = self.path.nodes.len();
        let own = match self.leaf {
            Leaf::Playouts => Some((&self.state, depth)),
            Leaf::State => Some((&self.state, depth + 1)),
            Leaf::Children | Leaf::Value => None,
        };
        let children = self.children.iter().map(|child| &child.state);
        own.into_iter()
            .chain(children.map(move |state| (state, depth + 1)))
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.children.len().max(1)
    }

    /// Ends at the last node of the path.
    pub fn end(&mut self, leaf: Leaf, graph: &Graph) {
        let last = self.path.nodes.last().and_then(|&last| graph.get(last));
        self.leaf = match last.filter(|_| leaf == Leaf::Playouts) {
            Some(last) => {
                self.state.clone_from(&last.state);
                Leaf::Playouts
            }
            None if matches!(leaf, Leaf::Children | Leaf::State) => leaf,
            None => Leaf::Value,
        };
    }
}
