//! Symmetries of the game: tuples that are images of each other share a table, so that what is
//! learnt on the left of a board counts on the right.

use crate::variables::Variable;
use heuristics::FeatureSet;
use profile::symmetries::Symmetry;
use rustc_hash::FxHashMap;

/// For each variable its image under a symmetry, if that is a variable with the same values.
type Images = Vec<Option<u32>>;

/// Lets each tuple that has a table of its own share it with its images, where roles stay as they
/// are. Returns the number of tuples that gave up their table.
pub fn share(variables: &[Variable], symmetries: &[Symmetry], set: &mut FeatureSet) -> usize {
    let symmetries = symmetries.iter().filter(|one| one.fixes_roles());
    let symmetries: Vec<Images> = symmetries
        .map(|symmetry| images(variables, &symmetry.facts))
        .collect();
    let mut users = vec![0u32; set.tables.len()];
    for tuple in &set.tuples {
        users[tuple.table as usize] += 1;
    }
    // The tuples that may give up their table, by their variables.
    let mut open: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    for (number, tuple) in set.tuples.iter().enumerate() {
        let whole: Option<Vec<u32>> = tuple.variables.iter().copied().collect();
        if let Some(mut whole) = whole.filter(|_| users[tuple.table as usize] == 1) {
            whole.sort_unstable();
            open.insert(whole, number);
        }
    }
    let mut shared = 0;
    for first in 0..set.tuples.len() {
        let Some(variables) = own(&set.tuples[first].variables, &mut open, first) else {
            continue;
        };
        let mut orbit = vec![variables];
        while let Some(variables) = orbit.pop() {
            for images in &symmetries {
                let image = variables.iter().map(|&variable| images[variable as usize]);
                let Some(image) = image.collect::<Option<Vec<u32>>>() else {
                    continue;
                };
                let mut sorted = image.clone();
                sorted.sort_unstable();
                if let Some(other) = open.remove(&sorted) {
                    let table = set.tuples[first].table;
                    let tuple = &mut set.tuples[other];
                    (tuple.table, shared) = (table, shared + 1);
                    tuple.variables = image.iter().copied().map(Some).collect();
                    orbit.push(image);
                }
            }
        }
    }
    drop_unused(set);
    shared
}

/// The variables of a tuple that is still open, which it is no longer.
fn own(
    variables: &[Option<u32>],
    open: &mut FxHashMap<Vec<u32>, usize>,
    number: usize,
) -> Option<Vec<u32>> {
    let whole: Vec<u32> = variables.iter().copied().collect::<Option<_>>()?;
    let mut sorted = whole.clone();
    sorted.sort_unstable();
    if open.get(&sorted) != Some(&number) {
        return None;
    }
    open.remove(&sorted);
    Some(whole)
}

/// The image of each variable under a symmetry that maps facts.
fn images(variables: &[Variable], facts: &[u32]) -> Images {
    let mut places: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
    for (number, variable) in (0..).zip(variables) {
        let held = variable.facts.iter().enumerate();
        places.extend(held.filter_map(|(at, fact)| Some(((*fact)?, (number, at)))));
    }
    let image = |variable: &Variable| {
        let mut image = None;
        for (at, &fact) in variable.facts.iter().enumerate() {
            let Some(fact) = fact else { continue };
            let &(number, place) = places.get(&facts[fact as usize])?;
            if place != at || image.is_some_and(|image| image != number) {
                return None;
            }
            image = Some(number);
        }
        let other = &variables[image? as usize];
        let alike = other.size() == variable.size() && other.none == variable.none;
        image.filter(|_| alike)
    };
    variables.iter().map(image).collect()
}

/// Drops tables that no tuple has.
fn drop_unused(set: &mut FeatureSet) {
    let mut used = vec![false; set.tables.len()];
    for tuple in &set.tuples {
        used[tuple.table as usize] = true;
    }
    let mut left = 0;
    let numbers = used.iter().map(|&used| {
        left += u32::from(used);
        left - u32::from(used)
    });
    let numbers: Vec<u32> = numbers.collect();
    for tuple in &mut set.tuples {
        tuple.table = numbers[tuple.table as usize];
    }
    let mut used = used.into_iter();
    set.tables.retain(|_| used.next() == Some(true));
}
