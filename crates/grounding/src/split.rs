//! Splits rules whose instances would multiply.
//!
//! In `h(?x) <= p(?x), q(?a, ?b), r(?b, ?x)` the variable `?a` occurs in one literal only. A
//! helper relation `q'(?b) <= q(?a, ?b)` takes the place of that literal, which avoids one
//! instance for each value of `?a`. This is variable elimination (Dechter, "Bucket
//! elimination", 1999). A helper rule with the literals that mention a variable eliminates it,
//! if the head does not need the variable. The rest of the rule continues with the helper's
//! head, which has only the variables that both share. A rule with many variables becomes a
//! tree of rules with few. The number of ground rules falls whenever a helper has several
//! instances and several users. Otherwise the network's passes merge the helper again.

use crate::helpers::{Helpers, Variables};
use crate::rewrite::relation;
use datalog::{Atom, Literal, Pattern, Rule, VarId};

/// Splits `rule` as long as that reduces the estimated cost. Helper rules go to `helpers` and
/// are split in turn.
pub(crate) fn split(mut rule: Rule, variables: &Variables, helpers: &mut Helpers<'_>) -> Rule {
    while let Some(body) = Body::new(&rule, variables, helpers) {
        let Some(part) = body.best_part() else {
            helpers.cost += body.cost(ALL, body.head, &body.density);
            break;
        };
        let first = part.literals.trailing_zeros() as usize;
        let (mut body, mut inside) = (Vec::new(), Vec::new());
        for (i, literal) in std::mem::take(&mut rule.body).into_iter().enumerate() {
            if part.literals & bit(i) == 0 {
                body.push(literal);
            } else {
                inside.push(literal);
            }
        }
        for var in members(part.listed) {
            inside.extend(helpers.in_domain(var as VarId, variables));
        }
        let helper = helpers.define(inside, &part.shared, variables, rule.span);
        // The helper takes the place of its first literal. The rest keeps its order.
        body.insert(first, Literal::Positive(helper));
        rule.body = body;
    }
    rule
}

/// A set of variables or literals, with one bit for each position.
type Set = u64;

/// Rules with more variables or literals than fit in a [`Set`] are left unchanged.
const MAX_SIZE: usize = 64;

/// The set of all positions.
const ALL: Set = Set::MAX;

fn bit(position: usize) -> Set {
    1 << position
}

/// Iterates over the positions in a set, ascending.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(position)
    })
}

/// A part of a body that a helper can replace.
struct Part {
    literals: Set,
    /// The variables that the rest needs, in order of first occurrence.
    shared: Vec<VarId>,
    /// The variables that only their domains bind.
    listed: Set,
    /// The total weight of the variables in the part. The cost of joining it grows with this.
    width: f64,
    /// The total weight of the variables that the rest needs.
    shared_width: f64,
}

/// A rule body in the form that splitting works on.
struct Body<'a> {
    rule: &'a Rule,
    variables: &'a Variables,
    /// For each literal its variables.
    vars: Vec<Set>,
    /// For each variable the literals that contain it.
    holders: Vec<Set>,
    positive: Set,
    dynamic: Set,
    /// Dynamic literals that follow from the moves played.
    of_moves: Set,
    head: Set,
    /// Variables whose values distinguish instances: those of the head, and those of literals
    /// that stay in ground rules.
    live: Set,
    /// For each literal the logarithm of its relation's estimated density, if that is static.
    density: Vec<f64>,
    /// The same of all relations, by the tuples that hold in some state.
    in_some_state: Vec<f64>,
}

impl<'a> Body<'a> {
    /// `None` if the rule is too large.
    fn new(rule: &'a Rule, variables: &'a Variables, helpers: &Helpers<'_>) -> Option<Self> {
        if rule.vars > MAX_SIZE || rule.body.len() > MAX_SIZE {
            return None;
        }
        let mut body = Body {
            rule,
            variables,
            density: Vec::with_capacity(rule.body.len()),
            in_some_state: Vec::with_capacity(rule.body.len()),
            vars: Vec::with_capacity(rule.body.len()),
            holders: vec![0; rule.vars],
            positive: 0,
            dynamic: 0,
            of_moves: 0,
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
            let positive = literal.positive().map(|atom| atom.relation);
            body.density
                .push(positive.map_or(0.0, |r| helpers.density(r)));
            body.in_some_state
                .push(positive.map_or(0.0, |r| helpers.density_in_some_state(r)));
            let relation = relation(literal);
            if relation.is_some_and(|r| helpers.is_of_moves(r)) {
                body.of_moves |= bit(i);
            }
            let dynamic = relation.is_some_and(|r| helpers.is_dynamic(r));
            if dynamic {
                body.dynamic |= bit(i);
            }
            if dynamic || all {
                body.live |= vars;
            }
        }
        Some(body)
    }

    /// The narrowest part for which a helper reduces the cost.
    fn best_part(&self) -> Option<Part> {
        members(self.live & !self.head)
            .filter_map(|var| self.part(var))
            .min_by(|a, b| {
                a.width
                    .total_cmp(&b.width)
                    .then_with(|| a.shared_width.total_cmp(&b.shared_width))
                    .then_with(|| a.literals.count_ones().cmp(&b.literals.count_ones()))
            })
    }

    /// The part that eliminates `var`.
    fn part(&self, var: usize) -> Option<Part> {
        let (mut inside, mut listed) = self.closed(self.holders[var])?;
        if self.outside(inside) == 0 {
            // Try the variable alone, if its literals bind all variables they need.
            inside = self.holders[var];
            inside |= self.filters(self.vars_of(inside), inside, false);
            listed = 0;
            if self.vars_of(inside) & !self.vars_of(inside & self.positive) != 0 {
                return None;
            }
        }
        let outside = self.outside(inside);
        if outside == 0 {
            return None;
        }
        let vars = self.vars_of(inside);
        let needed = self.vars_of(outside) | self.head;
        // If the rest has no variables of its own, it only filters what the helper enumerates.
        // A split is then useful only if it saves enough repetition of the rest.
        if needed & self.live & !vars == 0 {
            // So it matters what the rest leaves of that, be it a condition on the state.
            let split = self.cost(inside, needed & vars, &self.in_some_state)
                + self.rest_cost(outside, needed & vars, &self.in_some_state);
            if split >= self.cost(ALL, self.head, &self.in_some_state) {
                return None;
            }
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
            listed,
            width: self.weight(vars),
            shared_width: self.weight(needed & vars),
            shared,
        })
    }

    fn outside(&self, inside: Set) -> Set {
        (0..self.vars.len()).fold(0, |set, i| set | bit(i)) & !inside
    }

    /// Adds the literals that belong to `inside`. Returns them with the variables that must be
    /// bound by their domains.
    fn closed(&self, mut inside: Set) -> Option<(Set, Set)> {
        let mut listed = 0;
        loop {
            let vars = self.vars_of(inside);
            let filters = self.filters(vars, inside, true);
            if filters != 0 {
                inside |= filters;
            } else if let Some(unbound) =
                members(vars & !self.vars_of(inside & self.positive) & !listed).next()
            {
                if self.variables.is_listed(unbound) {
                    listed |= bit(unbound);
                } else {
                    inside |= bit(self.binder(unbound, vars)?);
                }
            } else {
                return Some((inside, listed));
            }
        }
    }

    fn weight(&self, vars: Set) -> f64 {
        members(vars).map(|v| self.variables.weights[v]).sum()
    }

    /// Estimates the total size of all instances of a rule with these literals and these head
    /// variables.
    fn cost(&self, literals: Set, head: Set, density: &[f64]) -> f64 {
        self.instances(literals, head, density)
            * f64::from((literals & self.dynamic).count_ones() + 1)
    }

    /// Estimates the same for the rest of a rule, with one more literal for the part.
    fn rest_cost(&self, literals: Set, shared: Set, density: &[f64]) -> f64 {
        let head = self.head | shared;
        self.instances(literals, head, density)
            * f64::from((literals & self.dynamic).count_ones() + 2)
    }

    fn instances(&self, literals: Set, head: Set, density: &[f64]) -> f64 {
        let literals = literals & (0..self.vars.len()).fold(0, |set, i| set | bit(i));
        let dynamic = literals & self.dynamic;
        let moved = self.vars_of(dynamic & self.of_moves);
        if dynamic & self.of_moves != 0 && self.vars_of(dynamic) & !moved == 0 {
            // Each move concerns only a few heads, or all but a few, which costs the same (see
            // `moves`).
            return 2.0 * self.weight(moved).exp();
        }
        let live = self.vars_of(dynamic) | head;
        let all = self.weight(self.vars_of(literals) | head);
        let density: f64 = members(literals).map(|i| density[i]).sum();
        self.weight(live).min(all + density).exp()
    }

    fn vars_of(&self, literals: Set) -> Set {
        members(literals).fold(0, |vars, i| vars | self.vars[i])
    }

    /// Literals outside whose variables are all inside and that should move inside. These are
    /// the literals that filter and add nothing to ground rules. If `freed`, they include the
    /// literals that alone keep some variable from being eliminated.
    fn filters(&self, vars: Set, inside: Set, freed: bool) -> Set {
        let covered: Set = (0..self.vars.len())
            .filter(|&i| self.vars[i] != 0 && self.vars[i] & !vars == 0)
            .fold(0, |set, i| set | bit(i));
        let last = members(vars & !self.head)
            .filter(|&v| self.holders[v] & !inside & !covered == 0)
            .fold(0, |set, v| set | self.holders[v]);
        let freed = if freed { last } else { 0 };
        (covered & !self.dynamic | freed) & !inside
    }

    /// A positive literal that binds a variable needed by a test inside. Chooses the one that
    /// adds the fewest other variables.
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
