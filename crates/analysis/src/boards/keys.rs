//! The positions of a shape that form a key: they name a place that never holds more than one
//! content.

use super::seen::Seen;
use super::terms::Shape;
use budget::Budget;
use invariants::Groups;
use std::collections::BTreeMap;

/// Shapes with more constants than this are ignored.
pub(super) const MOST: usize = 7;

/// For each term of the shape, the class of terms with the same constants at the positions of
/// `mask`.
fn classes(shape: &Shape, mask: u32) -> (Vec<usize>, usize) {
    let positions: Vec<usize> = (0..shape.arity()).filter(|p| mask >> p & 1 == 1).collect();
    let mut known: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    let of = (0..shape.terms.len()).map(|term| {
        let next = known.len();
        *known.entry(shape.at(term, &positions)).or_insert(next)
    });
    let of = of.collect();
    (of, known.len())
}

/// The minimal sets of positions, as bit masks, whose constants differ between any two facts of
/// every sampled state.
pub(super) fn keys(shape: &Shape, seen: &Seen, budget: &Budget) -> Vec<u32> {
    let arity = shape.arity();
    if arity == 0 || arity > MOST {
        return Vec::new();
    }
    let mut masks: Vec<u32> = (0..1 << arity).collect();
    masks.sort_by_key(|mask: &u32| (mask.count_ones(), *mask));
    let mut keys: Vec<u32> = Vec::new();
    for mask in masks {
        if keys.iter().any(|key| key & mask == *key) || budget.check().is_err() {
            continue;
        }
        let (of, count) = classes(shape, mask);
        let mut any = vec![0u64; count];
        let unique = seen.states.iter().all(|state| {
            any.fill(0);
            shape.terms.iter().zip(&of).all(|(&fact, &class)| {
                let word = state[fact as usize];
                let free = any[class] & word == 0;
                any[class] |= word;
                free
            })
        });
        if unique {
            keys.push(mask);
        }
    }
    keys
}

/// Whether it is proved that no two facts that hold together have the same constants at the
/// positions of `mask`.
pub(super) fn proved(shape: &Shape, mask: u32, of_facts: &[Vec<u32>], groups: &Groups) -> bool {
    let (of, count) = classes(shape, mask);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (&fact, &class) in shape.terms.iter().zip(&of) {
        if groups.constant(fact) != Some(false) {
            members[class].push(fact);
        }
    }
    members.iter().all(|facts| {
        let Some((first, rest)) = facts.split_first() else {
            return true;
        };
        rest.is_empty()
            || of_facts[*first as usize].iter().any(|&group| {
                let group = &groups.groups[group as usize].facts;
                rest.iter().all(|fact| group.binary_search(fact).is_ok())
            })
    })
}
