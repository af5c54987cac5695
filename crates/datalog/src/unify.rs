//! Unification of patterns.

use crate::program::{Atom, Literal, Pattern, VarId};
use crate::terms::{TermId, TermStore};

/// A substitution of patterns for variables. It starts out empty.
#[derive(Debug, Clone, Default)]
pub struct Substitution {
    bindings: Vec<Option<Pattern>>,
}

impl Substitution {
    fn get(&self, var: VarId) -> Option<&Pattern> {
        self.bindings.get(var as usize).and_then(Option::as_ref)
    }

    fn bind(&mut self, var: VarId, pattern: Pattern) {
        if self.bindings.len() <= var as usize {
            self.bindings.resize(var as usize + 1, None);
        }
        self.bindings[var as usize] = Some(pattern);
    }

    /// Replaces all bound variables of the pattern.
    pub fn apply(&self, pattern: &Pattern, terms: &mut TermStore) -> Pattern {
        match pattern {
            Pattern::Term(_) => pattern.clone(),
            Pattern::Var(var) => match self.get(*var) {
                Some(bound) => self.apply(&bound.clone(), terms),
                None => pattern.clone(),
            },
            Pattern::Compound(functor, args) => {
                let args: Box<[Pattern]> = args.iter().map(|a| self.apply(a, terms)).collect();
                match args
                    .iter()
                    .map(Pattern::as_term)
                    .collect::<Option<Vec<TermId>>>()
                {
                    Some(ground) => Pattern::Term(terms.compound(*functor, &ground)),
                    None => Pattern::Compound(*functor, args),
                }
            }
        }
    }

    /// Replaces all bound variables of the atom.
    pub fn apply_atom(&self, atom: &Atom, terms: &mut TermStore) -> Atom {
        Atom {
            relation: atom.relation,
            args: atom.args.iter().map(|arg| self.apply(arg, terms)).collect(),
        }
    }

    /// Replaces all bound variables of the literal.
    pub fn apply_literal(&self, literal: &Literal, terms: &mut TermStore) -> Literal {
        match literal {
            Literal::Positive(atom) => Literal::Positive(self.apply_atom(atom, terms)),
            Literal::Negative(atom) => Literal::Negative(self.apply_atom(atom, terms)),
            Literal::Distinct(a, b) => {
                Literal::Distinct(self.apply(a, terms), self.apply(b, terms))
            }
        }
    }

    /// Makes both patterns equal by binding variables. Returns false if this is impossible. The
    /// substitution must then not be used any more.
    pub fn unify(&mut self, a: &Pattern, b: &Pattern, terms: &mut TermStore) -> bool {
        let (a, b) = (self.apply(a, terms), self.apply(b, terms));
        match (&a, &b) {
            (Pattern::Var(x), Pattern::Var(y)) if x == y => true,
            (Pattern::Var(x), other) | (other, Pattern::Var(x)) => {
                // Occurs check: no finite term contains itself.
                if !other.all_vars(|var| var != *x) {
                    return false;
                }
                self.bind(*x, other.clone());
                true
            }
            (Pattern::Term(x), Pattern::Term(y)) => x == y,
            (Pattern::Compound(f, xs), Pattern::Compound(g, ys)) => {
                f == g
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y, terms))
            }
            (Pattern::Compound(f, xs), Pattern::Term(t))
            | (Pattern::Term(t), Pattern::Compound(f, xs)) => {
                terms.functor(*t) == *f
                    && terms.args(*t).len() == xs.len()
                    && xs
                        .iter()
                        .zip(terms.args(*t).to_vec())
                        .all(|(x, y)| self.unify(x, &Pattern::Term(y), terms))
            }
        }
    }
}
