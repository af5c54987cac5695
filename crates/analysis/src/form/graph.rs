//! A graph whose vertices and edges have kinds.

/// The kind of an edge, from the vertex that depends to what it depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Edge {
    /// To an input of a gate.
    Input,
    /// To an input that is complemented.
    Negated,
    /// From an output to the fact or move that it is about.
    About,
}

/// Kinds of edges as they are seen from both ends.
const BACK: u8 = 3;

/// A graph, with the vertices of facts and moves.
pub(super) struct Graph {
    /// The kind of each vertex.
    kinds: Vec<u64>,
    /// For each vertex where its ends of edges begin; one more at the end.
    first: Vec<u32>,
    /// The other ends, and the kinds of the edges as they are seen from here.
    ends: Vec<(u32, u8)>,
    /// The vertex of each fact.
    pub facts: Vec<u32>,
    /// The vertex of each move of each role.
    pub moves: Vec<Vec<u32>>,
}

impl Graph {
    /// A graph of edges, each from one vertex to another.
    pub fn new(
        kinds: Vec<u64>,
        edges: &[(u32, u32, Edge)],
        facts: Vec<u32>,
        moves: Vec<Vec<u32>>,
    ) -> Graph {
        let mut first = vec![0u32; kinds.len() + 1];
        for &(from, to, _) in edges {
            first[from as usize + 1] += 1;
            first[to as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut next = first.clone();
        let mut ends = vec![(0, 0); 2 * edges.len()];
        let mut add = |of: u32, end| {
            let place = &mut next[of as usize];
            ends[*place as usize] = end;
            *place += 1;
        };
        for &(from, to, edge) in edges {
            add(from, (to, edge as u8));
            add(to, (from, edge as u8 + BACK));
        }
        Graph {
            kinds,
            first,
            ends,
            facts,
            moves,
        }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of a vertex.
    pub fn kind(&self, vertex: u32) -> u64 {
        self.kinds[vertex as usize]
    }

    /// The neighbours of a vertex, with the kind of the edge as it is seen from there.
    pub fn ends(&self, vertex: u32) -> &[(u32, u8)] {
        let [begin, end] = [0, 1].map(|one| self.first[vertex as usize + one] as usize);
        &self.ends[begin..end]
    }

    /// Approximate bytes that it takes.
    pub fn bytes(&self) -> usize {
        12 * self.kinds.len() + 8 * self.ends.len()
    }

    /// A hash of the graph whose vertices are numbered in this order. `place` is the inverse of
    /// `order`. Graphs with equal hashes are the same graph, but for collisions.
    pub fn hash(&self, order: &[u32], place: &[u32]) -> u64 {
        let mut hash = spread(order.len() as u64);
        let mut ends: Vec<(u8, u32)> = Vec::new();
        for &vertex in order {
            hash = spread(hash ^ self.kind(vertex));
            ends.clear();
            // What leads back is among the edges of the others.
            let ahead = self.ends(vertex).iter().filter(|end| end.1 < BACK);
            ends.extend(ahead.map(|&(to, edge)| (edge, place[to as usize])));
            ends.sort_unstable();
            for &(edge, to) in &ends {
                hash = spread(hash ^ (u64::from(to) << 8 | u64::from(edge)));
            }
        }
        hash
    }
}

/// Mixes the bits of a number: if one input bit changes, about half of the output bits change.
pub(super) fn spread(mut number: u64) -> u64 {
    number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
