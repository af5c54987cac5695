//! Facts that always have the same value, or always opposite values.
//!
//! Facts with the same values in random play start in one class. Classes are then split until
//! all facts of a class have the same gate for their next value, where equal facts of the
//! present state read the same input. The facts of a remaining class are equal by induction:
//! they are equal in the initial state, and if they are equal in one state, they are equal in
//! the next. (C. van Eijk, "Sequential equivalence checking based on structural similarities",
//! 2000, with structural hashing as the prover.)

use crate::play::Play;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::{Equal, GameLogic, Lit, passes};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Consecutive rounds of 64 states that split no class, after which no more are tried.
const FRUITLESS: usize = 3;
/// Work for splitting classes by states, in gates evaluated.
const WORK: u64 = 24_000_000;
/// Bounds the number of networks written, in nodes of all of them together. After this many,
/// each fact that is constant in all samples becomes its own class. After twice as many, no
/// equality is returned.
const NODES: usize = 2_000_000;
/// Networks that are written in any case.
const NETWORKS: usize = 6;

/// The class of a fact.
#[derive(Clone, Copy)]
struct Seat {
    /// The first fact of its class.
    first: u32,
    /// Whether the fact is true in the initial state. This puts opposite facts into the same
    /// class.
    flip: bool,
}

/// Finds the equal and opposite facts. Leaves out facts for which `constant` is true.
///
/// # Errors
/// If the budget runs out: nothing is proved before the end.
pub fn equal(
    logic: &GameLogic,
    samples: &Samples,
    constant: impl Fn(u32) -> bool,
    budget: &Budget,
) -> Result<Vec<Equal>, Exhausted> {
    let mut classes: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let seat = |fact: u32| {
        // The first sample is the initial state.
        let words = samples.of(fact);
        let flip = words.first().is_some_and(|word| word & 1 == 1);
        let mask = u64::from(flip).wrapping_neg();
        let first = match constant(fact) {
            true => fact,
            false => {
                *(classes.entry(words.iter().map(|word| word ^ mask).collect())).or_insert(fact)
            }
        };
        Seat { first, flip }
    };
    let mut seats: Vec<Seat> = (0..logic.facts.len() as u32).map(seat).collect();
    by_states(logic, samples, &mut seats, budget)?;
    let most = (NODES / logic.net.len()).max(NETWORKS);
    for network in 0..2 * most {
        budget.check()?;
        if network == most {
            let unseen = |fact: u32| samples.constant(fact).is_some();
            for fact in (0..seats.len()).filter(|&fact| unseen(fact as u32)) {
                seats[fact].first = fact as u32;
            }
        }
        let equal = pairs(&seats);
        if equal.is_empty() {
            return Ok(equal);
        }
        let next = passes::equal::merged(logic, &equal).next;
        let next: Vec<Lit> = (seats.iter().zip(next))
            .map(|(seat, next)| next ^ seat.flip)
            .collect();
        if !split(&mut seats, &next) {
            return Ok(equal);
        }
    }
    Ok(Vec::new())
}

/// Splits classes by the successors of arbitrary states in which the facts of each class are
/// equal. Facts that differ in a successor cannot have the same gate. To find this out is far
/// cheaper than to write the network again.
fn by_states(
    logic: &GameLogic,
    samples: &Samples,
    seats: &mut [Seat],
    budget: &Budget,
) -> Result<(), Exhausted> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut play = Play::new(logic, 0);
    let mut holds = vec![0u64; seats.len()];
    let mut fruitless = 0;
    while fruitless < FRUITLESS && play.work() < WORK && !pairs(seats).is_empty() {
        budget.check()?;
        // Sampled states with some classes changed in about 1/2, 1/4, and so on of the lanes.
        let block = rng.random_range(0..samples.blocks());
        let sparse = rng.random_range(1..6);
        for fact in 0..seats.len() {
            let Seat { first, flip } = seats[fact];
            holds[fact] = if first as usize == fact {
                let change = (0..sparse).fold(u64::MAX, |word, _| word & rng.random::<u64>());
                samples.states(block)[fact] ^ change
            } else {
                let opposite = flip != seats[first as usize].flip;
                holds[first as usize] ^ u64::from(opposite).wrapping_neg()
            };
        }
        play.enter(|fact| holds[fact as usize]);
        // Any moves, legal or not: the gates do not depend on legality.
        let made: Vec<Vec<u64>> = logic
            .does
            .iter()
            .map(|does| any(&mut rng, does.len()))
            .collect();
        play.make(|role, mv| made[role][mv]);
        let next: Vec<u64> = logic.facts.iter().map(|&fact| play.word(fact)).collect();
        let flip = |(seat, word): (&Seat, u64)| word ^ u64::from(seat.flip).wrapping_neg();
        let next: Vec<u64> = seats.iter().zip(next).map(flip).collect();
        fruitless = if split(seats, &next) {
            0
        } else {
            fruitless + 1
        };
    }
    Ok(())
}

/// A random move out of `moves` in each of 64 lanes.
fn any(rng: &mut Xoshiro256PlusPlus, moves: usize) -> Vec<u64> {
    let mut made = vec![0; moves];
    for lane in (0..64).filter(|_| moves > 0) {
        made[rng.random_range(0..moves)] |= 1 << lane;
    }
    made
}

/// The pairs of equal facts that the classes state.
fn pairs(seats: &[Seat]) -> Vec<Equal> {
    let pair = |(fact, seat): (usize, &Seat)| {
        let (fact, like) = (fact as u32, seat.first);
        let opposite = seat.flip != seats[like as usize].flip;
        (like != fact).then_some(Equal {
            fact,
            like,
            opposite,
        })
    };
    seats.iter().enumerate().filter_map(pair).collect()
}

/// Splits each class by the next values of its facts, where opposites count as equal. Returns
/// whether any class was split.
fn split<T: Copy + Eq + Hash>(seats: &mut [Seat], next: &[T]) -> bool {
    let mut parts: FxHashMap<(u32, T), u32> = FxHashMap::default();
    let mut split = false;
    for (fact, (seat, &next)) in seats.iter_mut().zip(next).enumerate() {
        let key = (seat.first, next);
        let first = *parts.entry(key).or_insert(fact as u32);
        split |= first != seat.first;
        seat.first = first;
    }
    split
}
