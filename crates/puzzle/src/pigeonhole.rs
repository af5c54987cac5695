//! Values that must all be used: where there are as many places as values, each value has one.
//!
//! If every place has exactly one of some values, and no value is in two places, then there are at
//! least as many values as places, and if there are as many, each is somewhere. No short proof by
//! resolution tells a solver this (A. Haken, *The intractability of resolution*, 1985), so that it
//! would try out all arrangements of numbers in squares. One clause for each value does.

use rustc_hash::{FxHashMap, FxHashSet};

/// Sets of facts of which one must hold.
///
/// Of the facts of each place exactly one holds, and of those of each value at most one. Both may
/// overlap among themselves. A set without any fact says that there are too few values.
pub(crate) fn used_up(places: &[Vec<u32>], values: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let places = families(places).into_iter().next().unwrap_or_default();
    let mut place_of = FxHashMap::default();
    for (place, facts) in places.iter().enumerate() {
        place_of.extend(facts.iter().map(|&fact| (fact, place)));
    }
    for values in families(values) {
        let values = values.iter();
        let inside = |facts: &Vec<u32>| -> Vec<u32> {
            let facts = facts.iter().copied();
            facts.filter(|fact| place_of.contains_key(fact)).collect()
        };
        let mut values: Vec<Vec<u32>> = values.map(|facts| inside(facts)).collect();
        values.retain(|facts| !facts.is_empty());
        // Facts in no set are values of their own.
        let covered: Vec<u32> = values.iter().flatten().copied().collect();
        let alone = place_of.keys().filter(|fact| !covered.contains(fact));
        let mut alone: Vec<Vec<u32>> = alone.map(|&fact| vec![fact]).collect();
        alone.sort_unstable();
        values.extend(alone);
        let components = components(places.len(), &values, &place_of);
        for (count, members) in components {
            match members.len() {
                few if few < count => found.push(Vec::new()),
                same if same == count => found.extend(members.into_iter().cloned()),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Divides sets into families of sets without a common member.
fn families(sets: &[Vec<u32>]) -> Vec<Vec<&Vec<u32>>> {
    let mut families: Vec<Vec<&Vec<u32>>> = Vec::new();
    let mut taken: Vec<FxHashSet<u32>> = Vec::new();
    for set in sets {
        let free = |taken: &FxHashSet<u32>| set.iter().all(|fact| !taken.contains(fact));
        let at = taken.iter().position(free).unwrap_or_else(|| {
            families.push(Vec::new());
            taken.push(FxHashSet::default());
            families.len() - 1
        });
        families[at].push(set);
        taken[at].extend(set);
    }
    families
}

/// Places that share values, however indirectly: the number of places and the values.
fn components<'a>(
    places: usize,
    values: &'a [Vec<u32>],
    place_of: &FxHashMap<u32, usize>,
) -> Vec<(usize, Vec<&'a Vec<u32>>)> {
    let mut leader: Vec<usize> = (0..places).collect();
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    for facts in values {
        let first = find(&mut leader, place_of[&facts[0]]);
        for fact in facts {
            let other = find(&mut leader, place_of[fact]);
            leader[other] = first;
        }
    }
    let mut found: Vec<(usize, Vec<&Vec<u32>>)> = vec![(0, Vec::new()); places];
    for place in 0..places {
        found[find(&mut leader, place)].0 += 1;
    }
    for facts in values {
        found[find(&mut leader, place_of[&facts[0]])].1.push(facts);
    }
    found.retain(|(count, _)| *count > 0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fact that a value is in a place.
    fn fact(place: u32, value: u32) -> u32 {
        place * 10 + value
    }

    fn square(places: u32, values: u32) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let place = |place| (0..values).map(|value| fact(place, value)).collect();
        let value = |value| (0..places).map(|place| fact(place, value)).collect();
        (
            (0..places).map(place).collect(),
            (0..values).map(value).collect(),
        )
    }

    #[test]
    fn as_many_values_as_places_are_all_used() {
        let (places, values) = square(4, 4);
        assert_eq!(used_up(&places, &values), values);
        let (places, values) = square(4, 5);
        assert!(used_up(&places, &values).is_empty());
        let (places, values) = square(5, 4);
        assert_eq!(used_up(&places, &values), [Vec::<u32>::new()]);
    }

    #[test]
    fn what_is_in_no_group_counts_as_a_value() {
        // One of three values can be in one place only, so that it has no group.
        let (mut places, mut values) = square(3, 3);
        let lonely = values.pop().unwrap();
        places
            .iter_mut()
            .skip(1)
            .for_each(|place| place.truncate(2));
        let mut expected = values.clone();
        expected.push(vec![lonely[0]]);
        expected.sort();
        assert_eq!(used_up(&places, &values), expected);
    }

    #[test]
    fn parts_are_counted_alone_and_families_as_well() {
        // Two rows of two squares: two numbers in each row, and four columns of the whole.
        let (places, _) = square(4, 2);
        let row = |row: u32, value| vec![fact(2 * row, value), fact(2 * row + 1, value)];
        let rows: Vec<Vec<u32>> = [row(0, 0), row(0, 1), row(1, 0), row(1, 1)].to_vec();
        let mut all = rows.clone();
        all.push(vec![fact(0, 0), fact(2, 0)]);
        assert_eq!(used_up(&places, &all), rows);
    }
}
