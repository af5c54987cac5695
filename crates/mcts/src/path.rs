//! Ways down the graph, and what is at their ends.

use crate::graph::Graph;
use crate::node::{NodeRef, Snapshot};
use game::{State, Tally};

/// A way through the graph.
#[derive(Debug, Default, Clone)]
pub(crate) struct Path {
    pub nodes: Vec<NodeRef>,
    /// The choices made in the nodes, one after the other: in one where a single role chooses the
    /// place of its move, else those of all roles. None in the last node.
    pub choices: Vec<u32>,
    /// Where the choices of each node begin.
    pub choice_starts: Vec<usize>,
    /// For each node the samples that came back to it, with the one of this way; 0 if it did not.
    pub samples: Vec<u32>,
    /// What came back on the way, in the order of the places.
    pub solved: Vec<SolvedSamples>,
}

/// What came back to a node before a way went on from it, because it was known.
#[derive(Debug, Clone)]
pub(crate) struct SolvedSamples {
    /// The place of the node on the path.
    pub place: usize,
    /// How many samples.
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

    /// How many samples came back to the node at a place, which is the last one so far.
    pub fn solved_samples(&self, place: usize) -> u32 {
        let last = self.solved.last().filter(|known| known.place == place);
        last.map_or(0, |known| known.count)
    }

    /// Notes one more.
    pub fn add_solved(&mut self, place: usize, values: &[f64]) {
        match self.solved.last_mut().filter(|known| known.place == place) {
            Some(known) => {
                known.count += 1;
                for (sum, value) in known.sums.iter_mut().zip(values) {
                    *sum += value;
                }
            }
            None => self.solved.push(SolvedSamples {
                place,
                count: 1,
                sums: values.to_vec(),
            }),
        }
    }

    /// The choices made in the node at a place of the path.
    pub fn choices_at(&self, place: usize) -> &[u32] {
        let end = self.choice_starts.get(place + 1);
        &self.choices[self.choice_starts[place]..end.copied().unwrap_or(self.choices.len())]
    }
}

/// What is at the end of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// What the last node says is all there is to know.
    Value,
    /// Playouts are to be made from the last node.
    Playouts,
}

/// A way that is gone, step by step.
#[derive(Debug)]
pub(crate) struct Descent {
    pub path: Path,
    /// Where it goes on; `None` once it has ended.
    pub next: Option<NodeRef>,
    /// What is at its end, once it has ended.
    pub leaf: Leaf,
    /// The state that playouts are to be made from: its node may have to make room for others.
    pub state: State,
    /// What came of it.
    pub sample: Sample,
}

/// What came of a way, as it goes back.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    /// The result of each role, 0 to 1.
    pub values: Vec<f64>,
    /// The node that it comes from, if it is still there, and what is known of it.
    pub from: Option<NodeRef>,
    pub snapshot: Snapshot,
    /// The playouts.
    pub tally: Tally,
}

impl Descent {
    pub fn new() -> Descent {
        Descent {
            path: Path::default(),
            next: None,
            leaf: Leaf::Value,
            state: State::default(),
            sample: Sample::default(),
        }
    }

    /// Begins anew.
    pub fn begin(&mut self, root: NodeRef) {
        self.path.clear();
        self.next = Some(root);
    }

    /// Ends with what is there.
    pub fn end(&mut self, leaf: Leaf, graph: &Graph) {
        let last = self.path.nodes.last().and_then(|&last| graph.get(last));
        self.leaf = match last.filter(|_| leaf == Leaf::Playouts) {
            Some(last) => {
                self.state.clone_from(&last.state);
                Leaf::Playouts
            }
            None => Leaf::Value,
        };
    }
}
