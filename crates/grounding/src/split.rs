//! Splits rules whose instances would multiply.
//!
//! In `h(?x) <= p(?x), q(?a, ?b), r(?b, ?x)` the variable `?a` occurs in one literal only; instead
//! of one instance for each value of it, a helper relation `q'(?b) <= q(?a, ?b)` takes its place.
//! This is variable elimination (Dechter, "Bucket elimination", 1999): a variable that the head
//! does not need is eliminated by a helper rule with the literals that speak of it, and the rest of
//! the rule goes on with the helper's head, which holds only the variables that both share. A rule
//! with many variables becomes a tree of rules with few. The ground rules become fewer whenever a
//! helper has several instances and several users, and otherwise the network's passes merge it
//! away again.

use crate::rewrite::{Helpers, relation};
use datalog::{Atom, Literal, Pattern, Rule, VarId};

/// Splits `rule` as long as that pays; helper rules go to `helpers`, split in their turn.
pub(crate) fn split(mut rule: Rule, helpers: &mut Helpers) -> Rule {
    loop {
        let Some(part) = Body::new(&rule, helpers).best_part() else {
            return rule;
        };
        let inside: Vec<Literal> = part
            .literals
            .iter()
            .map(|&i| rule.body[i].clone())
            .collect();
        let replacement = helpers.define(inside, &part.shared, rule.span);
        let mut body = Vec::with_capacity(rule.body.len());
        for (i, literal) in rule.body.into_iter().enumerate() {
            if Some(&i) == part.literals.first() {
                body.push(Literal::Positive(replacement.clone()));
            }
            if !part.literals.contains(&i) {
                body.push(literal);
            }
        }
        rule.body = body;
    }
}

/// A set of variables or literals, by position.
type Set = Vec<bool>;

/// A part of a body that a helper can stand for.
struct Part {
    literals: Vec<usize>,
    /// The variables that the rest needs, in order of first occurrence.
    shared: Vec<VarId>,
    /// Number of variables in it, what the cost of joining it grows with.
    width: usize,
}

/// What splitting looks at.
struct Body<'a> {
    rule: &'a Rule,
    /// The variables of each literal.
    vars: Vec<Set>,
    dynamic: Vec<bool>,
    head: Set,
    /// Variables whose values tell instances apart: those of the head, and those of literals that
    /// stay in ground rules.
    live: Set,
}

impl<'a> Body<'a> {
    fn new(rule: &'a Rule, helpers: &Helpers) -> Self {
        let mut head = vec![false; rule.vars];
        rule.head.for_each_var(&mut |var| head[var as usize] = true);
        let vars: Vec<Set> = rule
            .body
            .iter()
            .map(|literal| {
                let mut vars = vec![false; rule.vars];
                literal.for_each_var(&mut |var| vars[var as usize] = true);
                vars
            })
            .collect();
        let dynamic: Vec<bool> = rule
            .body
            .iter()
            .map(|literal| relation(literal).is_some_and(|r| helpers.is_dynamic(r)))
            .collect();
        let all = !helpers.is_dynamic(rule.head.relation);
        let mut live = head.clone();
        for (vars, &dynamic) in vars.iter().zip(&dynamic) {
            if dynamic || all {
                unite(&mut live, vars);
            }
        }
        Body {
            rule,
            vars,
            dynamic,
            head,
            live,
        }
    }

    /// The narrowest part that is worth a helper.
    fn best_part(&self) -> Option<Part> {
        let mut best: Option<Part> = None;
        for var in 0..self.rule.vars {
            if self.head[var] || !self.live[var] {
                continue;
            }
            if let Some(part) = self.part(var) {
                let key = |p: &Part| (p.width, p.shared.len(), p.literals.len());
                if best.as_ref().is_none_or(|best| key(&part) < key(best)) {
                    best = Some(part);
                }
            }
        }
        best
    }

    /// The part that eliminates `var`.
    fn part(&self, var: usize) -> Option<Part> {
        let count = self.vars.len();
        let mut inside: Set = (0..count).map(|i| self.vars[i][var]).collect();
        loop {
            let vars = self.vars_of(&inside);
            let next = (0..count)
                .find(|&i| !inside[i] && self.belongs(i, &vars, &inside))
                .or_else(|| self.binder(&inside));
            match next {
                Some(literal) => inside[literal] = true,
                None if self.is_safe(&inside) => break,
                None => return None,
            }
        }
        let outside: Set = inside.iter().map(|&i| !i).collect();
        if !outside.contains(&true) {
            return None;
        }
        let vars = self.vars_of(&inside);
        let mut needed = self.vars_of(&outside);
        unite(&mut needed, &self.head);
        // Without other variables the rest would only filter what the helper enumerates anyway.
        if !(0..vars.len()).any(|v| needed[v] && self.live[v] && !vars[v]) {
            return None;
        }
        let mut shared: Vec<VarId> = Vec::new();
        for (i, literal) in self.rule.body.iter().enumerate() {
            if inside[i] {
                literal.for_each_var(&mut |v| {
                    if needed[v as usize] && !shared.contains(&v) {
                        shared.push(v);
                    }
                });
            }
        }
        Some(Part {
            literals: (0..count).filter(|&i| inside[i]).collect(),
            shared,
            width: vars.iter().filter(|&&v| v).count(),
        })
    }

    fn vars_of(&self, literals: &Set) -> Set {
        let mut vars = vec![false; self.rule.vars];
        for (literal, _) in literals.iter().enumerate().filter(|(_, inside)| **inside) {
            unite(&mut vars, &self.vars[literal]);
        }
        vars
    }

    /// Whether a literal whose variables are all inside should be inside too: it filters and costs
    /// nothing in ground rules, or it is the last to hold on to some variable.
    fn belongs(&self, literal: usize, vars: &Set, inside: &Set) -> bool {
        let covered = |i: usize| {
            self.vars[i].contains(&true)
                && self.vars[i].iter().zip(vars).all(|(&v, &has)| has || !v)
        };
        if !covered(literal) {
            return false;
        }
        !self.dynamic[literal]
            || (0..vars.len()).any(|v| {
                self.vars[literal][v]
                    && !self.head[v]
                    && (0..self.vars.len()).all(|i| inside[i] || !self.vars[i][v] || covered(i))
            })
    }

    /// Variables that positive literals of the set bind.
    fn bound(&self, literals: &Set) -> Set {
        let positive: Set = (0..self.vars.len())
            .map(|i| literals[i] && self.rule.body[i].positive().is_some())
            .collect();
        self.vars_of(&positive)
    }

    fn is_safe(&self, inside: &Set) -> bool {
        self.bound(inside) == self.vars_of(inside)
    }

    /// A positive literal that binds a variable which a test inside needs; the one that brings in
    /// the fewest other variables.
    fn binder(&self, inside: &Set) -> Option<usize> {
        let bound = self.bound(inside);
        let vars = self.vars_of(inside);
        let var = (0..vars.len()).find(|&v| vars[v] && !bound[v])?;
        let new = |i: usize| {
            (0..vars.len())
                .filter(|&v| self.vars[i][v] && !vars[v])
                .count()
        };
        (0..self.vars.len())
            .filter(|&i| !inside[i] && self.vars[i][var] && self.rule.body[i].positive().is_some())
            .min_by_key(|&i| new(i))
    }
}

fn unite(set: &mut Set, other: &Set) {
    for (a, &b) in set.iter_mut().zip(other) {
        *a |= b;
    }
}

/// An atom of a relation applied to variables.
pub(crate) fn over_variables(
    relation: datalog::RelationId,
    vars: impl Iterator<Item = VarId>,
) -> Atom {
    Atom {
        relation,
        args: vars.map(Pattern::Var).collect(),
    }
}
