//! Symmetries of the game: tuples that are images of each other share a table, so that what is
//! learnt on the left of a board counts on the right.

use crate::images::images;
use crate::variables::Variable;
use heuristics::FeatureSet;
use profile::symmetries::Symmetry;
use rustc_hash::FxHashMap;

/// Lets each tuple that has a table of its own share it with its images, where roles stay as they
/// are. Returns the number of tuples that gave up their table.
pub fn share(variables: &[Variable], symmetries: &[Symmetry], set: &mut FeatureSet) -> usize {
    let symmetries = symmetries.iter().filter(|one| one.fixes_roles());
    let symmetries: Vec<Vec<Option<u32>>> = symmetries
        .map(|symmetry| images(variables, symmetry, true, set))
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
