//! Keys of relations that are listed.

use super::{Arguments, Keys, MAX_ARGUMENTS, Rules, Subject, has};
use datalog::{Program, RelationId, TermId};
use gdl_parse::Keyword;
use rustc_hash::FxHashSet;

impl Keys {
    /// The keys of relations that are facts alone, and the role of a move: each role makes one.
    pub(crate) fn of_facts(rules: &Rules<'_>) -> Keys {
        let mut keys = Keys::default();
        let mut add = |relation, found| {
            keys.of.insert(Subject::Relation(relation), found);
        };
        for number in 0..rules.relations.len() {
            let relation = RelationId(number as u32);
            let info = &rules.relations[number];
            if rules.is_listed(relation) && info.arity >= 2 {
                let facts: Vec<&[TermId]> = info.facts.iter().map(AsRef::as_ref).collect();
                add(relation, least_keys(&facts, info.arity, rules));
            }
        }
        add(Program::keyword(Keyword::Does), vec![1]);
        keys
    }
}

/// The smallest sets of arguments that determine the others in these tuples.
pub(super) fn least_keys(tuples: &[&[TermId]], arity: usize, rules: &Rules<'_>) -> Vec<Arguments> {
    if arity > MAX_ARGUMENTS {
        return Vec::new();
    }
    let mut found: Vec<Arguments> = Vec::new();
    let mut sets: Vec<Arguments> = (0..(1u32 << arity) - 1)
        .map(|set| set as Arguments)
        .collect();
    sets.sort_by_key(|set| set.count_ones());
    for set in sets {
        let is_new = found.iter().all(|&smaller| smaller & set != smaller);
        if is_new && determine(set, tuples, rules) {
            found.push(set);
        }
    }
    found
}

/// Whether the arguments determine the others.
fn determine(arguments: Arguments, tuples: &[&[TermId]], rules: &Rules<'_>) -> bool {
    let mut known: FxHashSet<Vec<TermId>> = FxHashSet::default();
    tuples.iter().all(|tuple| {
        let held = tuple.iter().enumerate();
        let held = held.filter(|&(argument, _)| has(arguments, argument));
        rules.spend(1) && known.insert(held.map(|(_, &term)| term).collect())
    })
}
