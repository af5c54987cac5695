//! The rules of a program whose relations are split.

use super::{Free, FreeArguments, Uses, own_variable};
use crate::demand::domains;
use crate::domain::{Columns, Domain};
use crate::helpers::{renumbered, variables};
use crate::merge::add_relation;
use crate::tables::Tables;
use datalog::{Atom, Literal, Pattern, Program, RelationId, Rule};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// The number of rules that one rule may become.
const MAX_RULES: usize = 32;

impl Free {
    /// The same atom of the relation without the free arguments.
    fn without(&self, atom: &Atom) -> Option<Atom> {
        let is_free = |at: usize| self.args.iter().any(|(free, _)| *free == at);
        let args = atom.args.iter().enumerate();
        Some(Atom {
            relation: self.without?,
            args: args
                .filter(|(at, _)| !is_free(*at))
                .map(|(_, arg)| arg.clone())
                .collect(),
        })
    }

    /// The guards of the free arguments of an atom.
    fn guards_of<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = Atom> + 'a {
        self.args.iter().flat_map(move |(at, guards)| {
            guards.iter().map(move |&relation| Atom {
                relation,
                args: [atom.args[*at].clone()].into(),
            })
        })
    }
}

impl FreeArguments<'_> {
    /// The rules of the program with its relations split. `None` if none is, or if there would be
    /// too many rules.
    pub(super) fn rewritten(
        &mut self,
        program: &mut Program,
        possible: &Columns,
    ) -> Option<Vec<Rule>> {
        if self.free.is_empty() {
            return None;
        }
        for (&relation, free) in &mut self.free {
            let arity = program.info(relation).arity - free.args.len();
            free.without = Some(add_relation(program, arity));
        }
        let mut rules = Vec::with_capacity(program.rules.len());
        for rule in &program.rules {
            for rule in self.alternatives(program, rule, possible)? {
                let rule = self.without_free_arguments(&rule).unwrap_or(rule);
                rules.push(renumbered(&rule.head, rule.body.iter(), rule.span));
            }
        }
        self.drop_empty(program, &mut rules);
        Some(rules)
    }

    /// The rule with each call of a split relation replaced, in all combinations.
    fn alternatives(
        &self,
        program: &Program,
        rule: &Rule,
        possible: &Columns,
    ) -> Option<Vec<Rule>> {
        let domains = domains(rule, possible, &Tables::default(), &program.terms);
        let mut done = Vec::new();
        let mut open = vec![(rule.clone(), 0)];
        while let Some((mut rule, from)) = open.pop() {
            let mut literals = rule.body.iter().enumerate().skip(from);
            let Some((at, atom, free)) = literals.find_map(|(at, literal)| match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    Some((at, atom.clone(), self.free.get(&atom.relation)?))
                }
                Literal::Distinct(..) => None,
            }) else {
                done.push(rule);
                continue;
            };
            let without = free.without(&atom)?;
            let stated: Vec<&Atom> = rule.body.iter().filter_map(Literal::positive).collect();
            let guards = free.guards_of(&atom);
            let mut guards: Vec<Atom> = guards.filter(|guard| !stated.contains(&guard)).collect();
            if matches!(rule.body[at], Literal::Positive(_)) {
                open.push((rule.clone(), at + 1));
                rule.body[at] = Literal::Positive(without);
                rule.body.extend(guards.into_iter().map(Literal::Positive));
                open.push((rule, at + 1));
            } else {
                // Neither holds; or the one without the free arguments may hold, but not for
                // these values.
                guards.retain(|guard| !is_implied(guard, program, domains.as_deref()));
                for also in guards.into_iter().chain([without]) {
                    let mut rule = rule.clone();
                    rule.body.push(Literal::Negative(also));
                    open.push((rule, at + 1));
                }
            }
            if open.len() + done.len() > MAX_RULES {
                return None;
            }
        }
        Some(done)
    }

    /// The rule as one of the relation without free arguments. `None` if it depends on them.
    fn without_free_arguments(&self, rule: &Rule) -> Option<Rule> {
        let free = self.free.get(&rule.head.relation)?;
        let mut vars = Vec::with_capacity(free.args.len());
        for (at, guards) in &free.args {
            let var = own_variable(rule, *at)?;
            if self.guards(rule, var, Uses::Guarded)? != *guards {
                return None;
            }
            vars.push(var);
        }
        let mut rule = rule.clone();
        rule.head = free.without(&rule.head)?;
        rule.body
            .retain(|literal| variables(literal).iter().all(|var| !vars.contains(var)));
        Some(rule)
    }

    /// Removes calls of relations for which nothing is left.
    fn drop_empty(&self, program: &Program, rules: &mut Vec<Rule>) {
        let made = self.free.values().filter_map(|free| free.without);
        let split: Vec<RelationId> = self.free.keys().copied().chain(made).collect();
        loop {
            let heads: FxHashSet<RelationId> =
                rules.iter().map(|rule| rule.head.relation).collect();
            let is_empty = |atom: &Atom| {
                split.contains(&atom.relation)
                    && !heads.contains(&atom.relation)
                    && program.info(atom.relation).facts.is_empty()
            };
            let before = rules.len();
            rules.retain(|rule| {
                let mut called = rule.body.iter().filter_map(Literal::positive);
                !called.any(is_empty)
            });
            for rule in rules.iter_mut() {
                rule.body.retain(
                    |literal| !matches!(literal, Literal::Negative(atom) if is_empty(atom)),
                );
            }
            if rules.len() == before {
                return;
            }
        }
    }
}

/// Whether a guard holds for all values that its argument can have. `domains` are those of the
/// variables.
fn is_implied(guard: &Atom, program: &Program, domains: Option<&[Domain]>) -> bool {
    let facts = program.info(guard.relation).facts.iter();
    let facts: FixedBitSet = facts.map(|fact| fact[0].index()).collect();
    match (&guard.args[0], domains) {
        (Pattern::Term(term), _) => facts.contains(term.index()),
        (Pattern::Var(var), Some(domains)) => {
            let domain = &domains[*var as usize];
            let constants = domain.constants.as_ref().filter(|_| domain.is_flat());
            constants.is_some_and(|constants| constants.is_subset(&facts))
        }
        _ => false,
    }
}
