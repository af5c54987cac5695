//! Ordered partitions of vertices, refined until all vertices of a cell look alike.
//!
//! A cell is split by how many edges its vertices have to another one, again and again, until
//! nothing splits (Paige and Tarjan, "Three partition refinement algorithms", 1987; in this form
//! McKay, "Practical graph isomorphism", 1981). What is done depends on positions and counts alone,
//! never on the numbers of vertices: so two ways of individualising vertices that an automorphism
//! maps to each other split alike, and as soon as they do not, there is none.

use super::graph::Graph;
use budget::{Budget, Exhausted};

/// The partition, with what is needed to go back.
pub(super) struct Partition<'g> {
    graph: &'g Graph,
    /// Vertices, cell by cell.
    order: Vec<u32>,
    /// Where each vertex is in `order`.
    position: Vec<u32>,
    /// Where the cell of each vertex begins.
    cell: Vec<u32>,
    /// The length of the cell that begins at a position.
    length: Vec<u32>,
    /// Cells that were split off, by their beginning, with the beginning of the cell they were of.
    splits: Vec<(u32, u32)>,
    /// Cells to split others by.
    open: Vec<u32>,
    is_open: Vec<bool>,
    /// Scratch: counts of edges by vertex, vertices with any, cells with any, parts of a cell.
    counts: Vec<u32>,
    touched: Vec<u32>,
    cells: Vec<u32>,
    in_cells: Vec<u32>,
    starts: Vec<u32>,
}

/// What splitting did, as numbers that are compared: one sequence for the first way that was gone.
pub(super) enum Trace<'t> {
    /// Writes it down.
    Record(&'t mut Vec<u64>),
    /// Compares, from a position on.
    Compare(&'t [u64], usize),
}

impl Trace<'_> {
    fn step(&mut self, value: u64) -> bool {
        match self {
            Trace::Record(into) => {
                into.push(value);
                true
            }
            Trace::Compare(with, at) => {
                *at += 1;
                with.get(*at - 1) == Some(&value)
            }
        }
    }
}

impl<'g> Partition<'g> {
    /// Cells of one colour each, not refined yet.
    pub fn new(graph: &'g Graph) -> Self {
        let count = graph.colours.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&vertex| graph.colours[vertex as usize]);
        let mut partition = Partition {
            graph,
            position: vec![0; count],
            cell: vec![0; count],
            length: vec![0; count],
            splits: Vec::new(),
            open: Vec::new(),
            is_open: vec![false; count],
            counts: vec![0; count],
            touched: Vec::new(),
            cells: Vec::new(),
            in_cells: vec![0; count],
            starts: Vec::new(),
            order,
        };
        let mut start = 0;
        for at in 0..count {
            let vertex = partition.order[at];
            let colour = graph.colours[vertex as usize];
            if colour != graph.colours[partition.order[start] as usize] {
                start = at;
            }
            partition.position[vertex as usize] = at as u32;
            partition.cell[vertex as usize] = start as u32;
            partition.length[start] += 1;
            if start == at {
                partition.push(start as u32);
            }
        }
        partition
    }

    /// Vertices in order; if every cell has one, this names them independently of their numbers.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// How many cells have been split off, to go back to.
    pub fn mark(&self) -> usize {
        self.splits.len()
    }

    /// The vertices of the cell at a position.
    pub fn members(&self, start: u32) -> &[u32] {
        let length = self.length[start as usize];
        &self.order[start as usize..(start + length) as usize]
    }

    /// The first cell with more than one vertex, at or after a position.
    pub fn first_open(&self, from: u32) -> Option<u32> {
        let mut start = from;
        while (start as usize) < self.order.len() {
            if self.length[start as usize] > 1 {
                return Some(start);
            }
            start += 1;
        }
        None
    }

    /// The cells with more than one vertex, each with its beginning.
    pub fn open_cells(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let start = self.first_open(from)?;
            let members = self.members(start);
            from = start + members.len() as u32;
            Some((start, members))
        })
    }

    /// Whether the vertex is in the cell at a position.
    pub fn is_in(&self, vertex: u32, start: u32) -> bool {
        self.cell[vertex as usize] == start
    }

    /// Makes a vertex the first of its cell, and the rest a cell of its own.
    pub fn individualise(&mut self, vertex: u32) {
        let start = self.cell[vertex as usize];
        let length = self.length[start as usize];
        self.swap(self.position[vertex as usize], start);
        if length > 1 {
            self.split(start, start + 1);
            self.push(start);
            self.push(start + 1);
        }
    }

    /// Undoes what was split since a mark.
    pub fn back(&mut self, mark: usize) {
        for start in self.open.drain(..) {
            self.is_open[start as usize] = false;
        }
        while self.splits.len() > mark {
            let Some((start, of)) = self.splits.pop() else {
                break;
            };
            let length = self.length[start as usize];
            for at in start..start + length {
                self.cell[self.order[at as usize] as usize] = of;
            }
            self.length[of as usize] += length;
            self.length[start as usize] = 0;
        }
    }

    /// Splits until nothing splits; false if the trace differs from the one to compare with.
    pub fn refine(&mut self, trace: &mut Trace<'_>, budget: &Budget) -> Result<bool, Exhausted> {
        let mut next = 0;
        let mut work = 0usize;
        while next < self.open.len() {
            let splitter = self.open[next];
            next += 1;
            self.is_open[splitter as usize] = false;
            let range = splitter as usize..(splitter + self.length[splitter as usize]) as usize;
            let graph = self.graph;
            for (kind, edges) in graph.edges.iter().enumerate() {
                for at in range.clone() {
                    for &end in edges.of(self.order[at]) {
                        let count = &mut self.counts[end as usize];
                        if *count == 0 {
                            self.touched.push(end);
                        }
                        *count += 1;
                        work += 1;
                    }
                }
                if !self.split_touched(kind, trace) {
                    return Ok(false);
                }
            }
            work += range.len();
            if work > 1 << 16 {
                work = 0;
                budget.check()?;
            }
        }
        self.open.clear();
        Ok(match trace {
            Trace::Record(_) => true,
            Trace::Compare(with, at) => *at == with.len(),
        })
    }

    /// Splits the cells of touched vertices by their counts, and clears these.
    fn split_touched(&mut self, kind: usize, trace: &mut Trace<'_>) -> bool {
        let touched = std::mem::take(&mut self.touched);
        for &vertex in &touched {
            let start = self.cell[vertex as usize];
            let many = &mut self.in_cells[start as usize];
            if *many == 0 {
                self.cells.push(start);
            }
            *many += 1;
            // Touched ones come last in their cell.
            let to = start + self.length[start as usize] - *many;
            self.swap(self.position[vertex as usize], to);
        }
        self.cells.sort_unstable();
        let mut seen = u64::from(!touched.is_empty());
        for i in 0..self.cells.len() {
            let start = self.cells[i];
            let many = std::mem::take(&mut self.in_cells[start as usize]);
            seen = mix(seen, self.split_cell(start, many, kind));
        }
        for &vertex in &touched {
            self.counts[vertex as usize] = 0;
        }
        self.touched = touched;
        self.touched.clear();
        self.cells.clear();
        seen == 0 || trace.step(seen)
    }

    /// Splits a cell: vertices without edges first, then the last `many` by their counts. What was
    /// done, as a number.
    fn split_cell(&mut self, start: u32, many: u32, kind: usize) -> u64 {
        let length = self.length[start as usize];
        let first = start + length - many;
        let mine = first as usize..(start + length) as usize;
        let count = |partition: &Self, at: usize| partition.counts[partition.order[at] as usize];
        let low = count(self, first as usize);
        let mut seen = mix(u64::from(start), kind as u64);
        if mine.clone().any(|at| count(self, at) != low) {
            let counts = &self.counts;
            self.order[mine.clone()].sort_unstable_by_key(|&vertex| counts[vertex as usize]);
            for at in mine.clone() {
                self.position[self.order[at] as usize] = at as u32;
            }
        } else if first == start {
            return mix(seen, u64::from(low));
        }
        let was_open = self.is_open[start as usize];
        let mut starts = std::mem::take(&mut self.starts);
        if first > start {
            starts.push(start);
        }
        let mut at = mine.start;
        while at < mine.end {
            let (begin, value) = (at, count(self, at));
            while at < mine.end && count(self, at) == value {
                at += 1;
            }
            seen = mix(mix(seen, u64::from(value)), (at - begin) as u64);
            starts.push(begin as u32);
        }
        // From the end, so that each is split off what comes before.
        for &begin in starts.iter().skip(1).rev() {
            self.split(start, begin);
        }
        let largest = starts.iter().copied().reduce(|a, b| {
            if self.length[b as usize] > self.length[a as usize] {
                b
            } else {
                a
            }
        });
        for &begin in &starts {
            if was_open || Some(begin) != largest {
                self.push(begin);
            }
        }
        starts.clear();
        self.starts = starts;
        seen
    }

    /// Splits the cell at `start` so that a new one begins at `begin`.
    fn split(&mut self, start: u32, begin: u32) {
        let end = start + self.length[start as usize];
        self.length[begin as usize] = end - begin;
        self.length[start as usize] = begin - start;
        for at in begin..end {
            self.cell[self.order[at as usize] as usize] = begin;
        }
        self.splits.push((begin, start));
    }

    fn push(&mut self, start: u32) {
        if !std::mem::replace(&mut self.is_open[start as usize], true) {
            self.open.push(start);
        }
    }

    fn swap(&mut self, a: u32, b: u32) {
        self.order.swap(a as usize, b as usize);
        for at in [a, b] {
            self.position[self.order[at as usize] as usize] = at;
        }
    }
}

/// Two numbers as one that hardly any others make.
fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ a >> 31
}
