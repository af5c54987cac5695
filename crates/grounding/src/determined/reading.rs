//! What conditions determine: what the keys of facts and relations say, and what the rule says by
//! which a relation is derived.

use crate::demand::domains;
use crate::domain::{Columns, Domain};
use crate::keys::{Determined, Keys};
use crate::tables::Tables;
use datalog::{Atom, Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, VarId};
use rustc_hash::FxHashMap;

/// What is known of the conditions of rules.
pub(super) struct Reading<'a> {
    pub(super) keys: &'a Keys,
    pub(super) possible: &'a Columns,
    pub(super) tables: &'a Tables,
    pub(super) dynamic: &'a [bool],
    pub(super) dependencies: &'a Dependencies,
    pub(super) rules: &'a [Rule],
    /// What the arguments of relations determine that one rule derives, as far as it was asked
    /// for: some arguments, and those that they determine.
    of_relations: FxHashMap<RelationId, Vec<Determined>>,
}

impl<'a> Reading<'a> {
    /// Reads these rules.
    pub(super) fn new(
        rules: &'a [Rule],
        keys: &'a Keys,
        (possible, tables): (&'a Columns, &'a Tables),
        (dynamic, dependencies): (&'a [bool], &'a Dependencies),
    ) -> Self {
        Reading {
            keys,
            possible,
            tables,
            dynamic,
            dependencies,
            rules,
            of_relations: FxHashMap::default(),
        }
    }

    /// Whether the state or the moves settle a condition.
    pub(super) fn is_dynamic(&self, atom: &Atom) -> bool {
        self.dynamic[atom.relation.index()]
    }

    /// What a condition determines.
    pub(super) fn determined(
        &mut self,
        condition: &Atom,
        domains: &[Domain],
        program: &Program,
    ) -> Vec<Determined> {
        let constants = |var: VarId| {
            let domain = &domains[usize::from(var)];
            let constants = domain.constants.as_ref().filter(|_| domain.is_flat())?;
            Some(
                constants
                    .ones()
                    .map(|number| TermId(number as u32))
                    .collect(),
            )
        };
        let mut found = self.keys.determined(condition, constants, &program.terms);
        let of_relation = self.of_relation(condition.relation, program).iter();
        let read = |places: &[VarId]| {
            let mut vars = Vec::new();
            for &place in places {
                condition.args[usize::from(place)].for_each_var(&mut |var| add(&mut vars, &[var]));
            }
            vars
        };
        let of_relation = of_relation.map(|places| {
            let by = read(&places.by);
            let mut vars = read(&places.vars);
            vars.retain(|var| !by.contains(var));
            Determined { by, vars }
        });
        found.extend(of_relation.filter(|way| !way.vars.is_empty()));
        found
    }

    /// What the arguments of a relation determine that one rule derives, as positions in place of
    /// variables.
    fn of_relation(&mut self, relation: RelationId, program: &Program) -> &[Determined] {
        if !self.of_relations.contains_key(&relation) {
            // A relation that depends on itself determines nothing as far as is known.
            self.of_relations.insert(relation, Vec::new());
            let found = self.by_rule(relation, program).unwrap_or_default();
            self.of_relations.insert(relation, found);
        }
        &self.of_relations[&relation]
    }

    fn by_rule(&mut self, relation: RelationId, program: &Program) -> Option<Vec<Determined>> {
        let info = program.info(relation);
        let [number] = info.rules[..] else {
            return None;
        };
        let rule = &self.rules[number as usize];
        let args: Option<Vec<VarId>> = rule.head.args.iter().map(variable).collect();
        let args = args.filter(|_| info.facts.is_empty())?;
        let domains = domains(rule, self.possible, self.tables, &program.terms)?;
        let mut steps = Vec::new();
        for atom in rule.body.iter().filter_map(Literal::positive) {
            steps.extend(self.determined(atom, &domains, program));
        }
        let mut found: Vec<Determined> = Vec::new();
        let places: Vec<VarId> = (0..args.len() as VarId).collect();
        let some = std::iter::once(vec![]).chain(places.iter().map(|&place| vec![place]));
        for by in some {
            let mut known: Vec<VarId> = by.iter().map(|&at| args[usize::from(at)]).collect();
            while let Some(step) = steps.iter().find(|step| {
                let has = |var: &VarId| known.contains(var);
                step.by.iter().all(has) && !step.vars.iter().all(has)
            }) {
                add(&mut known, &step.vars);
            }
            let is_new = |&place: &VarId| {
                known.contains(&args[usize::from(place)])
                    && !by.contains(&place)
                    && found
                        .iter()
                        .all(|less| !(less.by.is_empty() && less.vars.contains(&place)))
            };
            let vars: Vec<VarId> = places.iter().copied().filter(is_new).collect();
            if !vars.is_empty() {
                found.push(Determined { by, vars });
            }
        }
        Some(found)
    }
}

/// The variable that a pattern is.
fn variable(pattern: &Pattern) -> Option<VarId> {
    match pattern {
        Pattern::Var(var) => Some(*var),
        _ => None,
    }
}

/// Adds variables that are not there yet.
pub(super) fn add(vars: &mut Vec<VarId>, more: &[VarId]) {
    for var in more {
        if !vars.contains(var) {
            vars.push(*var);
        }
    }
}
