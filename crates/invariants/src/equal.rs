//! Facts that always have the same value, or always opposite ones.
//!
//! Facts are sorted into classes by how random play saw them, and classes are split until all facts
//! of a class have the same gate for what they will be, where equal facts of now read the same
//! input. What is then left in a class is equal by induction: it was so in the initial state, and if
//! it is so now it is so next. (C. van Eijk, "Sequential equivalence checking based on structural
//! similarities", 2000, with structural hashing for a prover.)

use crate::play::Play;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::{Equal, GameLogic, Lit, passes};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Rounds of 64 states that split no class before others are not tried.
const FRUITLESS: usize = 3;
/// Work of splitting classes by states, in gates evaluated.
const WORK: u64 = 24_000_000;
/// Nodes of networks written with equal facts as one, after which facts that no sample tells from
/// constants are each for themselves; after twice as many nothing is claimed.
const NODES: usize = 2_000_000;
/// Networks written in any case.
const NETWORKS: usize = 6;

/// Where a fact is sorted.
#[derive(Clone, Copy)]
struct Seat {
    /// The first fact of its class.
    first: u32,
    /// Whether it is true in the initial state. By this, opposites are in the same class.
    flip: bool,
}

/// Finds them; facts of which `constant` is true are left out.
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
        // The initial state is the first of the samples.
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

/// Splits classes by what follows any states in which they are equal: what differs after one of
/// them is no same gate, and to see this costs far less than to write the network anew.
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
        // Sampled states with some classes changed in some lanes: one in two, four, and so on.
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
        // Any moves, legal or not: the gates do not know.
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

/// One of so many moves in each of 64 lanes.
fn any(rng: &mut Xoshiro256PlusPlus, moves: usize) -> Vec<u64> {
    let mut made = vec![0; moves];
    for lane in (0..64).filter(|_| moves > 0) {
        made[rng.random_range(0..moves)] |= 1 << lane;
    }
    made
}

/// What the classes say.
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

/// Puts facts of a class apart that will be different things, as one should see them who takes
/// opposites for alike; whether there were any.
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
