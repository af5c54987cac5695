//! Patterns beside patterns and terms.

use datalog::{Pattern, TermId, TermStore, VarId};

/// Whether two patterns may have a common instance.
pub(super) fn may_match(a: &Pattern, b: &Pattern, terms: &TermStore) -> bool {
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

/// What the variables of a pattern stand for.
#[derive(Clone, Default)]
pub(super) struct Bound(Vec<(VarId, Pattern)>);

impl Bound {
    /// Binds a variable that is not bound yet.
    pub(super) fn bind(&mut self, var: VarId, to: Pattern) {
        self.0.push((var, to));
    }

    /// All bound variables.
    pub(super) fn iter(&self) -> impl Iterator<Item = (VarId, &Pattern)> {
        self.0.iter().map(|(var, to)| (*var, to))
    }

    /// What a variable stands for.
    pub(super) fn get(&self, var: VarId) -> Option<&Pattern> {
        let mut known = self.0.iter();
        known.find(|(known, _)| *known == var).map(|(_, to)| to)
    }
}

/// Whether a fact is an instance of a tuple.
pub(super) fn fits(args: &[Pattern], fact: &[TermId], terms: &TermStore) -> bool {
    let mut bound = Bound::default();
    let mut pairs = args.iter().zip(fact);
    pairs.all(|(arg, &term)| matches(arg, &Pattern::Term(term), &mut bound, terms))
}

/// Binds the variables of `pattern` so that it becomes `term`, whose variables stay as they are.
pub(super) fn matches(
    pattern: &Pattern,
    term: &Pattern,
    bound: &mut Bound,
    terms: &TermStore,
) -> bool {
    match (pattern, term) {
        (Pattern::Term(_), _) => pattern == term,
        (Pattern::Var(var), _) => match bound.get(*var) {
            Some(known) => known == term,
            None => {
                bound.bind(*var, term.clone());
                true
            }
        },
        (Pattern::Compound(f, args), Pattern::Compound(g, inner)) => {
            let mut pairs = args.iter().zip(inner);
            f == g
                && args.len() == inner.len()
                && pairs.all(|(arg, inner)| matches(arg, inner, bound, terms))
        }
        (Pattern::Compound(f, args), Pattern::Term(term)) => {
            let inner = terms.args(*term);
            let mut pairs = args.iter().zip(inner);
            terms.functor(*term) == *f
                && args.len() == inner.len()
                && pairs.all(|(arg, &inner)| matches(arg, &Pattern::Term(inner), bound, terms))
        }
        (Pattern::Compound(..), Pattern::Var(_)) => false,
    }
}
