//! What tells vertices apart at a glance.
//!
//! Every vertex gets a number made of its colour and the numbers of its neighbours, a few times over
//! (Weisfeiler and Leman, "The reduction of a graph to canonical form", 1968). Gates are taken in
//! their order, forwards and backwards, so that one time over tells apart what is far from each
//! other. Vertices that an automorphism maps to each other have the same number, whatever the
//! numbers are. Mostly this goes on until it tells no more apart, and refinement has nothing left to
//! do: as long as all vertices are concerned, it takes less to look at them all in turn.

use super::graph::{Graph, is_ordered};
use budget::{Budget, Exhausted};

/// How often all vertices are looked at, at most; and the least part of facts, moves and roles that
/// must have been told apart the last time for another.
const ROUNDS: usize = 24;
const WORTH: usize = 64;

/// The numbers of all vertices.
pub(super) struct Hashes {
    pub of: Vec<u64>,
    /// Vertices of kinds that were told apart at last: others may be told apart by how many of them
    /// they have around them, but by nothing else.
    pub fresh: Vec<u32>,
}

/// Looks at all vertices until nothing more is told apart, or often enough.
pub(super) fn hashes(graph: &Graph, budget: &Budget) -> Result<Hashes, Exhausted> {
    let count = graph.colours.len() as u32;
    let ordered: Vec<bool> = graph.colours.iter().map(|&c| is_ordered(c)).collect();
    let mut hashes: Vec<u64> = graph.colours.iter().map(|&c| spread(c.into())).collect();
    // Kinds of edges to readers, and to what is read.
    const READERS: [usize; 2] = [0, 1];
    const READ: [usize; 2] = [2, 3];
    let looked = |hashes: &[u64], vertex: u32, kinds: &[usize]| {
        let mut sum = hashes[vertex as usize];
        for &kind in kinds {
            for &end in graph.edges[kind].of(vertex) {
                let seen = hashes[end as usize].rotate_left(16 * kind as u32 + 1);
                sum = sum.wrapping_add(spread(seen));
            }
        }
        spread(sum)
    };
    let mut before = Vec::new();
    let mut kinds = 0;
    for _ in 0..ROUNDS {
        budget.check()?;
        before.clone_from(&hashes);
        for vertex in (0..count).filter(|&vertex| ordered[vertex as usize]) {
            hashes[vertex as usize] = looked(&hashes, vertex, &READ);
        }
        budget.check()?;
        for vertex in (0..count).rev().filter(|&vertex| ordered[vertex as usize]) {
            hashes[vertex as usize] = looked(&hashes, vertex, &READERS);
        }
        budget.check()?;
        // All others at once: they may read each other.
        let others = (0..count).filter(|&vertex| !ordered[vertex as usize]);
        let seen: Vec<(u32, u64)> = others
            .map(|vertex| (vertex, looked(&hashes, vertex, &[0, 1, 2, 3])))
            .collect();
        for &(vertex, hash) in &seen {
            hashes[vertex as usize] = hash;
        }
        let more = different(seen.into_iter().map(|(_, hash)| hash));
        let few = more - kinds < more.div_ceil(WORTH);
        kinds = more;
        if few {
            break;
        }
    }
    budget.check()?;
    let fresh = fresh(&before, &hashes);
    Ok(Hashes { of: hashes, fresh })
}

/// The vertices with numbers that were one number before.
fn fresh(before: &[u64], hashes: &[u64]) -> Vec<u32> {
    let all = before.iter().zip(hashes).zip(0..);
    let mut all: Vec<(u64, u64, u32)> = all.map(|((&a, &b), vertex)| (a, b, vertex)).collect();
    all.sort_unstable();
    let kinds = all.chunk_by(|a, b| a.0 == b.0);
    let told = kinds.filter(|kind| kind[0].1 != kind[kind.len() - 1].1);
    told.flatten().map(|&(_, _, vertex)| vertex).collect()
}

/// How many different numbers there are.
fn different(numbers: impl Iterator<Item = u64>) -> usize {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

/// A number that differs in half of its bits where the other differs in one.
fn spread(mut number: u64) -> u64 {
    number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
