//! Keys of relations that are listed.

use super::{Arguments, Keys, MAX_ARGUMENTS, Rules, Subject, has};
use datalog::{Program, RelationId, TermId};
use gdl_parse::Keyword;
use rustc_hash::FxHashSet;

/// So many tuples of a relation are looked at; keys that would need more are not found.
const MAX_LOOKS: usize = 200_000;

impl Keys {
    /// The keys of relations that are facts alone, and the role of a move: each role makes one.
    pub(crate) fn of_facts(rules: &Rules<'_>) -> Keys {
        let mut keys = Keys::default();
        let mut add = |relation, found| {
            let subject = Subject {
                relation,
                functor: None,
            };
            keys.of.insert(subject, found);
        };
        for number in 0..rules.relations.len() {
            let relation = RelationId(number as u32);
            let info = &rules.relations[number];
            if rules.is_listed(relation) && info.arity >= 2 {
                let facts: Vec<&[TermId]> = info.facts.iter().map(AsRef::as_ref).collect();
                add(relation, least_keys(&facts, info.arity));
            }
        }
        add(Program::keyword(Keyword::Does), vec![1]);
        keys
    }
}

/// The smallest sets of arguments that determine the others in these tuples.
pub(super) fn least_keys(tuples: &[&[TermId]], arity: usize) -> Vec<Arguments> {
    if arity > MAX_ARGUMENTS {
        return Vec::new();
    }
    let mut found: Vec<Arguments> = Vec::new();
    let mut sets: Vec<Arguments> = (0..(1u32 << arity) - 1)
        .map(|set| set as Arguments)
        .collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut looks = 0;
    for set in sets {
        let is_new = found.iter().all(|&smaller| smaller & set != smaller);
        if is_new && determine(set, tuples, &mut looks) {
            found.push(set);
        }
    }
    found
}

/// Whether the arguments determine the others, as far as so many looks can tell.
fn determine(arguments: Arguments, tuples: &[&[TermId]], looks: &mut usize) -> bool {
    let mut known: FxHashSet<Vec<TermId>> = FxHashSet::default();
    tuples.iter().all(|tuple| {
        *looks += 1;
        let held = tuple.iter().enumerate();
        let held = held.filter(|&(argument, _)| has(arguments, argument));
        *looks <= MAX_LOOKS && known.insert(held.map(|(_, &term)| term).collect())
    })
}
