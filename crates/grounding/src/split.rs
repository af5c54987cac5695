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
    while let Some(part) = Body::new(&rule, helpers).and_then(|body| body.best_part()) {
        let first = part.literals.trailing_zeros() as usize;
        let (mut body, mut inside) = (Vec::new(), Vec::new());
        for (i, literal) in std::mem::take(&mut rule.body).into_iter().enumerate() {
            if part.literals & bit(i) == 0 {
                body.push(literal);
            } else {
                inside.push(literal);
            }
        }
        let helper = helpers.define(inside, &part.shared, rule.span);
        // The helper takes the place of the first of its literals, which the rest keeps in order.
        body.insert(first, Literal::Positive(helper));
        rule.body = body;
    }
    rule
}

/// A set of variables or literals, a bit for each position.
type Set = u64;

/// Rules with more variables or literals than fit into a [`Set`] are left as they are.
const MAX_SIZE: usize = 64;

fn bit(position: usize) -> Set {
    1 << position
}

/// The positions in a set, ascending.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(position)
    })
}

/// A part of a body that a helper can stand for.
struct Part {
    literals: Set,
    /// The variables that the rest needs, in order of first occurrence.
    shared: Vec<VarId>,
    /// Number of variables in it, what the cost of joining it grows with.
    width: u32,
}

/// What splitting looks at.
struct Body<'a> {
    rule: &'a Rule,
    /// The variables of each literal.
    vars: Vec<Set>,
    /// The literals of each variable.
    holders: Vec<Set>,
    positive: Set,
    dynamic: Set,
    head: Set,
    /// Variables whose values tell instances apart: those of the head, and those of literals that
    /// stay in ground rules.
    live: Set,
}

impl<'a> Body<'a> {
    /// `None` if the rule is too large to be looked at.
    fn new(rule: &'a Rule, helpers: &Helpers) -> Option<Self> {
        if rule.vars > MAX_SIZE || rule.body.len() > MAX_SIZE {
            return None;
        }
        let mut body = Body {
            rule,
            vars: Vec::with_capacity(rule.body.len()),
            holders: vec![0; rule.vars],
            positive: 0,
            dynamic: 0,
            head: 0,
            live: 0,
        };
        rule.head
            .for_each_var(&mut |var| body.head |= bit(var as usize));
        body.live = body.head;
        let all = !helpers.is_dynamic(rule.head.relation);
        for (i, literal) in rule.body.iter().enumerate() {
            let mut vars = 0;
            literal.for_each_var(&mut |var| vars |= bit(var as usize));
            for var in members(vars) {
                body.holders[var] |= bit(i);
            }
            body.vars.push(vars);
            if literal.positive().is_some() {
                body.positive |= bit(i);
            }
            let dynamic = relation(literal).is_some_and(|r| helpers.is_dynamic(r));
            if dynamic {
                body.dynamic |= bit(i);
            }
            if dynamic || all {
                body.live |= vars;
            }
        }
        Some(body)
    }

    /// The narrowest part that is worth a helper.
    fn best_part(&self) -> Option<Part> {
        members(self.live & !self.head)
            .filter_map(|var| self.part(var))
            .min_by_key(|part| (part.width, part.shared.len(), part.literals.count_ones()))
    }

    /// The part that eliminates `var`.
    fn part(&self, var: usize) -> Option<Part> {
        let mut inside = self.holders[var];
        loop {
            let vars = self.vars_of(inside);
            let filters = self.filters(vars, inside);
            if filters != 0 {
                inside |= filters;
            } else if let Some(unbound) =
                members(vars & !self.vars_of(inside & self.positive)).next()
            {
                inside |= bit(self.binder(unbound, vars)?);
            } else {
                break;
            }
        }
        let outside = (0..self.vars.len()).fold(0, |set, i| set | bit(i)) & !inside;
        if outside == 0 {
            return None;
        }
        let vars = self.vars_of(inside);
        let needed = self.vars_of(outside) | self.head;
        // Without other variables the rest would only filter what the helper enumerates anyway.
        if needed & self.live & !vars == 0 {
            return None;
        }
        let mut shared: Vec<VarId> = Vec::new();
        for i in members(inside) {
            self.rule.body[i].for_each_var(&mut |v| {
                if needed & bit(v as usize) != 0 && !shared.contains(&v) {
                    shared.push(v);
                }
            });
        }
        Some(Part {
            literals: inside,
            shared,
            width: vars.count_ones(),
        })
    }

    fn vars_of(&self, literals: Set) -> Set {
        members(literals).fold(0, |vars, i| vars | self.vars[i])
    }

    /// Literals outside that should be inside too, as all of their variables are: those that filter
    /// and cost nothing in ground rules, and those that are the last to hold on to some variable.
    fn filters(&self, vars: Set, inside: Set) -> Set {
        let covered: Set = (0..self.vars.len())
            .filter(|&i| self.vars[i] != 0 && self.vars[i] & !vars == 0)
            .fold(0, |set, i| set | bit(i));
        let freed = members(vars & !self.head)
            .filter(|&v| self.holders[v] & !inside & !covered == 0)
            .fold(0, |set, v| set | self.holders[v]);
        (covered & !self.dynamic | freed) & !inside
    }

    /// A positive literal that binds a variable which a test inside needs; the one that brings in
    /// the fewest other variables.
    fn binder(&self, var: usize, vars: Set) -> Option<usize> {
        members(self.holders[var] & self.positive)
            .min_by_key(|&i| (self.vars[i] & !vars).count_ones())
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
