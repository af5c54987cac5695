//! Choosing by lists of moves that may change from step to step.
//!
//! A guided role plays the first legal move of a list. The program only computes what is legal
//! and takes the choice as input. A loop between its segments scans the list, at two operations
//! a move. So lists can be exchanged while playouts run, as values of moves are learnt.
//!
//! For each step one of the given lists is drawn, the same for all lanes. Lists drawn by Luce's
//! rule ([`Guide::luce`]) make every lane choose a move with probability proportional to its
//! weight among the legal ones: the first legal move of a random list has this distribution for
//! any set of legal moves (Luce, "Individual Choice Behavior", 1959; Plackett, "The analysis of
//! permutations", 1975). But then lanes of the same step are not independent.

use crate::random::RandomPlanes;
use bitcode::Plane;
use multiversion::multiversion;
use netlist::Lit;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::ops::Range;

/// A role that chooses by lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guided {
    /// The role.
    pub role: usize,
    /// Whether it chooses uniformly where it does not follow a list.
    ///
    /// That is in some lanes of each step, drawn at random ([`Guide::follow`]), and where no
    /// move of the list is legal. If false, no gates are spent on uniform choice.
    pub mixed: bool,
}

/// The lists of a guided role.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    /// Lists of moves in order of preference. One is drawn for each step.
    ///
    /// Where no move of the list is legal, a mixed role chooses uniformly, and another takes
    /// the first legal one in the order of its moves.
    pub lists: Vec<Vec<u32>>,
    /// The probability that a mixed role follows a list, 0 to 1. Rounded to 2^-16.
    pub follow: f64,
}

impl Guide {
    /// Draws `lists` lists for moves with these positive weights. Moves with greater weights
    /// tend to come first.
    pub fn luce(weights: &[f64], lists: usize, seed: u64) -> Guide {
        let mut random = SplitMix64::seed_from_u64(seed);
        let list = |_| {
            // Moves in the order in which clocks with these rates ring.
            let times = weights.iter().zip(0u32..).map(|(weight, mv)| {
                let uniform = ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
                (-uniform.ln() / weight, mv)
            });
            let mut times: Vec<(f64, u32)> = times.collect();
            times.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            times.into_iter().map(|(_, mv)| mv).collect()
        };
        Guide {
            lists: (0..lists).map(list).collect(),
            follow: 1.0,
        }
    }
}

/// The places of a guided role's choice in memory.
#[derive(Debug, Clone)]
pub struct GuidedPlaces {
    /// The role.
    pub role: usize,
    /// Its moves that may be legal, ascending.
    pub moves: Vec<u32>,
    /// Whether each of them is legal, after [`crate::LOOK`].
    pub legal: Range<usize>,
    /// Whether each of them is chosen, to be filled before [`crate::MOVE`]. None is in lanes
    /// that choose uniformly.
    pub chosen: Range<usize>,
    /// If the role is mixed: the lanes that follow a list instead of the uniform choice. To be
    /// filled before [`crate::MOVE`].
    pub follows: Option<usize>,
}

impl GuidedPlaces {
    /// Reserves memory for the choice of a role whose moves have this legality.
    ///
    /// `None` if at most one move may be legal, since no choice is needed.
    pub(crate) fn new(
        guided: Guided,
        legal: &[Lit],
        mut reserve: impl FnMut(usize) -> Range<usize>,
    ) -> Option<Self> {
        let moves = legal.iter().zip(0u32..);
        let possible = moves.filter(|&(&lit, _)| lit != Lit::FALSE);
        let moves: Vec<u32> = possible.map(|(_, mv)| mv).collect();
        (moves.len() > 1).then(|| GuidedPlaces {
            role: guided.role,
            legal: reserve(moves.len()),
            chosen: reserve(moves.len()),
            follows: guided.mixed.then(|| reserve(1).start),
            moves,
        })
    }

    /// The legality signals, with the planes that they go to before the choice.
    pub(crate) fn outputs(&self, legal: &[Lit]) -> impl Iterator<Item = (Lit, u32)> {
        let lits = self.moves.iter().map(|&mv| legal[mv as usize]);
        lits.zip(self.legal.clone())
            .map(|(lit, plane)| (lit, plane as u32))
    }
}

/// A guide, for the moves of one program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lists {
    /// Positions in [`GuidedPlaces::moves`].
    lists: Vec<Vec<u32>>,
    follow: u32,
}

impl Lists {
    pub(crate) fn new(guide: &Guide, places: &GuidedPlaces) -> Lists {
        let mixed = places.follows.is_some();
        let mut seen = vec![false; places.moves.len()];
        let mut known = |list: &[u32]| {
            seen.fill(false);
            let known = list
                .iter()
                .filter_map(|mv| places.moves.binary_search(mv).ok());
            let others = if mixed { 0..0 } else { 0..places.moves.len() };
            known
                .chain(others)
                .filter(|&at| !std::mem::replace(&mut seen[at], true))
                .map(|at| at as u32)
                .collect()
        };
        let mut lists: Vec<Vec<u32>> = guide.lists.iter().map(|list| known(list)).collect();
        if lists.is_empty() {
            lists.push(known(&[]));
        }
        Lists {
            lists,
            follow: (guide.follow.clamp(0.0, 1.0) * f64::from(FINE)).round() as u32,
        }
    }

    /// Chooses in all lanes.
    pub(crate) fn choose<const W: usize>(
        &self,
        places: &GuidedPlaces,
        memory: &mut [Plane<W>],
        random: &mut RandomPlanes<W>,
        more: &mut SplitMix64,
    ) {
        let drawn = ((u128::from(more.next_u64()) * self.lists.len() as u128) >> 64) as usize;
        let list = &self.lists[drawn];
        let follows = match places.follows {
            Some(_) => often(self.follow, random),
            None => Plane::TRUE,
        };
        let (legal, chosen) = (places.legal.clone(), places.chosen.clone());
        let (before, after) = memory.split_at_mut(chosen.start);
        let chosen = &mut after[..chosen.len()];
        if list.len() < chosen.len() {
            chosen.fill(Plane::FALSE);
        }
        let left = first(list, &before[legal], chosen, follows);
        if let Some(plane) = places.follows {
            memory[plane] = follows.zip(&left, |follows, left| follows & !left);
        }
    }
}

/// The denominator of probabilities.
const FINE: u32 = 1 << 16;

/// A plane whose bits are true with probability `times` / [`FINE`].
fn often<const W: usize>(times: u32, random: &mut RandomPlanes<W>) -> Plane<W> {
    if times >= FINE {
        return Plane::TRUE;
    }
    let mut planes = [Plane::FALSE; FINE.ilog2() as usize];
    // Compares with a random number, bit by bit from the lowest. Zeros below the lowest one bit
    // decide nothing.
    let from = times.trailing_zeros().min(FINE.ilog2()) as usize;
    random.fill(&mut planes[from..]);
    let bits = planes.iter().enumerate().skip(from);
    bits.fold(Plane::FALSE, |less, (bit, plane)| {
        if times >> bit & 1 == 1 {
            less.zip(plane, |less, random| less | !random)
        } else {
            less.zip(plane, |less, random| less & !random)
        }
    })
}

/// Chooses the first legal move of a list, in the lanes of `left`. Returns the lanes without
/// one.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn first<const W: usize>(
    list: &[u32],
    legal: &[Plane<W>],
    chosen: &mut [Plane<W>],
    mut left: Plane<W>,
) -> Plane<W> {
    for &at in list {
        let legal = &legal[at as usize];
        chosen[at as usize] = legal.zip(&left, |legal, left| legal & left);
        left = left.zip(legal, |left, legal| left & !legal);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_true_as_often_as_asked() {
        let mut random = RandomPlanes::<4>::new(3);
        for times in [0, 1, 0x8000, 0x4000, 0x0123, 0xFFFF, FINE] {
            let draws = 4000;
            let count: u32 = (0..draws).map(|_| often(times, &mut random).count()).sum();
            let (all, p) = (f64::from(draws) * 256.0, f64::from(times) / f64::from(FINE));
            let far = (f64::from(count) - all * p).abs() / (all * p * (1.0 - p)).sqrt().max(1.0);
            assert!(far < 4.0, "{times}: {count}");
        }
    }

    #[test]
    fn lists_follow_luce() {
        let weights = [1.0, 4.0, 2.0, 1.0];
        let guide = Guide::luce(&weights, 40_000, 1);
        for legal in [vec![0, 1, 2, 3], vec![0, 2, 3], vec![1, 3]] {
            let total: f64 = legal.iter().map(|&mv| weights[mv as usize]).sum();
            for &mv in &legal {
                let first =
                    |list: &&Vec<u32>| list.iter().find(|mv| legal.contains(mv)) == Some(&mv);
                let share = guide.lists.iter().filter(first).count() as f64 / 40_000.0;
                let expected = weights[mv as usize] / total;
                assert!(
                    (share - expected).abs() < 0.01,
                    "{mv} of {legal:?}: {share}"
                );
            }
        }
    }

    #[test]
    fn the_first_legal_move_is_chosen() {
        let mut places = GuidedPlaces {
            role: 0,
            moves: vec![2, 3, 5, 9],
            legal: 0..4,
            chosen: 4..8,
            follows: None,
        };
        let guide = Guide {
            lists: vec![vec![9, 7, 3, 3]],
            follow: 1.0,
        };
        // The legal moves; the first one of the list; the choice of a mixed role.
        let cases = [
            (0b1111, 3, Some(3)),
            (0b0111, 1, Some(1)),
            (0b0101, 0, None),
            (0b0100, 2, None),
        ];
        for mixed in [false, true] {
            places.follows = mixed.then_some(8);
            let lists = Lists::new(&guide, &places);
            let mut memory = vec![Plane::<1>::TRUE; 9];
            for (set, first, listed) in cases {
                for (at, plane) in memory[..4].iter_mut().enumerate() {
                    *plane = Plane::splat(set >> at & 1 == 1);
                }
                let mut random = RandomPlanes::new(0);
                let mut more = SplitMix64::seed_from_u64(0);
                lists.choose(&places, &mut memory, &mut random, &mut more);
                let chosen = if mixed { listed } else { Some(first) };
                for at in 0..4 {
                    assert_eq!(memory[4 + at], Plane::splat(Some(at) == chosen), "{set:b}");
                }
                assert!(!mixed || memory[8] == Plane::splat(listed.is_some()));
            }
        }
    }
}
