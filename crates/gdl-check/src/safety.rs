//! Checks safety: every variable of a rule must occur in a condition that can be looked up.
//!
//! A variable in the head, in a `not` or in a `distinct` must also occur in a positive
//! condition. With `or`, it must occur in every alternative, unless a condition outside the
//! `or` binds it.

use crate::context::{Context, for_each_variable};
use gdl_parse::diagnostic::quote;
use gdl_parse::{Atom, Diagnostic, Findings, Literal, Rule, Symbol, Term};
use rustc_hash::FxHashSet;

type Variables = FxHashSet<Symbol>;

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for rule in &context.sheet.rules {
        let mut checker = Checker {
            context,
            findings,
            bound: Variables::default(),
            reported: Variables::default(),
        };
        checker.rule(rule);
    }
}

struct Checker<'a> {
    context: &'a Context<'a>,
    findings: &'a mut Findings,
    /// The variables bound at the current position. The set is changed and restored rather than
    /// copied, so that long rules do not take quadratic time.
    bound: Variables,
    /// Variables of this rule that were reported.
    reported: Variables,
}

impl Checker<'_> {
    fn rule(&mut self, rule: &Rule) {
        self.conjunction(&rule.body, |checker| {
            let place = match rule.body.is_empty() {
                true => "a fact cannot have variables",
                false => "it stands in the head",
            };
            checker.need(&rule.head.args, place);
        });
    }

    /// Checks conditions that must all hold, and calls `inside` while all their variables are
    /// bound.
    fn conjunction(&mut self, literals: &[Literal], inside: impl FnOnce(&mut Self)) {
        let mut own = Vec::new();
        for literal in literals {
            binds(literal, &mut own);
        }
        own.retain(|&variable| self.bound.insert(variable));
        literals.iter().for_each(|literal| self.literal(literal));
        inside(self);
        for variable in own {
            self.bound.remove(&variable);
        }
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Atom(_) => {}
            Literal::And(items, _) => self.conjunction(items, |_| {}),
            Literal::Or(items, _) => {
                for item in items {
                    self.conjunction(std::slice::from_ref(item), |_| {});
                }
            }
            Literal::Distinct(a, b, _) => {
                for term in [a, b] {
                    self.need(std::slice::from_ref(term), "it stands in a `distinct`");
                }
            }
            Literal::Not(inner, _) => self.negated(inner),
        }
    }

    fn negated(&mut self, literal: &Literal) {
        match literal {
            Literal::Atom(atom) => self.need(&atom.args, "it stands in a `not`"),
            Literal::Distinct(..) => self.literal(literal),
            Literal::Not(inner, _) => self.negated(inner),
            Literal::Or(items, _) | Literal::And(items, _) => {
                items.iter().for_each(|item| self.negated(item));
            }
        }
    }

    /// Reports the unbound variables of `terms`, each once per rule.
    fn need(&mut self, terms: &[Term], place: &str) {
        for term in terms {
            for_each_variable(term, &mut |variable, span| {
                if self.bound.contains(&variable) || !self.reported.insert(variable) {
                    return;
                }
                let name = format!("?{}", self.context.sheet.symbols.name(variable));
                let message = format!("nothing says what {} can be", quote(&name));
                self.findings.push(
                    Diagnostic::warning("unsafe-variable", span, message)
                        .with_label(place)
                        .with_help(
                            "let it occur in a condition without `not` or `distinct` as well",
                        ),
                );
            });
        }
    }
}

/// Adds the variables that a condition binds.
fn binds(literal: &Literal, bound: &mut Vec<Symbol>) {
    match literal {
        Literal::Atom(Atom { args, .. }) => {
            for arg in args {
                for_each_variable(arg, &mut |variable, _| bound.push(variable));
            }
        }
        Literal::And(items, _) => items.iter().for_each(|item| binds(item, bound)),
        Literal::Or(items, _) => {
            // The variables that all alternatives bind. An empty `or` binds nothing.
            let mut alternatives = items.iter().map(|item| {
                let mut own = Vec::new();
                binds(item, &mut own);
                own
            });
            let mut common = alternatives.next().unwrap_or_default();
            for own in alternatives {
                let own: Variables = own.into_iter().collect();
                common.retain(|variable| own.contains(variable));
            }
            bound.append(&mut common);
        }
        Literal::Not(..) | Literal::Distinct(..) => {}
    }
}
