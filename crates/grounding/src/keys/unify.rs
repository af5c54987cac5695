//! Unification that gives up before terms grow large.
//!
//! Patterns are trees. A condition `(pair ?x (f ?x ?x))` makes a term twice as large, and a chain
//! of a few dozen such conditions makes one that fits into no memory. Rulesheets that are played
//! have small terms, so that nothing is lost where large ones are not looked at.

use super::Rules;
use datalog::{Atom, Literal, Pattern, TermStore, VarId};
use std::cell::Cell;

/// The nodes of terms that one substitution may make, in all conditions that it is applied to.
const MAX_NODES: usize = 2_000;

/// Terms are too large, or no more work may be done.
#[derive(Debug)]
pub(super) struct TooLarge;

/// What variables stand for. Other bound variables may occur there.
pub(super) struct Bindings<'a> {
    bound: Vec<Option<Pattern>>,
    /// The nodes that may still be looked at or made.
    left: Cell<usize>,
    rules: &'a Rules<'a>,
}

impl<'a> Bindings<'a> {
    /// Nothing is bound. Work is charged to the rules.
    pub(super) fn new(rules: &'a Rules<'a>) -> Self {
        Bindings {
            bound: Vec::new(),
            left: Cell::new(MAX_NODES),
            rules,
        }
    }

    fn get(&self, var: VarId) -> Option<&Pattern> {
        self.bound.get(usize::from(var)).and_then(Option::as_ref)
    }

    /// Counts a node.
    fn count(&self) -> Result<(), TooLarge> {
        let left = self.left.get().checked_sub(1).ok_or(TooLarge)?;
        self.left.set(left);
        self.rules.spend(1).then_some(()).ok_or(TooLarge)
    }

    /// A copy, whose nodes are counted.
    fn copy(&self, pattern: &Pattern) -> Result<Pattern, TooLarge> {
        self.count()?;
        Ok(match pattern {
            Pattern::Compound(functor, args) => {
                let args = args.iter().map(|arg| self.copy(arg));
                Pattern::Compound(*functor, args.collect::<Result<_, _>>()?)
            }
            _ => pattern.clone(),
        })
    }

    /// What a pattern stands for if it is a bound variable.
    fn meant(&self, pattern: &Pattern) -> Result<Option<Pattern>, TooLarge> {
        let mut meant = None;
        let mut at = pattern;
        while let Pattern::Var(var) = at
            && let Some(next) = self.get(*var)
        {
            meant = Some(next);
            at = next;
        }
        meant.map(|meant| self.copy(meant)).transpose()
    }

    /// Whether a variable occurs in what a pattern stands for.
    fn occurs(&self, var: VarId, pattern: &Pattern) -> Result<bool, TooLarge> {
        self.count()?;
        match pattern {
            Pattern::Term(_) => Ok(false),
            Pattern::Var(other) => match self.get(*other) {
                Some(meant) => self.occurs(var, meant),
                None => Ok(*other == var),
            },
            Pattern::Compound(_, args) => {
                for arg in args {
                    if self.occurs(var, arg)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Makes both patterns equal by binding variables. Returns false if this is impossible. What
    /// is bound must then not be used any more.
    pub(super) fn unify(
        &mut self,
        a: &Pattern,
        b: &Pattern,
        terms: &TermStore,
    ) -> Result<bool, TooLarge> {
        self.count()?;
        let (meant_a, meant_b) = (self.meant(a)?, self.meant(b)?);
        match (meant_a.as_ref().unwrap_or(a), meant_b.as_ref().unwrap_or(b)) {
            (Pattern::Var(x), Pattern::Var(y)) if x == y => Ok(true),
            (Pattern::Var(x), other) | (other, Pattern::Var(x)) => {
                // No finite term contains itself.
                if self.occurs(*x, other)? {
                    return Ok(false);
                }
                let at = usize::from(*x);
                if self.bound.len() <= at {
                    self.bound.resize(at + 1, None);
                }
                self.bound[at] = Some(self.copy(other)?);
                Ok(true)
            }
            (Pattern::Term(x), Pattern::Term(y)) => Ok(x == y),
            (Pattern::Compound(f, xs), Pattern::Compound(g, ys)) => {
                Ok(f == g && self.unify_all(xs, ys, terms)?)
            }
            (Pattern::Compound(f, xs), Pattern::Term(term))
            | (Pattern::Term(term), Pattern::Compound(f, xs)) => {
                let ys = terms.args(*term).iter();
                let ys: Vec<Pattern> = ys.map(|&arg| Pattern::Term(arg)).collect();
                Ok(terms.functor(*term) == *f && self.unify_all(xs, &ys, terms)?)
            }
        }
    }

    /// Makes two tuples equal like [`Bindings::unify`].
    pub(super) fn unify_all(
        &mut self,
        a: &[Pattern],
        b: &[Pattern],
        terms: &TermStore,
    ) -> Result<bool, TooLarge> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            if !self.unify(a, b, terms)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Replaces all bound variables of a pattern.
    pub(super) fn apply(
        &self,
        pattern: &Pattern,
        terms: &mut TermStore,
    ) -> Result<Pattern, TooLarge> {
        self.count()?;
        Ok(match pattern {
            Pattern::Term(_) => pattern.clone(),
            Pattern::Var(var) => match self.get(*var) {
                Some(bound) => self.apply(bound, terms)?,
                None => pattern.clone(),
            },
            Pattern::Compound(functor, args) => {
                let args = self.apply_all(args, terms)?;
                let ground: Option<Vec<_>> = args.iter().map(Pattern::as_term).collect();
                match ground {
                    Some(ground) => Pattern::Term(terms.compound(*functor, &ground)),
                    None => Pattern::Compound(*functor, args),
                }
            }
        })
    }

    fn apply_all(
        &self,
        patterns: &[Pattern],
        terms: &mut TermStore,
    ) -> Result<Box<[Pattern]>, TooLarge> {
        let patterns = patterns.iter();
        patterns.map(|pattern| self.apply(pattern, terms)).collect()
    }

    /// Replaces all bound variables of a literal.
    pub(super) fn apply_literal(
        &self,
        literal: &Literal,
        terms: &mut TermStore,
    ) -> Result<Literal, TooLarge> {
        let mut apply_atom = |atom: &Atom| {
            Ok(Atom {
                relation: atom.relation,
                args: self.apply_all(&atom.args, terms)?,
            })
        };
        Ok(match literal {
            Literal::Positive(atom) => Literal::Positive(apply_atom(atom)?),
            Literal::Negative(atom) => Literal::Negative(apply_atom(atom)?),
            Literal::Distinct(a, b) => {
                Literal::Distinct(self.apply(a, terms)?, self.apply(b, terms)?)
            }
        })
    }
}
