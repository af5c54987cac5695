//! Ordered partitions of vertices, refined until they are equitable.
//!
//! A cell is split by the number of edges of its vertices to another cell, repeatedly, until
//! nothing splits (Paige and Tarjan, "Three partition refinement algorithms", 1987; in this form
//! McKay, "Practical graph isomorphism", 1981). All operations depend on positions and counts
//! alone, never on the numbers of vertices. So if an automorphism maps one sequence of
//! individualised vertices to another, both split in the same way. As soon as they split
//! differently, there is no such automorphism.

use super::graph::Graph;
use super::hashes::{Hashes, hashes};
use budget::{Budget, Exhausted};

/// Marks a vertex that is the only one in its cell.
const SINGLE: u32 = 1 << 31;

/// The partition, with a history for backtracking.
pub(super) struct Partition<'g> {
    graph: &'g Graph,
    /// Vertices, cell by cell.
    order: Vec<u32>,
    /// The position of each vertex in `order`.
    position: Vec<u32>,
    /// The start of the cell of each vertex, and whether the vertex is alone in it.
    cell: Vec<u32>,
    /// The length of the cell that starts at a position.
    length: Vec<u32>,
    /// Splits so far: the start of the new cell, and the start of the cell that was split.
    splits: Vec<(u32, u32)>,
    /// Cells by which others are still to be split.
    open: Vec<u32>,
    is_open: Vec<bool>,
    /// Scratch: counts of edges by vertex, vertices with any, cells with any, parts of a cell.
    counts: Vec<u32>,
    touched: Vec<u32>,
    cells: Vec<u32>,
    in_cells: Vec<u32>,
    starts: Vec<u32>,
}

/// The trace of the splits as a sequence of numbers, which is compared with that of the first
/// path.
pub(super) enum Trace<'t> {
    /// Records the trace.
    Record(&'t mut Vec<u64>),
    /// Compares with a trace, from a position on.
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
    /// The initial partition by colours and hashes, not refined yet.
    pub fn new(graph: &'g Graph, budget: &Budget) -> Result<Self, Exhausted> {
        let count = graph.colours.len();
        // If a partition is known already, hashes distinguish little more.
        let Hashes { of: hashes, fresh } = match graph.told.iter().any(|&told| told > 0) {
            true => Hashes {
                of: vec![0; count],
                fresh: graph.fresh.clone(),
            },
            false => hashes(graph, budget)?,
        };
        let of = |vertex: usize| (graph.colours[vertex], graph.told[vertex], hashes[vertex]);
        let keys = (0..count).map(|vertex| (of(vertex), vertex as u32));
        let mut keys: Vec<((u32, u32, u64), u32)> = keys.collect();
        keys.sort_unstable();
        let mut partition = Partition {
            graph,
            order: keys.iter().map(|&(_, vertex)| vertex).collect(),
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
        };
        let mut start = 0;
        for (at, (key, vertex)) in keys.iter().enumerate() {
            if *key != keys[start].0 {
                start = at;
            }
            partition.position[*vertex as usize] = at as u32;
            partition.cell[*vertex as usize] = start as u32;
            partition.length[start] += 1;
        }
        for start in 0..count as u32 {
            partition.mark_single(start);
        }
        let cells = fresh.iter().map(|&vertex| partition.cell(vertex));
        let mut cells: Vec<u32> = cells.collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().for_each(|cell| partition.push(cell));
        Ok(partition)
    }

    /// The start of the cell of a vertex.
    pub fn cell(&self, vertex: u32) -> u32 {
        self.cell[vertex as usize] & !SINGLE
    }

    /// Marks the vertex of a cell of one.
    fn mark_single(&mut self, start: u32) {
        if self.length[start as usize] == 1 {
            self.cell[self.order[start as usize] as usize] = start | SINGLE;
        }
    }

    /// The vertices in order. If every cell has one vertex, this order is independent of their
    /// numbers.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The number of splits, for [`Partition::back`].
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

    /// The cells with more than one vertex, each with its start.
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
        self.cell(vertex) == start
    }

    /// Makes a vertex the first of its cell, and the rest a separate cell.
    pub fn individualise(&mut self, vertex: u32) {
        let start = self.cell(vertex);
        let length = self.length[start as usize];
        self.swap(self.position[vertex as usize], start);
        if length > 1 {
            self.split(start, start + 1);
            self.push(start);
            self.push(start + 1);
        }
    }

    /// Undoes all splits since a mark.
    pub fn back(&mut self, mark: usize) {
        for start in self.open.drain(..) {
            self.is_open[start as usize] = false;
        }
        while self.splits.len() > mark {
            let Some((start, of)) = self.splits.pop() else {
                break;
            };
            let length = self.length[start as usize];
            for at in (of..of + 1).chain(start..start + length) {
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
                // Vertices that are alone cannot be split, but their edges must agree.
                let mut alone = 0u64;
                for at in range.clone() {
                    for &end in edges.of(self.order[at]) {
                        work += 1;
                        let cell = self.cell[end as usize];
                        if cell & SINGLE != 0 {
                            alone = alone.wrapping_add(mix(u64::from(cell), kind as u64));
                            continue;
                        }
                        let count = &mut self.counts[end as usize];
                        if *count == 0 {
                            self.touched.push(end);
                        }
                        *count += 1;
                    }
                }
                if !self.split_touched(kind, alone, trace) {
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

    /// Splits the cells of touched vertices by their counts, and clears the counts. `alone`
    /// stands for touched vertices that are alone in their cells.
    fn split_touched(&mut self, kind: usize, alone: u64, trace: &mut Trace<'_>) -> bool {
        let touched = std::mem::take(&mut self.touched);
        for &vertex in &touched {
            let start = self.cell[vertex as usize];
            let many = &mut self.in_cells[start as usize];
            if *many == 0 {
                self.cells.push(start);
            }
            *many += 1;
            // Touched vertices come last in their cell.
            let to = start + self.length[start as usize] - *many;
            self.swap(self.position[vertex as usize], to);
        }
        self.cells.sort_unstable();
        let mut seen = mix(alone, u64::from(!touched.is_empty()));
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

    /// Splits a cell: vertices without edges first, then the last `many` by their counts.
    /// Returns a hash of the split.
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
        // From the end, so that each part is split off from all before it.
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

    /// Splits the cell at `start` so that a new one starts at `begin`.
    fn split(&mut self, start: u32, begin: u32) {
        let end = start + self.length[start as usize];
        self.length[begin as usize] = end - begin;
        self.length[start as usize] = begin - start;
        for at in begin..end {
            self.cell[self.order[at as usize] as usize] = begin;
        }
        self.mark_single(start);
        self.mark_single(begin);
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

/// A hash of two numbers.
fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ a >> 31
}
