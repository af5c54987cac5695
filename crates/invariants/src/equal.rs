//! Facts that always have the same value, or always opposite ones.
//!
//! Facts are sorted into classes by how random play saw them, and classes are split until all facts
//! of a class have the same gate for what they will be, where equal facts of now read the same
//! input. What is then left in a class is equal by induction: it was so in the initial state, and if
//! it is so now it is so next. (C. van Eijk, "Sequential equivalence checking based on structural
//! similarities", 2000, with structural hashing for a prover.)

use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::{Equal, GameLogic, Lit, passes};
use rustc_hash::FxHashMap;

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
    loop {
        budget.check()?;
        let equal = pairs(&seats);
        if equal.is_empty() || !split(&mut seats, &passes::equal::merged(logic, &equal).next) {
            return Ok(equal);
        }
    }
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

/// Puts facts of a class apart that will be different things; whether there were any.
fn split(seats: &mut [Seat], next: &[Lit]) -> bool {
    let mut parts: FxHashMap<(u32, Lit), u32> = FxHashMap::default();
    let mut split = false;
    for (fact, (seat, &next)) in seats.iter_mut().zip(next).enumerate() {
        let key = (seat.first, next ^ seat.flip);
        let first = *parts.entry(key).or_insert(fact as u32);
        split |= first != seat.first;
        seat.first = first;
    }
    split
}
