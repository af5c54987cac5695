//! Conjunctions, and what follows from them.

use super::{Keys, Rules, has, subject};
use datalog::{
    Atom, Dynamics, Literal, Pattern, Program, RelationId, Rule, Substitution, TermId, TermStore,
    VarId,
};
use gdl_parse::Keyword;
use rustc_hash::FxHashMap;

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
    vars: VarId,
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

    fn positive(&self) -> impl Iterator<Item = &Atom> {
        let literals = self.conditions.iter();
        literals.filter_map(|condition| condition.literal.positive())
    }

    /// The first equalities that follow.
    fn equalities(&self, keys: &Keys, rules: &Rules<'_>, terms: &mut TermStore) -> Found {
        let atoms = self.positive();
        let tuples: Vec<_> = atoms.filter_map(|atom| subject(atom, terms)).collect();
        for (number, (of, args)) in tuples.iter().enumerate() {
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
            let mut fitting = facts.iter().filter(|fact| fits(&atom.args, fact, terms));
            let found = match (fitting.next(), fitting.next()) {
                (None, _) => Found::Contradiction,
                (Some(fact), None) => {
                    let fact: Vec<Pattern> = fact.iter().map(|&t| Pattern::Term(t)).collect();
                    unified(&atom.args, &fact, terms)
                }
                _ => Found::Nothing,
            };
            if !matches!(found, Found::Nothing) {
                return found;
            }
        }
        Found::Nothing
    }

    /// Whether a condition is the negation of others.
    fn contradicts_itself(&self, rules: &Rules<'_>, terms: &TermStore) -> bool {
        let local = self.local_variables();
        self.conditions
            .iter()
            .any(|condition| match &condition.literal {
                Literal::Positive(_) => false,
                Literal::Distinct(a, b) => a == b,
                Literal::Negative(atom) => self.implies(atom, &local, rules, terms),
            })
    }

    /// For each variable whether it occurs once: in a negation it stands for any term.
    fn local_variables(&self) -> Vec<bool> {
        let mut occurrences = vec![0u32; usize::from(self.vars)];
        for condition in &self.conditions {
            let literal = &condition.literal;
            literal.for_each_var(&mut |var| occurrences[usize::from(var)] += 1);
        }
        for term in &self.terms {
            term.for_each_var(&mut |var| occurrences[usize::from(var)] += 2);
        }
        occurrences.into_iter().map(|count| count == 1).collect()
    }

    /// Whether the conditions imply some instance of an atom, by themselves, by a fact, or by one
    /// rule.
    fn implies(&self, atom: &Atom, local: &[bool], rules: &Rules<'_>, terms: &TermStore) -> bool {
        let relation = atom.relation;
        let is_atom = |other: &Atom| {
            let mut pairs = atom.args.iter().zip(&other.args);
            other.relation == relation && pairs.all(|(a, b)| is_or_any(a, b, local))
        };
        if self.positive().any(is_atom) {
            return true;
        }
        let is_fact = |fact: &[TermId]| {
            let mut pairs = atom.args.iter().zip(fact);
            pairs.all(|(a, &term)| is_or_any(a, &Pattern::Term(term), local))
        };
        if rules.facts(relation).iter().any(|fact| is_fact(fact)) {
            return true;
        }
        !rules.is_recursive(relation)
            && rules.defining(relation).any(|rule| {
                let mut bound = FxHashMap::default();
                let mut pairs = rule.head.args.iter().zip(&atom.args);
                pairs.all(|(pattern, term)| {
                    matches!(term, Pattern::Var(var) if local[usize::from(*var)])
                        || matches_term(pattern, term, &mut bound, terms)
                }) && self.fulfil(&rule.body, bound, terms)
            })
    }

    /// Whether the conditions fulfil a body, whose variables are bound by terms over those here.
    fn fulfil(
        &self,
        body: &[Literal],
        bound: FxHashMap<VarId, Pattern>,
        terms: &TermStore,
    ) -> bool {
        let Some((first, rest)) = body.split_first() else {
            return true;
        };
        if let Literal::Positive(wanted) = first {
            return self.positive().any(|atom| {
                let mut bound = bound.clone();
                let mut pairs = wanted.args.iter().zip(&atom.args);
                atom.relation == wanted.relation
                    && pairs.all(|(w, a)| matches_term(w, a, &mut bound, terms))
                    && self.fulfil(rest, bound, terms)
            });
        }
        let holds = match instance(first, &bound) {
            Some(Literal::Distinct(Pattern::Term(a), Pattern::Term(b))) => a != b,
            Some(Literal::Distinct(a, b)) => {
                let [one, other] = [
                    Literal::Distinct(a.clone(), b.clone()),
                    Literal::Distinct(b, a),
                ];
                self.has(&one) || self.has(&other)
            }
            Some(literal) => self.has(&literal),
            None => false,
        };
        holds && self.fulfil(rest, bound, terms)
    }

    fn has(&self, literal: &Literal) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|condition| condition.literal == *literal)
    }

    /// What follows from negations: if a rule of the negated relation would apply but for one
    /// condition, that condition does not hold.
    pub(crate) fn refused(&self, rules: &Rules<'_>, terms: &TermStore) -> Vec<Literal> {
        let mut refused = Vec::new();
        for condition in &self.conditions {
            let Literal::Negative(atom) = &condition.literal else {
                continue;
            };
            if rules.is_recursive(atom.relation) {
                continue;
            }
            for rule in rules.defining(atom.relation) {
                let mut bound = FxHashMap::default();
                let mut pairs = rule.head.args.iter().zip(&atom.args);
                if pairs.all(|(pattern, term)| matches_term(pattern, term, &mut bound, terms)) {
                    self.all_but_one(&rule.body, None, bound, terms, &mut refused);
                }
            }
        }
        refused
    }

    /// Adds the negations of those conditions of a body that do not hold if all others do.
    fn all_but_one(
        &self,
        body: &[Literal],
        but: Option<&Literal>,
        bound: FxHashMap<VarId, Pattern>,
        terms: &TermStore,
        refused: &mut Vec<Literal>,
    ) {
        let Some((first, rest)) = body.split_first() else {
            // A negation that became positive would bind variables, and equality is no condition.
            if let Some(Literal::Positive(atom)) = but.and_then(|but| instance(but, &bound)) {
                refused.push(Literal::Negative(atom));
            }
            return;
        };
        if let Literal::Positive(wanted) = first {
            for atom in self
                .positive()
                .filter(|atom| atom.relation == wanted.relation)
            {
                let mut bound = bound.clone();
                let mut pairs = wanted.args.iter().zip(&atom.args);
                if pairs.all(|(w, a)| matches_term(w, a, &mut bound, terms)) {
                    self.all_but_one(rest, but, bound, terms, refused);
                }
            }
        } else if self.fulfil(&body[..1], bound.clone(), terms) {
            self.all_but_one(rest, but, bound.clone(), terms, refused);
        }
        if but.is_none() {
            self.all_but_one(rest, Some(first), bound, terms, refused);
        }
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
        if self.conditions.len() > MAX_CONDITIONS {
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
            let facts = facts.filter(|fact| fits(&atom.args, fact, terms));
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

/// Whether two patterns may have a common instance.
fn may_match(a: &Pattern, b: &Pattern, terms: &TermStore) -> bool {
    match (a, b) {
        (Pattern::Var(_), _) | (_, Pattern::Var(_)) => true,
        (Pattern::Term(a), Pattern::Term(b)) => a == b,
        (Pattern::Compound(f, args), Pattern::Term(term))
        | (Pattern::Term(term), Pattern::Compound(f, args)) => {
            terms.functor(*term) == *f && terms.args(*term).len() == args.len()
        }
        (Pattern::Compound(f, some), Pattern::Compound(g, others)) => {
            let mut pairs = some.iter().zip(others);
            f == g && some.len() == others.len() && pairs.all(|(a, b)| may_match(a, b, terms))
        }
    }
}

/// Whether a fact is an instance of a tuple.
fn fits(args: &[Pattern], fact: &[TermId], terms: &TermStore) -> bool {
    let mut bound: Vec<(VarId, TermId)> = Vec::new();
    let mut pairs = args.iter().zip(fact);
    pairs.all(|(arg, &term)| fits_term(arg, term, &mut bound, terms))
}

fn fits_term(
    pattern: &Pattern,
    term: TermId,
    bound: &mut Vec<(VarId, TermId)>,
    terms: &TermStore,
) -> bool {
    match pattern {
        Pattern::Term(known) => *known == term,
        Pattern::Var(var) => match bound.iter().find(|(known, _)| known == var) {
            Some(&(_, known)) => known == term,
            None => {
                bound.push((*var, term));
                true
            }
        },
        Pattern::Compound(functor, args) => {
            let inner = terms.args(term);
            terms.functor(term) == *functor
                && inner.len() == args.len()
                && args
                    .iter()
                    .zip(inner)
                    .all(|(arg, &term)| fits_term(arg, term, bound, terms))
        }
    }
}

/// The instance of a literal. `None` if a variable is not bound, or stands inside of a term.
fn instance(literal: &Literal, bound: &FxHashMap<VarId, Pattern>) -> Option<Literal> {
    let read = |pattern: &Pattern| match pattern {
        Pattern::Var(var) => bound.get(var).cloned(),
        Pattern::Term(_) => Some(pattern.clone()),
        Pattern::Compound(..) => None,
    };
    let of = |atom: &Atom| {
        Some(Atom {
            relation: atom.relation,
            args: atom.args.iter().map(read).collect::<Option<_>>()?,
        })
    };
    Some(match literal {
        Literal::Positive(atom) => Literal::Positive(of(atom)?),
        Literal::Negative(atom) => Literal::Negative(of(atom)?),
        Literal::Distinct(a, b) => Literal::Distinct(read(a)?, read(b)?),
    })
}

/// Whether a pattern is `other`, or a local variable of a negation.
fn is_or_any(pattern: &Pattern, other: &Pattern, local: &[bool]) -> bool {
    match pattern {
        Pattern::Var(var) if local[usize::from(*var)] => true,
        _ => pattern == other,
    }
}

/// Binds the variables of `pattern` so that it becomes `term`, whose variables stay as they are.
fn matches_term(
    pattern: &Pattern,
    term: &Pattern,
    bound: &mut FxHashMap<VarId, Pattern>,
    terms: &TermStore,
) -> bool {
    match pattern {
        Pattern::Term(_) => pattern == term,
        Pattern::Var(var) => match bound.get(var) {
            Some(known) => known == term,
            None => {
                bound.insert(*var, term.clone());
                true
            }
        },
        Pattern::Compound(functor, args) => {
            let inner: Vec<Pattern> = match term {
                Pattern::Compound(other, inner) if other == functor => inner.to_vec(),
                Pattern::Term(ground) if terms.functor(*ground) == *functor => {
                    let inner = terms.args(*ground).iter();
                    inner.map(|&term| Pattern::Term(term)).collect()
                }
                _ => return false,
            };
            inner.len() == args.len()
                && args
                    .iter()
                    .zip(&inner)
                    .all(|(arg, term)| matches_term(arg, term, bound, terms))
        }
    }
}
