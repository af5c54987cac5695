//! Facts that are the only ones of their kind.
//!
//! A board has many pieces, but one white king: no reachable state has two facts
//! `(cell ?x ?y wk)`. Facts that are alone in the initial state with one or two of their terms are
//! taken for such, and it is proved as keys are.

use super::{Arguments, Keys, Subject, has};
use datalog::{Pattern, TermId, TermStore};
use gdl_parse::{GroundTerm, Symbol};
use rustc_hash::FxHashMap;

/// More facts with terms in the same arguments are no sign of anything: they are the first
/// squares of pieces.
const MAX_ALIKE: usize = 8;

/// The facts that have some terms in common with this one, of which at most one holds in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sole {
    fact: TermId,
    /// The arguments in which they agree.
    alike: Arguments,
}

impl Sole {
    /// The facts of the initial state that are alone with so many of their terms, without
    /// those that are known to be sole. These are no keys, which would say more.
    pub(super) fn initially(
        facts: &[TermId],
        in_common: u32,
        known: &[Sole],
        keys: &[Arguments],
        terms: &TermStore,
    ) -> Vec<Sole> {
        let arity = facts.first().map_or(0, |&fact| terms.args(fact).len());
        let mut found: Vec<Sole> = Vec::new();
        let sets = (1..1 << arity).filter(|alike: &Arguments| alike.count_ones() == in_common);
        for alike in sets {
            if keys.iter().any(|key| key & alike == *key) {
                continue;
            }
            let common = |sole: Sole| -> Vec<TermId> {
                let common = sole.common(terms);
                common.map(|(_, term)| term).collect()
            };
            let mut with: FxHashMap<Vec<TermId>, u32> = FxHashMap::default();
            let soles = facts.iter().map(|&fact| Sole { fact, alike });
            for sole in soles.clone() {
                *with.entry(common(sole)).or_default() += 1;
            }
            let alone = soles.filter(|&sole| with[&common(sole)] == 1);
            let alone: Vec<Sole> = alone.take(MAX_ALIKE + 1).collect();
            if alone.len() <= MAX_ALIKE {
                let is_known = |new: &Sole| known.iter().any(|sole| sole.has(new.fact, terms));
                found.extend(alone.into_iter().filter(|sole| !is_known(sole)));
            }
        }
        found
    }

    /// The function symbol and the number of arguments.
    pub(super) fn functor(self, terms: &TermStore) -> (Symbol, usize) {
        (terms.functor(self.fact), terms.args(self.fact).len())
    }

    /// The arguments in which they agree.
    pub(super) fn arguments(self) -> Arguments {
        self.alike
    }

    /// The terms that they have in common, each with the number of its argument.
    pub(super) fn common(self, terms: &TermStore) -> impl Iterator<Item = (usize, TermId)> {
        let args = terms.args(self.fact).iter().copied().enumerate();
        args.filter(move |&(at, _)| has(self.alike, at))
    }

    /// Whether the arguments of a fact are those of one of them, whatever its variables are.
    pub(super) fn is_shown_by(self, args: &[Pattern], terms: &TermStore) -> bool {
        self.common(terms)
            .all(|(at, term)| args[at] == Pattern::Term(term))
    }

    fn has(self, fact: TermId, terms: &TermStore) -> bool {
        let args = terms.args(fact);
        self.common(terms).all(|(at, term)| args[at] == term)
    }
}

impl Keys {
    /// Those among facts that are sole, as such.
    pub(super) fn soles_shown(
        &self,
        facts: &[(Subject, Vec<Pattern>)],
        terms: &TermStore,
    ) -> Vec<(Subject, Vec<Pattern>)> {
        let shown = facts.iter().flat_map(|(of, args)| {
            let soles = match *of {
                Subject::Facts(functor, arity) => self.sole_of(functor, arity),
                Subject::Relation(_) | Subject::Sole(_) => &[],
            };
            let shown = soles.iter().filter(|sole| sole.is_shown_by(args, terms));
            shown.map(|&sole| (Subject::Sole(sole), args.clone()))
        });
        shown.collect()
    }

    /// The sole facts with this function symbol and number of arguments.
    pub(super) fn sole_of(&self, functor: Symbol, arity: usize) -> &[Sole] {
        self.sole.get(&(functor, arity)).map_or(&[], Vec::as_slice)
    }

    /// The sets of facts of which at most one holds, since they are sole: at least two each, as
    /// ascending positions in `facts`.
    pub(super) fn exclusive_soles(&self, facts: &[GroundTerm], terms: &TermStore) -> Vec<Vec<u32>> {
        let soles = self.sole.values().flatten().map(|sole| {
            let (functor, arity) = sole.functor(terms);
            let common = sole.common(terms);
            let common: Vec<_> = common.map(|(at, term)| (at, terms.ground(term))).collect();
            let is_one = |fact: &GroundTerm| match fact {
                GroundTerm::Compound(name, args) => {
                    name.as_ref() == terms.symbols().name(functor)
                        && args.len() == arity
                        && common.iter().all(|(at, term)| args[*at] == *term)
                }
                _ => false,
            };
            let numbered = (0..).zip(facts);
            let these = numbered.filter(|(_, fact)| is_one(fact));
            these.map(|(number, _)| number).collect::<Vec<u32>>()
        });
        soles.filter(|set| set.len() > 1).collect()
    }
}
