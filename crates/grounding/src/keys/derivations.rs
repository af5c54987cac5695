//! The ways to derive the atoms that keys are of.

use super::{Rules, Subject};
use datalog::{Atom, Literal, Pattern, Program, RelationId, Rule, TermId, TermStore};
use gdl_parse::Keyword;
use rustc_hash::FxHashMap;

/// Relations of more rules and facts are not looked at.
pub(super) const MAX_DERIVATIONS: usize = 40;

/// A way to derive an atom: a rule, or a fact, which has no conditions.
#[derive(Clone, Copy)]
pub(super) enum Derivation<'a> {
    Rule(&'a Rule),
    Fact(RelationId, &'a [TermId]),
}

impl<'a> Derivation<'a> {
    /// All those of a relation.
    pub(super) fn of_relation(
        relation: RelationId,
        rules: &Rules<'a>,
    ) -> impl Iterator<Item = Self> {
        let facts = rules.facts(relation).iter();
        let facts = facts.map(move |fact| Derivation::Fact(relation, fact));
        rules.defining(relation).map(Derivation::Rule).chain(facts)
    }

    pub(super) fn head(self) -> Atom {
        match self {
            Derivation::Rule(rule) => rule.head.clone(),
            Derivation::Fact(relation, fact) => Atom {
                relation,
                args: fact.iter().map(|&term| Pattern::Term(term)).collect(),
            },
        }
    }

    pub(super) fn body(self) -> &'a [Literal] {
        match self {
            Derivation::Rule(rule) => &rule.body,
            Derivation::Fact(..) => &[],
        }
    }

    pub(super) fn vars(self) -> usize {
        match self {
            Derivation::Rule(rule) => rule.vars,
            Derivation::Fact(..) => 0,
        }
    }
}

/// The ways to derive the facts of a state, by subject.
pub(super) struct Derivations<'a> {
    pub(super) of: FxHashMap<Subject, Vec<Derivation<'a>>>,
    /// The rules for facts that are variables.
    of_any: Vec<Derivation<'a>>,
}

impl<'a> Derivations<'a> {
    /// Those by `init` or by `next`.
    pub(super) fn new(keyword: Keyword, rules: &Rules<'a>, terms: &TermStore) -> Self {
        let mut all = Derivations {
            of: FxHashMap::default(),
            of_any: Vec::new(),
        };
        for derivation in Derivation::of_relation(Program::keyword(keyword), rules) {
            match Subject::of_head(&derivation.head(), terms) {
                Some((subject, _)) => all.of.entry(subject).or_default().push(derivation),
                None => all.of_any.push(derivation),
            }
        }
        all
    }

    /// Those of one subject without those of all.
    pub(super) fn own(&self, subject: Subject) -> &[Derivation<'a>] {
        self.of.get(&subject).map_or(&[], Vec::as_slice)
    }

    /// Whether some rule derives facts of a subject.
    pub(super) fn has_rules(&self, subject: Subject) -> bool {
        let is_rule = |derivation: &Derivation<'_>| matches!(derivation, Derivation::Rule(_));
        !self.of_any.is_empty() || self.own(subject).iter().any(is_rule)
    }

    /// Those of one subject. `None` if there are too many.
    pub(super) fn of(&self, subject: Subject) -> Option<Vec<Derivation<'a>>> {
        let own = self.own(subject);
        let is_short = own.len() + self.of_any.len() <= MAX_DERIVATIONS;
        is_short.then(|| [own, &self.of_any].concat())
    }
}
