//! Conjunctions, and what follows from them.

use super::matching::{fits, may_match};
use super::{Keys, Rules, has, subject};
use datalog::{
    Atom, Dynamics, Literal, Pattern, Program, RelationId, Rule, Substitution, TermId, TermStore,
    VarId,
};
use gdl_parse::Keyword;

/// Longer lists of facts are not searched for the one that a condition may mean.
const MAX_FACTS: usize = 4096;

/// Conjunctions do not grow beyond so many conditions.
const MAX_CONDITIONS: usize = 48;

/// A condition of a conjunction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    pub(crate) literal: Literal,
    /// Whether the conjunction was made of it; others follow from those.
    pub(crate) own: bool,
    /// Whether the body of the rule that derives it was added.
    opened: bool,
}

/// Conditions that hold together, and terms over the same variables.
#[derive(Debug, Clone)]
pub(crate) struct Conjunction {
    pub(crate) conditions: Vec<Condition>,
    /// Terms that are rewritten with the conditions, such as the arguments of a rule's head.
    pub(crate) terms: Vec<Pattern>,
    pub(super) vars: VarId,
    /// The relations that depend on themselves of which a condition was opened.
    recursive: Vec<RelationId>,
}

/// What a step of the chase found.
enum Found {
    Nothing,
    Equal(Substitution),
    Contradiction,
}

impl Conjunction {
    /// The conjunction of some conditions over variables below `vars`.
    pub(crate) fn new(body: &[Literal], terms: Vec<Pattern>, vars: usize) -> Self {
        let own = |literal: &Literal| Condition {
            literal: literal.clone(),
            own: true,
            opened: false,
        };
        Conjunction {
            conditions: body.iter().map(own).collect(),
            terms,
            vars: vars as VarId,
            recursive: Vec::new(),
        }
    }

    /// Makes terms equal that must be, since they agree in a key or since only one fact fits.
    /// Returns false if the conditions contradict each other.
    pub(crate) fn chase(&mut self, keys: &Keys, rules: &Rules<'_>, terms: &mut TermStore) -> bool {
        loop {
            if self.contradicts_itself(rules, terms) {
                return false;
            }
            match self.equalities(keys, rules, terms) {
                Found::Nothing => return true,
                Found::Contradiction => return false,
                Found::Equal(bindings) => self.rewrite(&bindings, terms),
            }
        }
    }

    /// Applies a substitution and drops what then stands twice.
    pub(super) fn rewrite(&mut self, bindings: &Substitution, terms: &mut TermStore) {
        let mut kept: Vec<Condition> = Vec::with_capacity(self.conditions.len());
        for condition in std::mem::take(&mut self.conditions) {
            let literal = bindings.apply_literal(&condition.literal, terms);
            match kept.iter_mut().find(|other| other.literal == literal) {
                Some(other) => {
                    other.own |= condition.own;
                    other.opened |= condition.opened;
                }
                None => kept.push(Condition {
                    literal,
                    ..condition
                }),
            }
        }
        self.conditions = kept;
        for term in &mut self.terms {
            *term = bindings.apply(term, terms);
        }
    }

    pub(super) fn positive(&self) -> impl Iterator<Item = &Atom> {
        let literals = self.conditions.iter();
        literals.filter_map(|condition| condition.literal.positive())
    }

    /// The first equalities that follow.
    fn equalities(&self, keys: &Keys, rules: &Rules<'_>, terms: &mut TermStore) -> Found {
        let atoms = self.positive();
        let tuples: Vec<_> = atoms.filter_map(|atom| subject(atom, terms)).collect();
        for (number, (of, args)) in tuples.iter().enumerate() {
            if !rules.spend(number) {
                return Found::Nothing;
            }
            for (_, other) in tuples[..number].iter().filter(|(other, _)| other == of) {
                for &key in keys.of(*of) {
                    let mut pairs = args.iter().zip(other).enumerate();
                    if pairs.all(|(at, (a, b))| !has(key, at) || a == b) {
                        match unified(args, other, terms) {
                            Found::Nothing => {}
                            found => return found,
                        }
                    }
                }
            }
        }
        for atom in self
            .positive()
            .filter(|atom| rules.is_listed(atom.relation))
        {
            let facts = rules.facts(atom.relation);
            if facts.len() > MAX_FACTS {
                continue;
            }
            // Most lists are left at the second fact that fits.
            let fits = |fact: &&[TermId]| rules.spend(1) && fits(&atom.args, fact, terms);
            let mut fitting = facts.iter().map(AsRef::as_ref).filter(fits);
            let found = match (fitting.next(), fitting.next()) {
                (None, _) => Found::Contradiction,
                (Some(fact), None) => {
                    let fact: Vec<Pattern> = fact.iter().map(|&t| Pattern::Term(t)).collect();
                    unified(&atom.args, &fact, terms)
                }
                _ => Found::Nothing,
            };
            if rules.is_spent() {
                return Found::Nothing;
            }
            if !matches!(found, Found::Nothing) {
                return found;
            }
        }
        Found::Nothing
    }

    /// The condition to open: a positive one that was not opened, with the fewest rules and facts
    /// that may derive it, at most `most` of its relation. A move made is derived by `legal`, if
    /// that depends on the state alone. What depends on itself is opened once.
    pub(crate) fn unopened(
        &self,
        rules: &Rules<'_>,
        most: impl Fn(&Atom, RelationId) -> usize,
        terms: &TermStore,
    ) -> Option<usize> {
        if self.conditions.len() > MAX_CONDITIONS || !rules.spend(self.conditions.len()) {
            return None;
        }
        let mut best: Option<(usize, usize)> = None;
        for (at, condition) in self.conditions.iter().enumerate() {
            let Some(atom) = condition.literal.positive().filter(|_| !condition.opened) else {
                continue;
            };
            let by = source(atom.relation);
            if !rules.can_be_opened(by) || self.recursive.contains(&by) {
                continue;
            }
            let most = most(atom, by);
            let heads = rules.defining(by).filter(|rule| {
                let mut pairs = atom.args.iter().zip(&rule.head.args);
                pairs.all(|(a, b)| may_match(a, b, terms))
            });
            let facts = rules.facts(by).iter();
            let facts = facts.filter(|fact| rules.spend(1) && fits(&atom.args, fact, terms));
            let count = heads.count() + facts.take(most + 1).count();
            // What depends on less contradicts sooner, and has less below it.
            let weight = match (rules.dynamics(by), by == atom.relation) {
                (Dynamics::Static, _) => 1,
                (_, true) => 2,
                (_, false) => 3,
            };
            if count <= most && best.is_none_or(|(best, _)| count * weight < best) {
                best = Some((count * weight, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Opens a condition: one of the results holds. Each has the body of a rule that can derive
    /// it.
    pub(crate) fn opened(
        &self,
        at: usize,
        rules: &Rules<'_>,
        terms: &mut TermStore,
    ) -> Vec<Conjunction> {
        let Some(atom) = self.conditions[at].literal.positive() else {
            return Vec::new();
        };
        let relation = source(atom.relation);
        let mut opened = self.clone();
        opened.conditions[at].opened = true;
        if rules.is_recursive(relation) {
            opened.recursive.push(relation);
        }
        let mut all = Vec::new();
        for rule in rules.defining(relation) {
            let head = rule.head.shifted(self.vars);
            if let Found::Equal(bindings) = bindings_of(&atom.args, &head.args, terms) {
                all.push(opened.with(rule, &bindings, terms));
            }
        }
        for fact in rules.facts(relation) {
            if fits(&atom.args, fact, terms) {
                let fact: Vec<Pattern> = fact.iter().map(|&term| Pattern::Term(term)).collect();
                if let Found::Equal(bindings) = bindings_of(&atom.args, &fact, terms) {
                    let mut conjunction = opened.clone();
                    conjunction.rewrite(&bindings, terms);
                    all.push(conjunction);
                }
            }
        }
        all
    }

    /// The conjunction with the body of a rule as well.
    fn with(&self, rule: &Rule, bindings: &Substitution, terms: &mut TermStore) -> Conjunction {
        let mut conjunction = self.clone();
        let body = rule.body.iter().map(|literal| Condition {
            literal: literal.shifted(self.vars),
            own: false,
            opened: false,
        });
        conjunction.conditions.extend(body);
        conjunction.vars += rule.vars as VarId;
        conjunction.rewrite(bindings, terms);
        conjunction
    }
}

/// The relation whose rules derive an atom.
fn source(relation: RelationId) -> RelationId {
    match relation == Program::keyword(Keyword::Does) {
        true => Program::keyword(Keyword::Legal),
        false => relation,
    }
}

/// What makes two tuples equal: nothing if they are.
fn unified(a: &[Pattern], b: &[Pattern], terms: &mut TermStore) -> Found {
    match a == b {
        true => Found::Nothing,
        false => bindings_of(a, b, terms),
    }
}

/// What makes two tuples equal, an empty substitution if they are.
fn bindings_of(a: &[Pattern], b: &[Pattern], terms: &mut TermStore) -> Found {
    let mut bindings = Substitution::default();
    let mut pairs = a.iter().zip(b);
    match pairs.all(|(a, b)| bindings.unify(a, b, terms)) {
        true => Found::Equal(bindings),
        false => Found::Contradiction,
    }
}
