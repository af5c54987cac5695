//! Vertices of a graph in cells: those that nothing found so far tells apart.

use super::graph::{Graph, spread};
use std::collections::VecDeque;

/// An ordered partition of the vertices. Neither the cells nor their order depend on how the
/// vertices are numbered.
#[derive(Clone)]
pub(super) struct Partition {
    /// The vertices, cell by cell.
    order: Vec<u32>,
    /// The position of each vertex in `order`.
    place: Vec<u32>,
    /// For each vertex where its cell begins.
    cell: Vec<u32>,
    /// For each beginning of a cell its length.
    len: Vec<u32>,
    /// A hash of how cells were split.
    trace: u64,
}

/// What refinement needs besides: all of it is empty between two calls.
pub(super) struct Scratch {
    queue: VecDeque<u32>,
    /// Whether the cell that begins here is in the queue.
    queued: Vec<bool>,
    /// For each vertex the sum over its edges to the cell that splits.
    sums: Vec<u64>,
    touched: Vec<u32>,
    members: Vec<u32>,
    cells: Vec<u32>,
}

impl Scratch {
    pub fn new(graph: &Graph) -> Scratch {
        Scratch {
            queue: VecDeque::new(),
            queued: vec![false; graph.len()],
            sums: vec![0; graph.len()],
            touched: Vec::new(),
            members: Vec::new(),
            cells: Vec::new(),
        }
    }

    fn push(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }
}

impl Partition {
    /// The coarsest partition in which vertices of a cell are of one kind, and have as many edges
    /// of each kind to every cell.
    pub fn new(graph: &Graph, scratch: &mut Scratch) -> Partition {
        let mut order: Vec<u32> = (0..graph.len() as u32).collect();
        order.sort_by_key(|&vertex| graph.kind(vertex));
        let mut partition = Partition {
            place: vec![0; order.len()],
            cell: vec![0; order.len()],
            len: vec![0; order.len()],
            trace: 0,
            order,
        };
        let mut begin = 0;
        for place in 0..partition.order.len() {
            let vertex = partition.order[place];
            if graph.kind(vertex) != graph.kind(partition.order[begin]) {
                begin = place;
            }
            partition.place[vertex as usize] = place as u32;
            partition.cell[vertex as usize] = begin as u32;
            partition.len[begin] += 1;
            scratch.push(begin as u32);
        }
        partition.refine(graph, scratch);
        partition
    }

    /// The vertices in order. Once each is in a cell of its own, that is its number.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The position of each vertex in the order.
    pub fn places(&self) -> &[u32] {
        &self.place
    }

    /// A number that is equal for partitions that came about in the same way.
    pub fn trace(&self) -> u64 {
        self.trace
    }

    /// The first cell of several vertices that begins at `from` or later: its beginning.
    pub fn tie(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while *self.len.get(at)? == 1 {
            at += 1;
        }
        Some(at)
    }

    /// The vertices of the cell that begins there.
    pub fn members(&self, begin: usize) -> &[u32] {
        &self.order[begin..begin + self.len[begin] as usize]
    }

    /// Puts a vertex before the others of its cell, and splits cells as far as that tells their
    /// vertices apart.
    pub fn individualise(&mut self, vertex: u32, graph: &Graph, scratch: &mut Scratch) {
        let begin = self.cell[vertex as usize];
        let length = std::mem::replace(&mut self.len[begin as usize], 1);
        self.swap(self.place[vertex as usize], begin);
        self.len[begin as usize + 1] = length - 1;
        for place in begin + 1..begin + length {
            self.cell[self.order[place as usize] as usize] = begin + 1;
        }
        scratch.push(begin);
        self.refine(graph, scratch);
    }

    fn swap(&mut self, one: u32, other: u32) {
        self.order.swap(one as usize, other as usize);
        for place in [one, other] {
            self.place[self.order[place as usize] as usize] = place;
        }
    }

    /// Splits cells by their edges to the cells of the queue, until no cell tells vertices apart.
    fn refine(&mut self, graph: &Graph, scratch: &mut Scratch) {
        while let Some(by) = scratch.queue.pop_front() {
            scratch.queued[by as usize] = false;
            scratch.members.clear();
            scratch.members.extend_from_slice(self.members(by as usize));
            for &vertex in &scratch.members {
                for &(end, edge) in graph.ends(vertex) {
                    let sum = &mut scratch.sums[end as usize];
                    if *sum == 0 {
                        scratch.touched.push(end);
                    }
                    *sum = sum.wrapping_add(spread(u64::from(edge)));
                }
            }
            self.note(u64::from(by));
            self.split_touched(scratch);
        }
    }

    fn note(&mut self, number: u64) {
        self.trace = spread(self.trace ^ number);
    }

    /// Splits the cells of all touched vertices by their sums.
    fn split_touched(&mut self, scratch: &mut Scratch) {
        let mut touched = std::mem::take(&mut scratch.touched);
        // A sum may have come to zero on the way, and its vertex twice into the list.
        touched.sort_unstable_by_key(|&vertex| {
            let sum = scratch.sums[vertex as usize];
            (self.cell[vertex as usize], sum, vertex)
        });
        touched.dedup();
        let mut cells = std::mem::take(&mut scratch.cells);
        for group in touched.chunk_by(|&a, &b| self.cell[a as usize] == self.cell[b as usize]) {
            cells.push(group.len() as u32);
        }
        let mut rest = &touched[..];
        for &count in &cells {
            let (group, others) = rest.split_at(count as usize);
            rest = others;
            self.split(group, scratch);
        }
        for &vertex in &touched {
            scratch.sums[vertex as usize] = 0;
        }
        touched.clear();
        cells.clear();
        (scratch.touched, scratch.cells) = (touched, cells);
    }

    /// Splits a cell: vertices that are not in `group` first, then those in it, by their sums.
    fn split(&mut self, group: &[u32], scratch: &mut Scratch) {
        let begin = self.cell[group[0] as usize];
        let length = self.len[begin as usize];
        let mut place = begin + length - group.len() as u32;
        for (at, &vertex) in (place..).zip(group) {
            self.swap(self.place[vertex as usize], at);
        }
        let mut parts: Vec<(u32, u32)> = Vec::new();
        if place > begin {
            parts.push((begin, place - begin));
        }
        for part in group.chunk_by(|&a, &b| scratch.sums[a as usize] == scratch.sums[b as usize]) {
            let count = part.len() as u32;
            self.note(u64::from(place) << 32 | u64::from(count));
            self.note(scratch.sums[part[0] as usize]);
            for &vertex in part {
                self.cell[vertex as usize] = place;
            }
            parts.push((place, count));
            place += count;
        }
        for &(begin, count) in &parts {
            self.len[begin as usize] = count;
        }
        if parts.len() == 1 {
            return;
        }
        // Every cell has as many edges to the whole as before, so that one part need not be looked
        // at: the largest one (Hopcroft).
        let waits = scratch.queued[begin as usize];
        let largest = parts.iter().map(|part| part.1).max();
        let mut spared = parts.iter().position(|part| Some(part.1) == largest);
        spared = spared.filter(|_| !waits);
        for (at, &(begin, _)) in parts.iter().enumerate() {
            if Some(at) != spared {
                scratch.push(begin);
            }
        }
    }
}
