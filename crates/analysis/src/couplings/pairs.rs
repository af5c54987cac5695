//! The distribution of distances between pairs of moves.
//!
//! Two moves are at most n apart if some target is at most n from both. So for every n, the
//! moves near a move are the union, over the targets near it, of the moves near those: one row
//! of bits for each target. Targets with the same near moves share a row. Moves in the same rows
//! share a union. Unions are computed in lexicographical order of their sets of rows, so that a
//! common prefix of two sets is joined only once.

use super::Distribution;
use crate::distances::NEVER;
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// Bound on the words joined: no further moves are counted if the estimate exceeds it.
pub(super) const EFFORT: u64 = 300_000_000;

/// The first sample is 1/`FIRST` of all moves. Each further sample doubles the number of moves.
const FIRST: usize = 64;

/// Words joined between two checks of the budget.
const UNCHECKED: usize = 1 << 14;

/// The moves and targets that are at most `distance` apart.
struct Level {
    distance: u8,
    /// The distinct rows, in descending order of their number of moves.
    rows: Vec<Vec<u64>>,
    /// For each move, the set of rows that contain it: `width` words, the first row in the
    /// highest bit.
    signatures: Vec<u64>,
    width: usize,
    /// The number of moves in any row.
    most: u32,
    /// For each set of rows, the number of moves in their union.
    unions: FxHashMap<Vec<u64>, u32>,
}

impl Level {
    fn new(
        things: &[&[u8]],
        moves: usize,
        distance: u8,
        budget: &Budget,
    ) -> Result<Level, Exhausted> {
        let words = moves.div_ceil(64);
        let mut known: FxHashMap<Vec<u64>, ()> = FxHashMap::default();
        let mut rows: Vec<(u32, Vec<u64>)> = Vec::new();
        for (done, thing) in things.iter().enumerate() {
            if done % 16 == 0 {
                budget.check()?;
                budget.check_memory(rows.len().saturating_mul(words * 16))?;
            }
            let row: Vec<u64> = thing
                .chunks(64)
                .map(|cells| bits(cells, distance))
                .collect();
            let count = row.iter().map(|word| word.count_ones()).sum();
            if count > 0 && known.insert(row.clone(), ()).is_none() {
                rows.push((count, row));
            }
        }
        drop(known);
        rows.sort_unstable_by(|a, b| b.cmp(a));
        let rows: Vec<Vec<u64>> = rows.into_iter().map(|(_, row)| row).collect();
        let width = rows.len().div_ceil(64);
        budget.check_memory((moves * width + rows.len() * words).saturating_mul(8))?;
        let mut signatures = vec![0u64; moves * width];
        let mut most = 0;
        for word in 0..words {
            if word % 64 == 0 {
                budget.check()?;
            }
            let mut any = 0;
            for (number, row) in rows.iter().enumerate() {
                let mut left = row[word];
                any |= left;
                while left != 0 {
                    let mv = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    signatures[mv * width + number / 64] |= 1 << (63 - number % 64);
                }
            }
            most += any.count_ones();
        }
        Ok(Level {
            distance,
            rows,
            signatures,
            width,
            most,
            unions: FxHashMap::default(),
        })
    }

    fn signature(&self, mv: usize) -> &[u64] {
        &self.signatures[mv * self.width..(mv + 1) * self.width]
    }

    /// Counts the unions of these moves that are not known yet. Returns the number of words
    /// joined.
    fn count(&mut self, moves: &[usize], budget: &Budget) -> Result<u64, Exhausted> {
        let mut open: Vec<&[u64]> = moves
            .iter()
            .map(|&mv| self.signature(mv))
            .filter(|&signature| !self.unions.contains_key(signature))
            .collect();
        open.sort_unstable();
        open.dedup();
        let open: Vec<Vec<u64>> = open.into_iter().map(<[u64]>::to_vec).collect();
        let words = self.rows.first().map_or(0, Vec::len);
        // The rows joined last, each with the number of moves in the union of it and all before.
        // The vectors beyond the end are kept for reuse.
        let mut joined: Vec<(usize, u32)> = Vec::new();
        let mut unions: Vec<Vec<u64>> = Vec::new();
        let (mut effort, mut unchecked) = (0, UNCHECKED);
        let mut last: Vec<u64> = Vec::new();
        for signature in open {
            let differs = last.iter().zip(&signature).position(|(a, b)| a != b);
            let same = differs.map_or(0, |at| {
                at * 64 + (last[at] ^ signature[at]).leading_zeros() as usize
            });
            joined.truncate(joined.partition_point(|&(row, _)| row < same));
            let next = joined.last().map_or(0, |&(row, _)| row + 1).max(same);
            for row in ones(&signature, next) {
                let depth = joined.len();
                if joined.last().is_some_and(|&(_, count)| count == self.most) {
                    break;
                }
                if unchecked >= UNCHECKED {
                    unchecked = 0;
                    budget.check()?;
                }
                if unions.len() == depth {
                    budget.check_memory((depth + 1).saturating_mul(words * 8))?;
                    unions.push(vec![0; words]);
                }
                let (before, from) = unions.split_at_mut(depth);
                let count = match before.last() {
                    Some(before) => union(&mut from[0], before, &self.rows[row]),
                    None => union(&mut from[0], &self.rows[row], &self.rows[row]),
                };
                joined.push((row, count));
                effort += words as u64;
                unchecked += words;
            }
            let count = joined.last().map_or(0, |&(_, count)| count);
            self.unions.insert(signature.clone(), count);
            last = signature;
        }
        Ok(effort)
    }

    /// The number of moves at most this far from a move, except itself. The move must have been
    /// counted.
    fn near(&self, mv: usize) -> u32 {
        let near = self.unions.get(self.signature(mv));
        near.copied().unwrap_or(0).saturating_sub(1)
    }
}

/// The cells that are at most `distance`, as bits.
fn bits(cells: &[u8], distance: u8) -> u64 {
    let bits = cells.iter().zip(0..);
    bits.fold(0, |word, (&cell, bit)| {
        word | u64::from(cell <= distance) << bit
    })
}

/// The rows of a signature from `first` on.
fn ones(signature: &[u64], first: usize) -> impl Iterator<Item = usize> + '_ {
    let words = signature.iter().enumerate().skip(first / 64);
    words.flat_map(move |(at, &word)| {
        let cut = if at == first / 64 {
            u64::MAX >> (first % 64)
        } else {
            u64::MAX
        };
        let next = |&left: &u64| Some(left & !(1 << (63 - left.leading_zeros())));
        std::iter::successors(Some(word & cut).filter(|&left| left != 0), move |left| {
            next(left).filter(|&left| left != 0)
        })
        .map(move |left| at * 64 + left.leading_zeros() as usize)
    })
}

/// Writes the union to `into` and returns its size.
fn union(into: &mut [u64], a: &[u64], b: &[u64]) -> u32 {
    let words = into.iter_mut().zip(a).zip(b);
    words.fold(0, |count, ((into, a), b)| {
        *into = a | b;
        count + into.count_ones()
    })
}

/// Counts the pairs of `moves` moves by distance, given a row of distances for each target.
/// Counts all moves against all others, or only the first ones in `order` if all would exceed
/// about `most_effort`.
pub(super) fn distribution(
    things: &[&[u8]],
    order: &[usize],
    most_effort: u64,
    budget: &Budget,
) -> Distribution {
    let of = order.len();
    let mut found = Distribution {
        pairs: vec![0; 256],
        moves: 0,
        of,
        cut: None,
    };
    let mut counter = match Counter::new(things, of, budget) {
        Ok(counter) => counter,
        Err(why) => {
            found.cut = Some(why);
            return found;
        }
    };
    let mut effort = 0;
    while found.moves < of {
        let done = found.moves;
        let chunk = done.max(of.div_ceil(FIRST)).min(of - done);
        let expected = match done {
            0 => 0,
            done => effort / done as u64 * chunk as u64,
        };
        if effort + expected > most_effort {
            break;
        }
        match counter.count(&order[done..done + chunk], budget) {
            Ok((pairs, more)) => {
                effort += more;
                found.moves += chunk;
                found
                    .pairs
                    .iter_mut()
                    .zip(pairs)
                    .for_each(|(all, of)| *all += of);
            }
            Err(why) => {
                found.cut = Some(why);
                break;
            }
        }
    }
    found
}

/// The levels computed so far.
struct Counter<'t> {
    things: &'t [&'t [u8]],
    moves: usize,
    /// The distances that occur, ascending.
    distances: Vec<u8>,
    levels: Vec<Level>,
    /// The level of all distances other than [`NEVER`].
    last: Level,
}

impl<'t> Counter<'t> {
    fn new(things: &'t [&'t [u8]], moves: usize, budget: &Budget) -> Result<Self, Exhausted> {
        let mut there = [false; 256];
        for thing in things {
            budget.check()?;
            thing
                .iter()
                .for_each(|&cell| there[usize::from(cell)] = true);
        }
        let distances = (0..NEVER).filter(|&distance| there[usize::from(distance)]);
        Ok(Counter {
            things,
            moves,
            distances: distances.collect(),
            levels: Vec::new(),
            last: Level::new(things, moves, NEVER - 1, budget)?,
        })
    }

    /// The pairs of these moves with all others, by distance, and the effort.
    fn count(&mut self, moves: &[usize], budget: &Budget) -> Result<(Vec<u64>, u64), Exhausted> {
        let mut pairs = vec![0; 256];
        let mut effort = self.last.count(moves, budget)?;
        // Moves that are not yet at their final number of near moves, with their number so far.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for &mv in moves {
            let met = self.last.near(mv);
            pairs[usize::from(NEVER)] += (self.moves - 1) as u64 - u64::from(met);
            if met > 0 {
                open.push((mv, 0));
            }
        }
        for at in 0..self.distances.len() {
            if open.is_empty() {
                break;
            }
            if self.levels.len() == at {
                let distance = self.distances[at];
                let level = Level::new(self.things, self.moves, distance, budget)?;
                self.levels.push(level);
            }
            let level = &mut self.levels[at];
            let now: Vec<usize> = open.iter().map(|&(mv, _)| mv).collect();
            effort += level.count(&now, budget)?;
            for (mv, met) in &mut open {
                let near = level.near(*mv);
                pairs[usize::from(level.distance)] += u64::from(near - *met);
                *met = near;
            }
            let last = &self.last;
            open.retain(|&(mv, met)| met < last.near(mv));
        }
        Ok((pairs, effort))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(things: &[Vec<u8>], mv: usize) -> Vec<u64> {
        let mut pairs = vec![0; 256];
        let moves = things.first().map_or(0, Vec::len);
        for other in (0..moves).filter(|&other| other != mv) {
            let meet = things.iter().map(|thing| thing[mv].max(thing[other]));
            pairs[usize::from(meet.min().unwrap_or(NEVER))] += 1;
        }
        pairs
    }

    fn cell() -> impl Strategy<Value = u8> {
        prop_oneof![4 => Just(NEVER), 1 => Just(254u8), 4 => 0u8..6]
    }

    proptest! {
        #[test]
        fn distribution_agrees_with_the_naive_count(
            (things, effort) in (1usize..90, 1usize..150).prop_flat_map(|(things, moves)| {
                let thing = proptest::collection::vec(cell(), moves);
                (proptest::collection::vec(thing, things), prop_oneof![Just(u64::MAX), 0u64..500])
            })
        ) {
            let moves = things[0].len();
            let rows: Vec<&[u8]> = things.iter().map(Vec::as_slice).collect();
            let order: Vec<usize> = (0..moves).rev().collect();
            let found = distribution(&rows, &order, effort, &Budget::system());
            prop_assert!(found.moves > 0 && (effort < u64::MAX || found.moves == moves));
            let mut expected = vec![0; 256];
            for &mv in &order[..found.moves] {
                for (all, of) in expected.iter_mut().zip(naive(&things, mv)) {
                    *all += of;
                }
            }
            prop_assert_eq!(found.pairs, expected);
            prop_assert_eq!((found.of, found.cut), (moves, None));
        }
    }
}
