//! Gives rules the values that they need from those who call them.
//!
//! `member(?x, cons(?x, ?rest))` holds for every list: no fact bounds its variables, and listed by
//! itself the relation has no end. Rulesheets call it with both arguments known. As with magic
//! sets (Bancilhon et al., 1986), a relation of the calls is added: `asked(?x, ?list)` holds where
//! some rule asks for the relation, by what that rule asks before. Each rule of the relation gets
//! it as its first condition, which bounds its variables. Relations whose rules are safe by
//! themselves are left as they are.

use crate::helpers::renumbered;
use crate::merge::add_relation;
use crate::rewrite::{ROOTS, relation};
use datalog::{Atom, Literal, Pattern, Program, RelationId, Rule, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The arguments that are known in every call of a relation.
type Known = FxHashMap<RelationId, Vec<bool>>;

/// Restricts the relations that need it to what is asked for. Returns whether there are any.
pub(crate) fn ask(program: &mut Program) -> bool {
    let open = open_relations(program);
    if open.is_empty() {
        return false;
    }
    let Some(known) = known_arguments(program, &open) else {
        return false;
    };
    let mut asked: FxHashMap<RelationId, RelationId> = FxHashMap::default();
    let mut order: Vec<RelationId> = open.into_iter().collect();
    order.sort_unstable();
    for relation in order {
        let arity = known[&relation].iter().filter(|&&known| known).count();
        asked.insert(relation, add_relation(program, arity));
    }
    let calls = |atom: &Atom| {
        let args = atom.args.iter().zip(&known[&atom.relation]);
        Atom {
            relation: asked[&atom.relation],
            args: args
                .filter(|(_, known)| **known)
                .map(|(arg, _)| arg.clone())
                .collect(),
        }
    };
    let mut rules = Vec::new();
    for mut rule in std::mem::take(&mut program.rules) {
        if known.contains_key(&rule.head.relation) {
            rule.body.insert(0, Literal::Positive(calls(&rule.head)));
        }
        // What is asked before a call: everything else that is positive, and earlier calls.
        let mut before: Vec<Literal> = rule
            .body
            .iter()
            .filter(|literal| match literal {
                Literal::Positive(atom) => !known.contains_key(&atom.relation),
                Literal::Negative(_) => false,
                Literal::Distinct(..) => true,
            })
            .cloned()
            .collect();
        for literal in &rule.body {
            if let Some(atom) = atom(literal).filter(|atom| known.contains_key(&atom.relation)) {
                let bound = bound_by(&before);
                let body = before.iter().filter(|literal| match literal {
                    Literal::Distinct(..) => covers(&bound, literal),
                    _ => true,
                });
                rules.push(renumbered(&calls(atom), body, rule.span));
                if literal.positive().is_some() {
                    before.push(literal.clone());
                }
            }
        }
        rules.push(rule);
    }
    program.rules = rules;
    true
}

/// The relations that need values from their callers, and those that call them: they may have to
/// pass on what they know themselves.
fn open_relations(program: &Program) -> FxHashSet<RelationId> {
    let alone = |rule: &&Rule| !is_safe(rule, FxHashSet::default());
    let rules = program.rules.iter().filter(alone);
    let mut open: FxHashSet<RelationId> = rules.map(|rule| rule.head.relation).collect();
    let is_played = |r: RelationId| ROOTS.iter().any(|&keyword| Program::keyword(keyword) == r);
    if open.iter().any(|&r| is_played(r)) {
        // Nobody calls these.
        return FxHashSet::default();
    }
    loop {
        let before = open.len();
        for rule in &program.rules {
            let mut called = rule.body.iter().filter_map(relation);
            if !is_played(rule.head.relation) && called.any(|r| open.contains(&r)) {
                open.insert(rule.head.relation);
            }
        }
        if open.len() == before {
            return open;
        }
    }
}

fn atom(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
        Literal::Distinct(..) => None,
    }
}

/// The arguments of each open relation that all calls know. `None` if that is not enough for its
/// rules.
fn known_arguments(program: &Program, open: &FxHashSet<RelationId>) -> Option<Known> {
    let all = |&relation: &RelationId| (relation, vec![true; program.info(relation).arity]);
    let mut known: Known = open.iter().map(all).collect();
    loop {
        let mut changed = false;
        for rule in &program.rules {
            let mut bound = bound_by_head(rule, &known);
            for literal in &rule.body {
                if literal.positive().is_some()
                    && relation(literal).is_some_and(|r| !open.contains(&r))
                {
                    literal.for_each_var(&mut |var| {
                        bound.insert(var);
                    });
                }
            }
            for literal in &rule.body {
                let Some(atom) = atom(literal).filter(|atom| open.contains(&atom.relation)) else {
                    continue;
                };
                let of_relation = known.get_mut(&atom.relation)?;
                for (arg, known) in atom.args.iter().zip(of_relation) {
                    if *known && !arg.all_vars(|var| bound.contains(&var)) {
                        *known = false;
                        changed = true;
                    }
                }
                if literal.positive().is_some() {
                    literal.for_each_var(&mut |var| {
                        bound.insert(var);
                    });
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut rules = program.rules.iter();
    let safe = rules.all(|rule| is_safe(rule, bound_by_head(rule, &known)));
    safe.then_some(known)
}

/// The variables that the caller binds.
fn bound_by_head(rule: &Rule, known: &Known) -> FxHashSet<VarId> {
    let mut bound = FxHashSet::default();
    if let Some(known) = known.get(&rule.head.relation) {
        let args = rule.head.args.iter().zip(known);
        for (arg, _) in args.filter(|(_, known)| **known) {
            arg.for_each_var(&mut |var| {
                bound.insert(var);
            });
        }
    }
    bound
}

fn bound_by(body: &[Literal]) -> FxHashSet<VarId> {
    let mut bound = FxHashSet::default();
    for literal in body.iter().filter(|literal| literal.positive().is_some()) {
        literal.for_each_var(&mut |var| {
            bound.insert(var);
        });
    }
    bound
}

fn covers(bound: &FxHashSet<VarId>, literal: &Literal) -> bool {
    let mut all = true;
    literal.for_each_var(&mut |var| all &= bound.contains(&var));
    all
}

/// Whether all variables of the head and of inequalities have a value once the body holds.
fn is_safe(rule: &Rule, mut bound: FxHashSet<VarId>) -> bool {
    bound.extend(bound_by(&rule.body));
    let covered = |arg: &Pattern| arg.all_vars(|var| bound.contains(&var));
    let distinct = |literal: &Literal| match literal {
        Literal::Distinct(..) => covers(&bound, literal),
        _ => true,
    };
    rule.head.args.iter().all(covered) && rule.body.iter().all(distinct)
}
