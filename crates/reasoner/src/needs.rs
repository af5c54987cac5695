//! What the calls of a relation need to be answered in full.
//!
//! In GDL every relation can be listed, since positive conditions bind all variables of a rule.
//! Authors also write relations that are only meant to be called with some arguments bound, as
//! in Prolog: `(member ?x (cons ?x ?rest))` holds for every list. Called without the list, such a
//! rule derives nothing, or it never ends. So a join order must not only be cheap: it must
//! bind what calls need before it makes them.

use crate::compile::{Mask, is_bound, mask};
use datalog::{Atom, Bindings, Dependencies, Literal, Pattern, Program, RelationId, Rule};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What evaluating a call finds. The better comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answers {
    /// All tuples.
    All,
    /// There may be no end of them: a recursive rule builds ever larger terms.
    Endless,
    /// Some are missing: a variable in the head of a rule has no value.
    Missing,
}

/// A relation called with certain arguments bound.
type Call = (RelationId, Mask);

/// What calls find, for all relations and all choices of bound arguments.
pub(crate) struct Needs<'a> {
    program: &'a Program,
    dependencies: &'a Dependencies,
    /// Whether each relation can be listed in full. Then so can any part of it.
    listable: Vec<bool>,
    /// For calls of other relations, as far as they were asked for.
    known: RefCell<FxHashMap<Call, Answers>>,
}

impl<'a> Needs<'a> {
    pub(crate) fn of(program: &'a Program, dependencies: &'a Dependencies) -> Self {
        let mut needs = Needs {
            program,
            dependencies,
            listable: vec![true; program.relations.len()],
            known: RefCell::default(),
        };
        // Dependencies come first.
        for component in dependencies.components() {
            let is_listable = |needs: &Needs<'_>, relation: RelationId| {
                let mut find = |(called, _): Call| match needs.listable[called.index()] {
                    true => Answers::All,
                    false => Answers::Missing,
                };
                needs.derived((relation, 0), &mut find) == Answers::All
            };
            while let Some(&other) = component
                .iter()
                .find(|&&r| needs.listable[r.index()] && !is_listable(&needs, r))
            {
                needs.listable[other.index()] = false;
            }
        }
        needs
    }

    /// What a call of `atom` finds.
    pub(crate) fn answers(&self, atom: &Atom, bindings: &Bindings) -> Answers {
        if self.listable[atom.relation.index()] {
            return Answers::All;
        }
        let call = (atom.relation, mask(atom, bindings));
        if let Some(&known) = self.known.borrow().get(&call) {
            return known;
        }
        // A recursive call finds everything, unless something prevents it. So all are assumed to
        // find everything, until that is refuted.
        let mut calls = vec![call];
        let mut assumed: FxHashMap<Call, Answers> = FxHashMap::from_iter([(call, Answers::All)]);
        loop {
            let mut changed = false;
            let mut at = 0;
            while let Some(&call) = calls.get(at) {
                at += 1;
                let found = self.derived(call, &mut |called| {
                    if self.listable[called.0.index()] {
                        return Answers::All;
                    }
                    if let Some(&known) = self.known.borrow().get(&called) {
                        return known;
                    }
                    *assumed.entry(called).or_insert_with(|| {
                        calls.push(called);
                        Answers::All
                    })
                });
                changed |= assumed.insert(call, found) != Some(found);
            }
            if !changed {
                break;
            }
        }
        let found = assumed[&call];
        self.known.borrow_mut().extend(assumed);
        found
    }

    /// What the rules of a relation find, given what other calls find.
    fn derived(&self, (relation, mask): Call, find: &mut impl FnMut(Call) -> Answers) -> Answers {
        let mut worst = Answers::All;
        for rule in self.program.rules_of(relation) {
            worst = worst.max(self.derived_by(rule, mask, find));
            if worst == Answers::Missing {
                break;
            }
        }
        worst
    }

    fn derived_by(
        &self,
        rule: &Rule,
        bound: Mask,
        find: &mut impl FnMut(Call) -> Answers,
    ) -> Answers {
        let mut bindings = Bindings::none(rule.vars);
        let (mut keys, mut free) = (Vec::new(), Vec::new());
        for (i, arg) in rule.head.args.iter().enumerate() {
            match is_bound(bound, i) {
                true => keys.push(arg),
                false => free.push(arg),
            }
        }
        keys.iter().for_each(|key| bindings.bind(key));
        // More bindings never harm, so the best call is always right to come next.
        let mut left: Vec<&Atom> = rule.body.iter().filter_map(Literal::positive).collect();
        let mut worst = Answers::All;
        while !left.is_empty() {
            let mut best = (Answers::Missing, 0);
            for (position, atom) in left.iter().enumerate() {
                let found = find((atom.relation, mask(atom, &bindings)));
                if found < best.0 {
                    best = (found, position);
                }
                if found == Answers::All {
                    break;
                }
            }
            worst = worst.max(best.0);
            if worst == Answers::Missing {
                return worst;
            }
            bindings.bind_atom(left.remove(best.1));
        }
        if !free.iter().all(|arg| bindings.is_ground(arg)) {
            return Answers::Missing;
        }
        // The terms grow if only the recursion says what they are built from.
        let mut limited = Bindings::none(rule.vars);
        keys.iter().for_each(|key| limited.bind(key));
        let component = self.dependencies.component(rule.head.relation);
        let others = rule.body.iter().filter_map(Literal::positive);
        others
            .filter(|atom| self.dependencies.component(atom.relation) != component)
            .for_each(|atom| limited.bind_atom(atom));
        let grows =
            |arg: &&Pattern| matches!(arg, Pattern::Compound(..)) && !limited.is_ground(arg);
        match free.iter().any(grows) {
            true => worst.max(Answers::Endless),
            false => worst,
        }
    }
}
