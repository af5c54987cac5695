//! Choosing one of very many moves.
//!
//! The select tree takes about twelve gates a move. In a game with a hundred thousand moves, of
//! which hundreds are legal in a state, that is most of a step. Here the program only says which
//! moves are legal, and the caller chooses between two of its segments: first by trying random
//! moves, as long as many of them are legal, then from a list for each lane. Both choose
//! uniformly among the legal moves.

use bitcode::Plane;
use std::ops::Range;

/// From this number of alternatives on a choice is made by [`Scan::choose`].
pub const SCAN_FROM: usize = 20_000;
/// What it costs to try a random move in a lane, to read a word of a plane, and to list a legal
/// move, relative to each other. Estimates: they decide only which of two exact ways is taken.
const TRY: u64 = 60;
const READ: u64 = 1;
const LIST: u64 = 10;

/// The places of a choice that is made between [`crate::LOOK`] and [`crate::MOVE`].
#[derive(Debug, Clone)]
pub struct Scan {
    /// For each move, whether it is legal.
    pub legal: Range<usize>,
    /// The effects of chosen moves. False where no move is chosen.
    pub effects: Range<usize>,
    /// For each move, the planes that are true where it is chosen.
    pub planes_of: Vec<Box<[u32]>>,
}

impl Scan {
    /// Chooses one of the legal moves in each lane of `among`, uniformly; none where none is
    /// legal. `lists` is room for a list for each lane, and `more` yields random words.
    #[inline(always)]
    pub fn choose<const W: usize>(
        &self,
        memory: &mut [Plane<W>],
        among: &Plane<W>,
        lists: &mut Vec<Vec<u32>>,
        mut more: impl FnMut() -> u64,
    ) {
        memory[self.effects.clone()].fill(Plane::FALSE);
        let mut left = *among;
        // Older rounds count half as much each time. So one round without a hit does not end the
        // trying, but lanes in which no move is legal soon do.
        let (mut all_tried, mut all_hit) = (0, 0);
        loop {
            let tried = left.count();
            for word in 0..W {
                for bit in bits(left.0[word]) {
                    let mv = below(self.legal.len() as u64, &mut more) as usize;
                    if memory[self.legal.start + mv].0[word] >> bit & 1 == 1 {
                        left.0[word] &= !(1 << bit);
                        self.set(memory, mv, word, bit);
                    }
                }
            }
            all_tried = all_tried / 2 + u64::from(tried);
            all_hit = all_hit / 2 + u64::from(tried - left.count());
            let lanes = (u64::from(left.count()), Plane::<W>::LANES as u64);
            if !self.goes_on_trying(all_tried, all_hit, lanes) {
                break;
            }
        }
        if left.is_false() {
            return;
        }
        lists.resize_with(Plane::<W>::LANES, Vec::new);
        lists.iter_mut().for_each(Vec::clear);
        for (mv, legal) in memory[self.legal.clone()].iter().enumerate() {
            for word in 0..W {
                for bit in bits(legal.0[word] & left.0[word]) {
                    lists[64 * word + bit as usize].push(mv as u32);
                }
            }
        }
        for (lane, list) in lists.iter().enumerate() {
            if !list.is_empty() {
                let mv = list[below(list.len() as u64, &mut more) as usize];
                self.set(memory, mv as usize, lane / 64, lane as u32 % 64);
            }
        }
    }

    /// Whether trying random moves in `left` of `all` lanes is faster than listing the legal ones
    /// there, if `hit` of the last `tried` were legal.
    fn goes_on_trying(&self, tried: u64, hit: u64, (left, all): (u64, u64)) -> bool {
        if left == 0 || hit == 0 {
            return false;
        }
        let moves = self.legal.len() as u64;
        let trying = left * TRY * tried / hit;
        let reading = moves * READ * all / 64;
        trying < reading + left * moves * hit / tried * LIST
    }

    #[inline(always)]
    fn set<const W: usize>(&self, memory: &mut [Plane<W>], mv: usize, word: usize, bit: u32) {
        for &plane in &self.planes_of[mv] {
            memory[plane as usize].0[word] |= 1 << bit;
        }
    }
}

/// The positions of the ones of a word.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// A uniformly random number below `n`, which is not 0 (Lemire 2019).
#[inline(always)]
fn below(n: u64, mut more: impl FnMut() -> u64) -> u64 {
    let mut product = u128::from(more()) * u128::from(n);
    if (product as u64) < n {
        let reject = n.wrapping_neg() % n;
        while (product as u64) < reject {
            product = u128::from(more()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// In each lane another set of moves is legal, few or many.
    #[test]
    fn each_legal_move_is_chosen_equally_often_and_no_other() {
        const MOVES: usize = 40;
        let scan = Scan {
            legal: 0..MOVES,
            effects: MOVES..2 * MOVES,
            planes_of: (MOVES..2 * MOVES).map(|p| [p as u32].into()).collect(),
        };
        let mut more = SplitMix64::seed_from_u64(1);
        for few in [true, false] {
            let mut memory = vec![Plane::<1>::FALSE; 2 * MOVES];
            // Lane 0 has no legal move, and lane 63 takes no part.
            let is_legal = |lane: usize, mv: usize| match few {
                true => mv * 7 % 64 == lane && lane > 0,
                false => lane > 0 && !(mv + lane).is_multiple_of(3),
            };
            for (mv, plane) in memory[..MOVES].iter_mut().enumerate() {
                (0..64).for_each(|lane| plane.set(lane, is_legal(lane, mv)));
            }
            let among = Plane([!0 >> 1]);
            let (mut lists, mut times) = (Vec::new(), vec![[0u32; MOVES]; 64]);
            for _ in 0..4_000 {
                scan.choose(&mut memory, &among, &mut lists, || more.next_u64());
                for (lane, times) in times.iter_mut().enumerate() {
                    let chosen = (0..MOVES).filter(|&mv| memory[MOVES + mv].get(lane));
                    let chosen: Vec<usize> = chosen.collect();
                    assert!(chosen.len() <= 1);
                    chosen.into_iter().for_each(|mv| times[mv] += 1);
                }
            }
            for (lane, times) in times.iter().enumerate() {
                let legal = (0..MOVES).filter(|&mv| lane < 63 && is_legal(lane, mv));
                let expected = 4_000.0 / legal.clone().count().max(1) as f64;
                for (mv, &times) in times.iter().enumerate() {
                    let expected = if legal.clone().any(|l| l == mv) {
                        expected
                    } else {
                        0.0
                    };
                    // Six standard deviations.
                    let most = 6.0 * expected.sqrt();
                    let off = (f64::from(times) - expected).abs();
                    assert!(off <= most, "{few} {lane} {mv}: {times} for {expected}");
                }
            }
        }
    }
}
