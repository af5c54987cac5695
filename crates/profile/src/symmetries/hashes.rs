//! Vertex hashes that distinguish most vertices cheaply.
//!
//! Every vertex gets a number computed from its colour and the numbers of its neighbours,
//! repeatedly (Weisfeiler and Leman, "The reduction of a graph to canonical form", 1968). Gates
//! are processed in their order, forwards and backwards, so that one round propagates over long
//! distances. Vertices that an automorphism maps to each other always have the same number.
//! Usually the rounds continue until nothing more is distinguished, and refinement has nothing
//! left to do. While all vertices are still concerned, it is cheaper to process them all in
//! turn.

use super::graph::{Graph, is_ordered};
use budget::{Budget, Exhausted};

/// Maximum number of rounds, and the minimum gain for another round: one part in `WORTH` of the
/// distinct numbers of facts, moves and roles must be new.
const ROUNDS: usize = 24;
const WORTH: usize = 64;

/// The hashes of all vertices.
pub(super) struct Hashes {
    pub of: Vec<u64>,
    /// Vertices of classes that were split in the last round. Other vertices can be split only
    /// by the number of these among their neighbours.
    pub fresh: Vec<u32>,
}

/// Hashes all vertices until nothing more is distinguished, or up to the maximum number of
/// rounds.
pub(super) fn hashes(graph: &Graph, budget: &Budget) -> Result<Hashes, Exhausted> {
    let count = graph.colours.len() as u32;
    let ordered: Vec<bool> = graph.colours.iter().map(|&c| is_ordered(c)).collect();
    let mut hashes: Vec<u64> = graph.colours.iter().map(|&c| spread(c.into())).collect();
    // Kinds of edges to readers, and to inputs.
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
        // All others at once, since they may read each other.
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

/// The vertices whose class was split by the last round.
fn fresh(before: &[u64], hashes: &[u64]) -> Vec<u32> {
    let all = before.iter().zip(hashes).zip(0..);
    let mut all: Vec<(u64, u64, u32)> = all.map(|((&a, &b), vertex)| (a, b, vertex)).collect();
    all.sort_unstable();
    let kinds = all.chunk_by(|a, b| a.0 == b.0);
    let told = kinds.filter(|kind| kind[0].1 != kind[kind.len() - 1].1);
    told.flatten().map(|&(_, _, vertex)| vertex).collect()
}

/// The number of distinct numbers.
fn different(numbers: impl Iterator<Item = u64>) -> usize {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

/// Mixes the bits of a number: if one input bit changes, about half of the output bits change.
fn spread(mut number: u64) -> u64 {
    number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
