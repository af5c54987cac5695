//! Which relations have free arguments.

use super::{Free, FreeArg, FreeArguments, Uses, is_keyword, own_variable};
use crate::domain::Columns;
use crate::helpers::variables;
use datalog::{Literal, Program, RelationId, Rule};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl<'a> FreeArguments<'a> {
    /// Finds relations with free arguments, from the rules that leave arguments free by themselves
    /// to those that pass them on.
    pub(super) fn find(
        program: &Program,
        dynamic: &'a [bool],
        possible: &Columns,
        least: f64,
    ) -> FreeArguments<'a> {
        let whole = asked_for_any(program);
        let mut split = FreeArguments {
            dynamic,
            free: BTreeMap::new(),
        };
        loop {
            let relations = (0..program.relations.len()).map(|number| RelationId(number as u32));
            let found = relations.filter_map(|relation| {
                let fits = dynamic[relation.index()]
                    && !is_keyword(relation)
                    && !whole.contains(&relation)
                    && !split.free.contains_key(&relation);
                let free = fits.then(|| split.free_in_rules(program, relation))??;
                let values = free.args.iter().map(|(_, guards)| {
                    let values = guards.iter().flat_map(|&guard| possible.sizes(guard));
                    values.fold(f64::INFINITY, f64::min)
                });
                (values.product::<f64>() >= least).then_some((relation, free))
            });
            let found: Vec<(RelationId, Free)> = found.collect();
            if found.is_empty() {
                break;
            }
            split.free.extend(found);
        }
        split.keep_passed_on(program);
        split
    }

    /// The arguments that the rules of a relation leave free, as far as they leave any: those that
    /// they have in common, or else those that most of them leave free.
    fn free_in_rules(&self, program: &Program, relation: RelationId) -> Option<Free> {
        let rules = program.rules_of(relation);
        let mut all: Vec<Vec<FreeArg>> = rules.map(|rule| self.left_free(rule)).collect();
        all.retain(|free| !free.is_empty());
        all.sort();
        let mut args = all.first()?.clone();
        args.retain(|arg| all.iter().all(|free| free.contains(arg)));
        if args.is_empty() {
            let alike = all.chunk_by(|one, other| one == other);
            args = alike.max_by_key(|group| group.len())?[0].clone();
        }
        Some(Free {
            args,
            without: None,
        })
    }

    /// The arguments of the head that a rule leaves free, or passes on to calls that do.
    fn left_free(&self, rule: &Rule) -> Vec<FreeArg> {
        let places = 0..rule.head.args.len();
        let free = places.filter_map(|at| {
            let var = own_variable(rule, at)?;
            Some((at, self.guards(rule, var, Uses::Passed)?))
        });
        free.collect()
    }

    /// Keeps relations of which a rule passes free arguments on. Nothing else multiplies what is
    /// listed.
    fn keep_passed_on(&mut self, program: &Program) {
        let mut kept = FxHashSet::default();
        for rule in &program.rules {
            let head = rule.head.relation;
            let Some(free) = self.free.get(&head) else {
                continue;
            };
            let left = self.left_free(rule);
            if !free.args.iter().all(|arg| left.contains(arg)) {
                continue;
            }
            let passed = free
                .args
                .iter()
                .filter_map(|(at, _)| own_variable(rule, *at));
            let passed: Vec<_> = passed.collect();
            let passes =
                |literal: &&Literal| variables(literal).iter().any(|var| passed.contains(var));
            for atom in rule
                .body
                .iter()
                .filter(passes)
                .filter_map(Literal::positive)
            {
                if self.free.contains_key(&atom.relation) {
                    kept.extend([head, atom.relation]);
                }
            }
        }
        self.free.retain(|relation, _| kept.contains(relation));
    }
}

/// The relations of which a negation asks for any tuple with some arguments.
fn asked_for_any(program: &Program) -> FxHashSet<RelationId> {
    let mut found = FxHashSet::default();
    for rule in &program.rules {
        let mut bound = vec![false; rule.vars];
        for atom in rule.body.iter().filter_map(Literal::positive) {
            atom.for_each_var(&mut |var| bound[var as usize] = true);
        }
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal
                && !variables(literal).iter().all(|&var| bound[var as usize])
            {
                found.insert(atom.relation);
            }
        }
    }
    found
}
