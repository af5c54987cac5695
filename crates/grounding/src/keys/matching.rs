//! Patterns beside patterns and terms.

use datalog::{Pattern, TermId, TermStore, VarId};
use rustc_hash::FxHashMap;

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

/// Whether a fact is an instance of a tuple.
pub(super) fn fits(args: &[Pattern], fact: &[TermId], terms: &TermStore) -> bool {
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

/// Binds the variables of `pattern` so that it becomes `term`, whose variables stay as they are.
pub(super) fn matches_term(
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
