//! The join order of the literals of a body.

use crate::program::{Atom, Literal, Pattern, Rule, VarId};

/// Which variables of a rule are bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindings(Vec<bool>);

impl Bindings {
    /// Creates bindings for `vars` variables, none of which is bound.
    pub fn none(vars: usize) -> Self {
        Bindings(vec![false; vars])
    }

    /// Whether `var` is bound.
    pub fn contains(&self, var: VarId) -> bool {
        self.0[var as usize]
    }

    /// Binds all variables of `pattern`.
    pub fn bind(&mut self, pattern: &Pattern) {
        pattern.for_each_var(&mut |var| self.0[var as usize] = true);
    }

    /// Binds all variables of `atom`.
    pub fn bind_atom(&mut self, atom: &Atom) {
        atom.args.iter().for_each(|arg| self.bind(arg));
    }

    /// Whether all variables of `pattern` are bound.
    pub fn is_ground(&self, pattern: &Pattern) -> bool {
        pattern.all_vars(|var| self.contains(var))
    }
}

/// Orders the literals of a body greedily. Returns positions in the body.
///
/// Tests come as soon as their variables are bound. Otherwise the next literal is the positive
/// literal for which `matches` expects the fewest matches per binding, in text order among
/// equals. `matches` also orders tests, so that it can put cheap ones first. Literals with
/// variables that are never bound (the rule is unsafe, or a variable is existential inside a
/// negation) come last.
pub fn order_body(
    rule: &Rule,
    mut bindings: Bindings,
    matches: impl Fn(&Atom, &Bindings) -> f64,
) -> Vec<usize> {
    let mut left: Vec<usize> = (0..rule.body.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let tests = left
            .iter()
            .enumerate()
            .filter_map(|(position, &i)| match &rule.body[i] {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    let ground = atom.args.iter().all(|arg| bindings.is_ground(arg));
                    ground.then(|| (matches(atom, &bindings), position))
                }
                Literal::Distinct(a, b) => {
                    (bindings.is_ground(a) && bindings.is_ground(b)).then_some((0.0, position))
                }
            });
        let test = tests
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, position)| position);
        let next = test.or_else(|| {
            let mut best: Option<(f64, usize)> = None;
            for (position, &i) in left.iter().enumerate() {
                if let Literal::Positive(atom) = &rule.body[i] {
                    let cost = matches(atom, &bindings);
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, position));
                    }
                }
            }
            best.map(|(_, position)| position)
        });
        let i = left.remove(next.unwrap_or(0));
        if let Literal::Positive(atom) = &rule.body[i] {
            bindings.bind_atom(atom);
        }
        order.push(i);
    }
    order
}
