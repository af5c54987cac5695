//! The graph: nodes, edges and states in three lists of fixed capacity, and a table to find
//! nodes.

use crate::table::Table;
use dfpn::Numbers;
use foldhash::quality::FixedState;
use std::hash::{BuildHasher, Hash, Hasher};

/// A question: a state and the result asked for. It has a cache line of its own.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Node {
    /// The numbers: from the edges if there are any, else from a first look.
    pub numbers: Numbers,
    /// Descents that came here.
    pub visits: u32,
    /// The last descent that came here, and the last batch that holds it as a leaf.
    pub descent: u32,
    pub batch: u32,
    /// The last expansion that made it: two moves may lead to one state, and it gets one edge.
    pub expansion: u32,
    /// Where its open edges are, one after the other. None in leaves and decided nodes.
    pub first: u32,
    pub count: u32,
    /// Where the words of its state are.
    words: u32,
    length: u16,
    /// The most joint moves to the end of play, among its decided children; of itself once it
    /// is decided.
    pub plies: u16,
    pub at_least: u8,
    /// The turn of the match in which a descent last came here.
    pub turn: u8,
    /// Whether the asked role chooses. Unknown in leaves.
    pub own: bool,
    /// The hash of the question.
    hash: u64,
}

/// A move that is not decided yet. The numbers of the child are copied here, so that selection
/// reads nothing else; they may be older than those of the child.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub child: u32,
    pub numbers: Numbers,
}

/// Edges for each node that there is memory for.
const EDGES: usize = 2;

/// Bytes of a node in the table, at most a moment while it grows.
const ENTRY: usize = 32;

#[derive(Debug)]
pub(crate) struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    words: Vec<u64>,
    table: Table,
    hasher: FixedState,
    /// The most nodes. There are [`EDGES`] times as many edges.
    pub most: usize,
    /// The most words of all states.
    most_words: usize,
    /// The present turn of the match.
    pub turn: u8,
}

impl Graph {
    /// A graph in about `bytes`, for states of about `words` words, and for `few` nodes at least.
    ///
    /// All of the memory is reserved, but it is not touched before it is needed.
    pub fn new(bytes: usize, words: usize, few: usize) -> Graph {
        let words = words.max(1);
        let each = size_of::<Node>() + EDGES * size_of::<Edge>() + words * 8 + ENTRY;
        // Places are 32 bits wide.
        let most = (bytes / each)
            .max(few)
            .min(u32::MAX as usize / (EDGES * words));
        Graph {
            nodes: Vec::with_capacity(most),
            edges: Vec::with_capacity(EDGES * most),
            words: Vec::with_capacity(words * most),
            table: Table::new(),
            hasher: FixedState::with_seed(1),
            most,
            most_words: words * most,
            turn: 0,
        }
    }

    /// Whether there is room for so many children.
    pub fn has_room(&self, children: usize) -> bool {
        let words = children * (self.words.len() / self.nodes.len().max(1) + 1);
        self.nodes.len() + children <= self.most
            && self.edges.len() + children <= EDGES * self.most
            && self.words.len() + words <= self.most_words
    }

    /// The words of a node's state.
    pub fn state(&self, at: u32) -> &[u64] {
        let node = &self.nodes[at as usize];
        &self.words[node.words as usize..][..usize::from(node.length)]
    }

    /// The hash of a question.
    #[inline]
    pub fn hash(&self, words: &[u64], at_least: u8) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        at_least.hash(&mut hasher);
        words.iter().for_each(|&word| hasher.write_u64(word));
        hasher.finish()
    }

    /// Prefetches what is read to find a question with this hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        self.table.prefetch(hash);
    }

    /// The node of a question.
    pub fn find(&self, words: &[u64], at_least: u8) -> Option<u32> {
        let hash = self.hash(words, at_least);
        self.find_hashed(hash, words, at_least)
    }

    fn find_hashed(&self, hash: u64, words: &[u64], at_least: u8) -> Option<u32> {
        let same = |at: u32| {
            let node = &self.nodes[at as usize];
            node.hash == hash && node.at_least == at_least && self.state(at) == words
        };
        self.table.find(hash, same)
    }

    /// The node of a question; a new leaf gets these numbers. There must be room.
    pub fn find_or_insert(
        &mut self,
        words: &[u64],
        at_least: u8,
        numbers: impl FnOnce() -> Numbers,
    ) -> u32 {
        let hash = self.hash(words, at_least);
        self.find_or_insert_hashed(hash, words, at_least, numbers)
    }

    /// The same for a question with this hash.
    pub fn find_or_insert_hashed(
        &mut self,
        hash: u64,
        words: &[u64],
        at_least: u8,
        numbers: impl FnOnce() -> Numbers,
    ) -> u32 {
        if let Some(known) = self.find_hashed(hash, words, at_least) {
            return known;
        }
        let at = self.nodes.len() as u32;
        self.nodes.push(Node {
            numbers: numbers(),
            visits: 0,
            descent: 0,
            batch: 0,
            expansion: 0,
            first: 0,
            count: 0,
            words: self.words.len() as u32,
            length: words.len() as u16,
            plies: 0,
            at_least,
            turn: self.turn,
            own: false,
            hash,
        });
        self.words.extend_from_slice(words);
        let nodes = &self.nodes;
        self.table.insert(hash, at, |at| nodes[at as usize].hash);
        at
    }

    /// The edges of a node.
    pub fn edges(&self, at: u32) -> &[Edge] {
        let node = &self.nodes[at as usize];
        &self.edges[node.first as usize..][..node.count as usize]
    }

    /// What a node is worth keeping for: descents, of which those of earlier turns count little.
    fn worth(&self, node: &Node) -> u32 {
        match node.turn == self.turn {
            true => node.visits,
            false => node.visits / 64,
        }
    }

    /// Makes room: nodes with few descents become leaves again, which keep their numbers, and
    /// what is below them is forgotten. Returns the new place of a node that is kept.
    pub fn collect(&mut self, root: u32) -> u32 {
        let mut kept = vec![false; self.nodes.len()];
        let mut least = 1;
        loop {
            least *= 2;
            let edges = self.mark(root, least, &mut kept);
            let nodes = kept.iter().filter(|kept| **kept).count();
            let enough = 2 * nodes <= self.most && 2 * edges <= EDGES * self.most;
            if enough || least > u32::MAX / 4 {
                break;
            }
        }
        self.compact(root, least, &kept)
    }

    /// Whether a node keeps its edges.
    fn stays_open(&self, at: usize, root: u32, least: u32) -> bool {
        let node = &self.nodes[at];
        node.count > 0 && (at as u32 == root || self.worth(node) >= least)
    }

    /// Marks nodes with so many descents, and the children of those that stay open. Returns the
    /// number of edges of these.
    fn mark(&self, root: u32, least: u32, kept: &mut [bool]) -> usize {
        kept.fill(false);
        kept[root as usize] = true;
        let mut edges = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            kept[at] |= self.worth(node) >= least;
            if self.stays_open(at, root, least) {
                edges += node.count as usize;
                for edge in self.edges(at as u32) {
                    kept[edge.child as usize] = true;
                }
            }
        }
        edges
    }

    /// Moves everything that is kept to the front.
    fn compact(&mut self, root: u32, least: u32, kept: &[bool]) -> u32 {
        let mut place = vec![u32::MAX; self.nodes.len()];
        let (mut nodes, mut words) = (0, 0);
        // Edges lie in another order than nodes.
        let mut open = Vec::new();
        for at in (0..self.nodes.len()).filter(|&at| kept[at]) {
            let stays = self.stays_open(at, root, least);
            let mut node = self.nodes[at];
            let from = node.words as usize;
            let length = usize::from(node.length);
            self.words.copy_within(from..from + length, words);
            node.words = words as u32;
            words += length;
            match stays {
                true => open.push((node.first, nodes as u32)),
                false => node.count = 0,
            }
            place[at] = nodes as u32;
            self.nodes[nodes] = node;
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.words.truncate(words);
        open.sort_unstable();
        let mut edges = 0;
        for (first, at) in open {
            let node = &mut self.nodes[at as usize];
            let (first, count) = (first as usize, node.count as usize);
            node.first = edges as u32;
            for from in first..first + count {
                let mut edge = self.edges[from];
                edge.child = place[edge.child as usize];
                self.edges[edges] = edge;
                edges += 1;
            }
        }
        self.edges.truncate(edges);
        self.table.clear();
        let nodes = &self.nodes;
        for (at, node) in (0u32..).zip(nodes) {
            self.table
                .insert(node.hash, at, |at| nodes[at as usize].hash);
        }
        place[root as usize]
    }
}
