//! Tuples of variables that lie near each other, each with a table of its own.

use crate::nearness::{Nearness, is_local};
use crate::variables::Variable;
use heuristics::{Blank, FeatureSet, Table, Tuple};
use rustc_hash::FxHashSet;

/// Partners of each variable in pairs.
const PARTNERS: usize = 8;
/// Entries of the table of a pair, at most.
const PAIR_ENTRIES: u32 = 4096;
/// Entries of the table of a larger tuple, at most.
const LOCAL_ENTRIES: u64 = 20_000;
/// Tuples, at most, beyond which conjunctions are left out.
const MOST: usize = 2000;

/// Adds a tuple with a table of its own.
fn add(variables: &[Variable], numbers: &[u32], set: &mut FeatureSet) {
    let sizes = numbers.iter().map(|&at| variables[at as usize].size());
    set.tuples.push(Tuple {
        table: set.tables.len() as u32,
        variables: numbers.iter().map(|&at| Some(at)).collect(),
    });
    set.tables.push(Table {
        sizes: sizes.collect(),
        blank: Blank::Nothing,
    });
}

/// Adds each variable by itself.
pub fn add_singles(variables: &[Variable], set: &mut FeatureSet) {
    for number in 0..variables.len() as u32 {
        if variables[number as usize].size() > 1 {
            add(variables, &[number], set);
        }
    }
}

/// Adds each variable with each of its nearest ones.
pub fn add_pairs(variables: &[Variable], nearness: &Nearness, set: &mut FeatureSet) {
    let size = |number: u32| variables[number as usize].size();
    let mut seen = FxHashSet::default();
    for number in local(variables) {
        let near = nearness.of[number as usize].iter().take(PARTNERS);
        for &(other, _) in near {
            let pair = [number.min(other), number.max(other)];
            if size(number) * size(other) <= PAIR_ENTRIES && seen.insert(pair) {
                add(variables, &pair, set);
            }
        }
    }
}

/// Adds each variable together with as many of its nearest ones as a table has room for, and the
/// conjunctions of the rules.
pub fn add_local(variables: &[Variable], nearness: &Nearness, set: &mut FeatureSet) {
    let size = |number: u32| u64::from(variables[number as usize].size());
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    for number in local(variables) {
        let (mut tuple, mut entries) = (vec![number], size(number));
        for &(other, _) in &nearness.of[number as usize] {
            if entries * size(other) > LOCAL_ENTRIES {
                break;
            }
            entries *= size(other);
            tuple.push(other);
        }
        tuple.sort_unstable();
        if tuple.len() > 2 && seen.insert(tuple.clone()) {
            add(variables, &tuple, set);
        }
    }
    for tuple in &nearness.conjunctions {
        let entries: u64 = tuple.iter().map(|&number| size(number)).product();
        let fits = tuple.len() > 2 && entries <= LOCAL_ENTRIES && set.tuples.len() < MOST;
        if fits && seen.insert(tuple.clone()) {
            add(variables, tuple, set);
        }
    }
}

/// The variables that can be near others.
fn local(variables: &[Variable]) -> impl Iterator<Item = u32> + '_ {
    let numbers = 0..variables.len() as u32;
    numbers.filter(|&number| is_local(&variables[number as usize]))
}
