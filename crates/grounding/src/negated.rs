//! Replaces the negation of a wide relation by the negations of what it consists of.
//!
//! A relation of seven arguments is often a union of narrower ones: a king is attacked after a
//! move by a pawn, whatever square was left; by a knight, likewise; along a line that the move
//! opened. Listing the union costs an instance for each combination of all arguments and each of
//! its parts. Most such relations are only asked for under a negation, and there the union is a
//! conjunction, each part of which has only the arguments that it needs:
//! `not r(?x, ?y, ?z)` becomes `not a(?x, ?y), not b(?y, ?z)`. The union itself is then not
//! listed at all.

use crate::demand::domains;
use crate::domain::{Columns, Domain};
use crate::tables::Tables;
use datalog::{Atom, Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, VarId};

/// A relation with more rules than this is left as it is.
const MAX_PARTS: usize = 8;

/// A part of a union.
struct Part {
    /// The narrower atom. Its variables are the positions of the union's arguments.
    atom: Atom,
    /// For some arguments of the union the terms that they must be among.
    among: Vec<(usize, Vec<TermId>)>,
}

/// Replaces negations in all rules, of relations whose arguments allow more than `least`
/// combinations. Returns whether there were any.
pub(crate) fn replace_negations(
    program: &mut Program,
    dynamic: &[bool],
    possible: &Columns,
    tables: &Tables,
    least: f64,
) -> bool {
    let dependencies = Dependencies::of(program);
    let parts: Vec<Option<Vec<Part>>> = (0..program.relations.len())
        .map(|number| {
            let relation = RelationId(number as u32);
            let size: f64 = possible.sizes(relation).map(|s| s.max(1.0)).product();
            let fit = dynamic[number] && !dependencies.is_recursive(number) && size > least;
            fit.then(|| parts(program, relation, dynamic, tables))
                .flatten()
        })
        .collect();
    if parts.iter().all(Option::is_none) {
        return false;
    }
    let mut changed = false;
    let mut rules = std::mem::take(&mut program.rules);
    for rule in &mut rules {
        let is_union = |literal: &Literal| match literal {
            Literal::Negative(atom) => parts[atom.relation.index()].is_some(),
            _ => false,
        };
        if !rule.body.iter().any(is_union) {
            continue;
        }
        let Some(domains) = domains(rule, possible, tables, &program.terms) else {
            continue;
        };
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in std::mem::take(&mut rule.body) {
            let replaced = match &literal {
                Literal::Negative(atom) => parts[atom.relation.index()]
                    .as_ref()
                    .and_then(|parts| conjunction(atom, parts, &domains)),
                _ => None,
            };
            match replaced {
                Some(literals) => {
                    changed = true;
                    body.extend(literals);
                }
                None => body.push(literal),
            }
        }
        rule.body = body;
    }
    program.rules = rules;
    changed
}

/// The parts of a relation, if it is a union of narrower ones.
fn parts(
    program: &Program,
    relation: RelationId,
    dynamic: &[bool],
    tables: &Tables,
) -> Option<Vec<Part>> {
    let info = program.info(relation);
    if info.rules.is_empty() || info.rules.len() > MAX_PARTS || !info.facts.is_empty() {
        return None;
    }
    let rules = program.rules_of(relation);
    let parts: Option<Vec<Part>> = rules
        .map(|rule| part(program, rule, dynamic, tables))
        .collect();
    let narrow = |part: &Part| {
        let mut used = vec![false; info.arity];
        part.atom.for_each_var(&mut |var| used[var as usize] = true);
        used.contains(&false)
    };
    parts.filter(|parts| parts.iter().any(narrow))
}

fn part(program: &Program, rule: &Rule, dynamic: &[bool], tables: &Tables) -> Option<Part> {
    // The position in the head of each variable.
    let mut position: Vec<Option<usize>> = vec![None; rule.vars];
    for (at, arg) in rule.head.args.iter().enumerate() {
        match arg {
            Pattern::Var(var) if position[*var as usize].is_none() => {
                position[*var as usize] = Some(at);
            }
            _ => return None,
        }
    }
    let mut core: Option<Atom> = None;
    let mut among = Vec::new();
    for literal in &rule.body {
        let atom = literal.positive()?;
        if dynamic[atom.relation.index()] {
            let args = atom.args.iter().map(|arg| match arg {
                Pattern::Term(term) => Some(Pattern::Term(*term)),
                Pattern::Var(var) => position[*var as usize].map(|at| Pattern::Var(at as VarId)),
                Pattern::Compound(..) => None,
            });
            let atom = Atom {
                relation: atom.relation,
                args: args.collect::<Option<_>>()?,
            };
            if core.replace(atom).is_some() {
                return None;
            }
        } else {
            let [Pattern::Var(var)] = &*atom.args else {
                return None;
            };
            among.push((
                position[*var as usize]?,
                members(program, atom.relation, tables)?,
            ));
        }
    }
    core.map(|atom| Part { atom, among })
}

/// The terms for which a static relation of one argument holds.
fn members(program: &Program, relation: RelationId, tables: &Tables) -> Option<Vec<TermId>> {
    let info = program.info(relation);
    if info.rules.is_empty() {
        let first = info.facts.iter().filter_map(|fact| fact.first().copied());
        return Some(first.collect());
    }
    tables.members(relation).map(<[TermId]>::to_vec)
}

/// The literals that hold together where the union does not. `None` if it is not known whether
/// an argument is among the terms that some part asks for.
fn conjunction(union: &Atom, parts: &[Part], domains: &[Domain]) -> Option<Vec<Literal>> {
    let mut literals = Vec::with_capacity(parts.len());
    'parts: for part in parts {
        for (at, terms) in &part.among {
            match &union.args[*at] {
                Pattern::Term(term) if terms.contains(term) => {}
                // This part never holds.
                Pattern::Term(_) => continue 'parts,
                Pattern::Var(var) => {
                    let domain = &domains[*var as usize];
                    let constants = domain.constants.as_ref().filter(|_| domain.is_flat())?;
                    let known = |constant: usize| terms.contains(&TermId(constant as u32));
                    if !constants.ones().all(known) {
                        return None;
                    }
                }
                Pattern::Compound(..) => return None,
            }
        }
        let args = part.atom.args.iter().map(|arg| match arg {
            Pattern::Var(at) => union.args[*at as usize].clone(),
            other => other.clone(),
        });
        literals.push(Literal::Negative(Atom {
            relation: part.atom.relation,
            args: args.collect(),
        }));
    }
    Some(literals)
}
