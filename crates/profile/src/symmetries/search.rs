//! The search for automorphisms.
//!
//! The search individualises one vertex after the other until every cell of the partition has a
//! single vertex: the first path. Then, from the last of these vertices back to the first, it
//! tries every other vertex of the cell in its place. If the rest can be matched too, the two
//! paths define an automorphism. It fixes all vertices individualised before. So the
//! automorphisms found are a strong generating set, and the order of the group is the product of
//! the lengths of the orbits.
//!
//! If the vertices that are not separated yet are the same in the same cells, the search first
//! tries to fix them all. Vertices that known automorphisms map to each other need no second
//! try. (McKay and Piperno, "Practical graph isomorphism, II", 2014; Darga, Sakallah and Markov,
//! "Faster symmetry discovery using sparsity of symmetries", 2008.)

use super::graph::Graph;
use super::partition::{Partition, Trace};
use budget::{Budget, Exhausted};

/// Vertices individualised in one attempt to match a vertex, beyond one for each level.
const TRIES: usize = 64;
/// Memory for all traces, in bytes.
const BYTES: usize = 64 << 20;

/// The automorphisms found.
#[derive(Debug, Default)]
pub(super) struct Automorphisms {
    /// Images of all vertices.
    pub generators: Vec<Vec<u32>>,
    /// The number of automorphisms that they generate, at least.
    pub order: u128,
    /// The part of the budget that ran out, if any.
    pub exhausted: Option<Exhausted>,
}

/// A vertex of the first path.
struct Level {
    /// The start of its cell, and the members of the cell.
    start: u32,
    members: Vec<u32>,
    vertex: u32,
    /// The mark before it was individualised.
    mark: usize,
    trace: Vec<u64>,
}

struct Search<'a, 'g> {
    graph: &'g Graph,
    partition: Partition<'g>,
    levels: Vec<Level>,
    /// The order of vertices at the end of the first path, and the position of each vertex in
    /// it.
    leaf: Vec<u32>,
    places: Vec<u32>,
    most: u128,
    budget: &'a Budget,
    left: usize,
}

/// Finds automorphisms of a graph, as many as the budget allows. Stops when there are more than
/// `most`.
pub(super) fn automorphisms(graph: &Graph, most: u128, budget: &Budget) -> Automorphisms {
    let mut found = Automorphisms {
        order: 1,
        ..Automorphisms::default()
    };
    let search = Search::new(graph, most, budget);
    let all = search.and_then(|mut search| {
        search.first_way()?;
        search.all(&mut found)
    });
    found.exhausted = all.err();
    found
}

/// An upper bound on the number of automorphisms: the product of the lengths of the cells in
/// which vertices are individualised. Before that, `told` receives a function that gives the
/// cell of each vertex.
pub(super) fn bound(
    graph: &Graph,
    told: impl FnOnce(&dyn Fn(u32) -> u32),
    budget: &Budget,
) -> Result<u128, Exhausted> {
    let mut search = Search::new(graph, 0, budget)?;
    told(&|vertex| search.partition.cell(vertex));
    search.first_way()?;
    let cells = search.levels.iter().map(|level| level.members.len());
    Ok(cells.fold(1, |product, cell| product.saturating_mul(cell as u128)))
}

impl<'a, 'g> Search<'a, 'g> {
    /// Refines without individualising any vertex.
    fn new(graph: &'g Graph, most: u128, budget: &'a Budget) -> Result<Self, Exhausted> {
        let mut partition = Partition::new(graph, budget)?;
        partition.refine(&mut Trace::Record(&mut Vec::new()), budget)?;
        Ok(Search {
            graph,
            partition,
            levels: Vec::new(),
            leaf: Vec::new(),
            places: Vec::new(),
            most,
            budget,
            left: 0,
        })
    }

    /// Individualises until all vertices are separated.
    fn first_way(&mut self) -> Result<(), Exhausted> {
        let (mut from, mut bytes) = (0, 0);
        while let Some(start) = self.partition.first_open(from) {
            from = start;
            let members = self.partition.members(start).to_vec();
            let mut level = Level {
                start,
                vertex: members[0],
                members,
                mark: self.partition.mark(),
                trace: Vec::new(),
            };
            self.partition.individualise(level.vertex);
            self.partition
                .refine(&mut Trace::Record(&mut level.trace), self.budget)?;
            bytes += 8 * level.trace.len() + 4 * level.members.len();
            if bytes > BYTES {
                return Err(Exhausted::Memory);
            }
            self.levels.push(level);
        }
        self.leaf = self.partition.order().to_vec();
        self.places = vec![0; self.leaf.len()];
        for (at, &vertex) in (0..).zip(&self.leaf) {
            self.places[vertex as usize] = at;
        }
        Ok(())
    }

    /// Searches from the last level back to the first.
    fn all(&mut self, found: &mut Automorphisms) -> Result<(), Exhausted> {
        let mut orbits = Orbits::new(self.leaf.len());
        for level in (0..self.levels.len()).rev() {
            let Level {
                vertex,
                mark,
                start,
                ..
            } = self.levels[level];
            let members = std::mem::take(&mut self.levels[level].members);
            let mut failed: Vec<u32> = Vec::new();
            for &other in &members {
                let tried = failed
                    .iter()
                    .any(|&no| orbits.find(no) == orbits.find(other));
                if tried || orbits.find(other) == orbits.find(vertex) {
                    continue;
                }
                self.budget.check()?;
                self.left = TRIES + self.levels.len() - level;
                self.partition.back(mark);
                match self.attempt(level, other)? {
                    Some(image) => {
                        for (from, &to) in (0..).zip(&image) {
                            orbits.join(from, to);
                        }
                        found.generators.push(image);
                    }
                    None => failed.push(other),
                }
            }
            self.partition.back(mark);
            debug_assert!(self.partition.is_in(vertex, start));
            let orbit = members
                .iter()
                .filter(|&&other| orbits.find(other) == orbits.find(vertex));
            found.order = found.order.saturating_mul(orbit.count() as u128);
            if found.order > self.most {
                break;
            }
        }
        Ok(())
    }

    /// Individualises a vertex at a level of the first path, and then others along the first
    /// path, as long as the traces agree.
    fn attempt(&mut self, level: usize, vertex: u32) -> Result<Option<Vec<u32>>, Exhausted> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.partition.individualise(vertex);
        let mut trace = Trace::Compare(&self.levels[level].trace, 0);
        if !self.partition.refine(&mut trace, self.budget)? {
            return Ok(None);
        }
        if let Some(image) = self.rest_in_place() {
            return Ok(Some(image));
        }
        let Some(next) = self.levels.get(level + 1) else {
            return Ok(None);
        };
        let (start, first) = (next.start, next.vertex);
        let mark = self.partition.mark();
        let mut members = self.partition.members(start).to_vec();
        // Prefer to map the remaining vertices to themselves.
        if let Some(at) = members.iter().position(|&other| other == first) {
            members.swap(0, at);
        }
        for other in members {
            if let Some(image) = self.attempt(level + 1, other)? {
                return Ok(Some(image));
            }
            if self.left == 0 {
                break;
            }
            self.partition.back(mark);
        }
        Ok(None)
    }
}

impl Search<'_, '_> {
    /// The automorphism that fixes all vertices that are not separated yet, if there is one.
    /// Cells start where they did on the first path, whose last order shows which vertices were
    /// in them.
    fn rest_in_place(&self) -> Option<Vec<u32>> {
        let mut same = self.partition.open_cells().map(|(start, members)| {
            let range = start..start + members.len() as u32;
            let mut places = members.iter().map(|&vertex| self.places[vertex as usize]);
            places.all(|place| range.contains(&place))
        });
        if !same.all(|same| same) {
            return None;
        }
        let mut image = vec![0; self.leaf.len()];
        for (&from, &to) in self.leaf.iter().zip(self.partition.order()) {
            image[from as usize] = to;
        }
        for (_, members) in self.partition.open_cells() {
            for &vertex in members {
                image[vertex as usize] = vertex;
            }
        }
        self.graph.is_automorphism(&image).then_some(image)
    }
}

/// Sets of vertices that automorphisms map to each other.
struct Orbits(Vec<u32>);

impl Orbits {
    fn new(count: usize) -> Self {
        Orbits((0..count as u32).collect())
    }

    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.0[vertex as usize] != vertex {
            let up = self.0[vertex as usize];
            self.0[vertex as usize] = self.0[up as usize];
            vertex = up;
        }
        vertex
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::Edges;
    use super::*;

    /// An undirected graph with each edge in both directions.
    fn graph(vertices: u32, edges: &[(u32, u32)]) -> Graph {
        let pairs = || edges.iter().copied();
        let both = || pairs().chain(pairs().map(|(a, b)| (b, a)));
        let none = || Edges::new(vertices as usize, std::iter::empty::<(u32, u32)>());
        Graph {
            colours: vec![0; vertices as usize],
            told: vec![0; vertices as usize],
            fresh: (0..vertices).collect(),
            edges: [
                Edges::new(vertices as usize, both()),
                none(),
                Edges::new(vertices as usize, both()),
                none(),
            ],
            ..Graph::default()
        }
    }

    fn order(graph: &Graph) -> u128 {
        let found = automorphisms(graph, u128::MAX, &Budget::system());
        assert!(
            found
                .generators
                .iter()
                .all(|image| graph.is_automorphism(image))
        );
        assert_eq!(found.exhausted, None);
        found.order
    }

    #[test]
    fn groups_of_known_graphs_have_their_orders() {
        let ring: Vec<_> = (0..8).map(|i| (i, (i + 1) % 8)).collect();
        assert_eq!(order(&graph(8, &ring)), 16);
        let path: Vec<_> = (0..7).map(|i| (i, i + 1)).collect();
        assert_eq!(order(&graph(8, &path)), 2);
        let complete: Vec<_> = (0..6).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        assert_eq!(order(&graph(6, &complete)), 720);
        // Two rings of four side by side: each has 8 automorphisms, and both can be exchanged.
        let rings: Vec<_> = (0..8).map(|i| (i, i / 4 * 4 + (i + 1) % 4)).collect();
        assert_eq!(order(&graph(8, &rings)), 128);
        // Petersen's graph, in which refinement alone separates nothing.
        let outer = (0..5).map(|i| (i, (i + 1) % 5));
        let inner = (0..5).map(|i| (5 + i, 5 + (i + 2) % 5));
        let edges: Vec<_> = outer
            .chain(inner)
            .chain((0..5).map(|i| (i, i + 5)))
            .collect();
        assert_eq!(order(&graph(10, &edges)), 120);
        // A tree without any symmetry.
        let tree = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 6)];
        assert_eq!(order(&graph(7, &tree)), 1);
        assert_eq!(order(&graph(5, &[])), 120);
    }
}
