//! Negations of what other conditions imply.

use super::matching::{Bound, matches};
use super::{Conjunction, MAX_FACTS, Rules};
use datalog::{Atom, Literal, Pattern, TermId, TermStore};

/// Longer bodies are not looked for among conditions.
const MAX_BODY: usize = 16;

impl Conjunction {
    /// Whether a condition is the negation of others.
    pub(super) fn contradicts_itself(&self, rules: &Rules<'_>, terms: &TermStore) -> bool {
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
        let facts = rules.facts(relation);
        if facts.len() <= MAX_FACTS && facts.iter().any(|fact| rules.spend(1) && is_fact(fact)) {
            return true;
        }
        !rules.is_recursive(relation)
            && rules.defining(relation).any(|rule| {
                let mut bound = Bound::default();
                let mut pairs = rule.head.args.iter().zip(&atom.args);
                pairs.all(|(pattern, term)| {
                    matches!(term, Pattern::Var(var) if local[usize::from(*var)])
                        || matches(pattern, term, &mut bound, terms)
                }) && rule.body.len() <= MAX_BODY
                    && self.fulfil(&rule.body, bound, rules, terms)
            })
    }

    /// Whether the conditions fulfil a body, whose variables are bound by terms over those here.
    fn fulfil(&self, body: &[Literal], bound: Bound, rules: &Rules<'_>, terms: &TermStore) -> bool {
        let Some((first, rest)) = body.split_first() else {
            return true;
        };
        if let Literal::Positive(wanted) = first {
            return self.positive().any(|atom| {
                let mut bound = bound.clone();
                let mut pairs = wanted.args.iter().zip(&atom.args);
                atom.relation == wanted.relation
                    && rules.spend(1)
                    && pairs.all(|(w, a)| matches(w, a, &mut bound, terms))
                    && self.fulfil(rest, bound, rules, terms)
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
        holds && self.fulfil(rest, bound, rules, terms)
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
                let mut bound = Bound::default();
                let mut pairs = rule.head.args.iter().zip(&atom.args);
                if rule.body.len() <= MAX_BODY
                    && pairs.all(|(pattern, term)| matches(pattern, term, &mut bound, terms))
                {
                    self.all_but_one(&rule.body, None, bound, (rules, terms), &mut refused);
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
        bound: Bound,
        known: (&Rules<'_>, &TermStore),
        refused: &mut Vec<Literal>,
    ) {
        let (rules, terms) = known;
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
                if rules.spend(1) && pairs.all(|(w, a)| matches(w, a, &mut bound, terms)) {
                    self.all_but_one(rest, but, bound, known, refused);
                }
            }
        } else if self.fulfil(&body[..1], bound.clone(), rules, terms) {
            self.all_but_one(rest, but, bound.clone(), known, refused);
        }
        if but.is_none() {
            self.all_but_one(rest, Some(first), bound, known, refused);
        }
    }
}

/// The instance of a literal. `None` if a variable is not bound, or stands inside of a term.
fn instance(literal: &Literal, bound: &Bound) -> Option<Literal> {
    let read = |pattern: &Pattern| match pattern {
        Pattern::Var(var) => bound.get(*var).cloned(),
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
