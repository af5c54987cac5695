//! Merges rules that differ in one condition.
//!
//! `h(?x) <= p(?x, ?y), a(?y, ?z), q(?z)` and the same rule with `b(?y, ?z)` for `a(?y, ?z)`
//! multiply the instances of the rest. Authors write such rules as a disjunction, and lowering
//! makes one rule of each alternative; splitting leaves such rules behind as well. A helper
//! relation that holds where either condition does takes the place of both. This is algebraic
//! factoring (Brayton and McMullen, "The decomposition and factorization of Boolean
//! expressions", 1982) at the level of rules, before there are any instances.

use crate::demand::domains;
use crate::domain::Columns;
use crate::helpers::renumber_literal;
use crate::split::over_variables;
use crate::tables::Tables;
use datalog::{Atom, Literal, Program, RelationId, RelationInfo, Rule, TermStore, VarId};
use rustc_hash::FxHashMap;

/// Rules for one relation beyond this number are not compared.
const MAX_RULES: usize = 64;

/// What two rules have in common that differ in one condition: the head and the other
/// conditions, with variables numbered by first occurrence, and which of these variables the
/// condition contains.
type Frame = (Vec<Literal>, Vec<VarId>);

/// A rule without one of its conditions.
struct Hole {
    rule: usize,
    literal: usize,
    /// The variables that the condition shares with the rest, in the order of the frame.
    shared: Vec<VarId>,
}

/// Merges rules for relations that are `dynamic`, if their variables allow more than `least`
/// combinations. New relations are added to the program; its
/// lists of the rules of each relation are left as they were.
pub(crate) fn merge(
    program: &mut Program,
    dynamic: &[bool],
    possible: &Columns,
    tables: &Tables,
    least: f64,
) {
    let mut groups: FxHashMap<RelationId, Vec<Rule>> = FxHashMap::default();
    let mut order: Vec<RelationId> = Vec::new();
    let mut rules = Vec::with_capacity(program.rules.len());
    for rule in std::mem::take(&mut program.rules) {
        let wide = dynamic[rule.head.relation.index()]
            && is_wide(&rule, possible, tables, &program.terms, least);
        if wide {
            let relation = rule.head.relation;
            let group = groups.entry(relation).or_insert_with(|| {
                order.push(relation);
                Vec::new()
            });
            group.push(rule);
        } else {
            rules.push(rule);
        }
    }
    for relation in order {
        let group = groups.remove(&relation).unwrap_or_default();
        merged(group, program, &mut rules);
    }
    program.rules = rules;
}

/// Whether the variables of a rule allow many combinations.
fn is_wide(
    rule: &Rule,
    possible: &Columns,
    tables: &Tables,
    terms: &TermStore,
    least: f64,
) -> bool {
    let Some(domains) = domains(rule, possible, tables, terms) else {
        return false;
    };
    let sizes = domains.iter().map(|domain| possible.size(domain).max(1.0));
    sizes.product::<f64>() > least
}

/// Merges the rules of one relation as long as two differ in one condition only, and adds them
/// and the rules of new relations to `out`.
fn merged(mut group: Vec<Rule>, program: &mut Program, out: &mut Vec<Rule>) {
    while group.len() > 1 && group.len() <= MAX_RULES {
        let Some(holes) = most_alike(&group) else {
            break;
        };
        let arity = holes[0].shared.len();
        let relation = add_relation(program, arity);
        let mut alternatives: Vec<Vec<Literal>> = Vec::new();
        for hole in &holes {
            let mut numbers = hole.shared.clone();
            let rule = &group[hole.rule];
            let body = vec![renumber_literal(&rule.body[hole.literal], &mut numbers)];
            if !alternatives.contains(&body) {
                out.push(Rule {
                    head: over_variables(relation, 0..arity as VarId),
                    body: body.clone(),
                    vars: numbers.len(),
                    span: rule.span,
                });
                alternatives.push(body);
            }
        }
        let first = &holes[0];
        let helper = over_variables(relation, first.shared.iter().copied());
        group[first.rule].body[first.literal] = Literal::Positive(helper);
        let mut at = 0;
        group.retain(|_| {
            at += 1;
            at - 1 == first.rule || holes.iter().all(|hole| hole.rule != at - 1)
        });
    }
    out.append(&mut group);
}

/// The rules that have the same frame around one condition each, where these are the most.
fn most_alike(group: &[Rule]) -> Option<Vec<Hole>> {
    let mut frames: FxHashMap<Frame, Vec<Hole>> = FxHashMap::default();
    let mut order: Vec<Frame> = Vec::new();
    for (rule, text) in group.iter().enumerate() {
        for literal in 0..text.body.len() {
            let Some((frame, shared)) = frame(text, literal) else {
                continue;
            };
            let hole = Hole {
                rule,
                literal,
                shared,
            };
            match frames.get_mut(&frame) {
                // A rule that repeats a condition has the same frame twice.
                Some(holes) if holes.last().is_some_and(|last| last.rule == rule) => {}
                Some(holes) => holes.push(hole),
                None => {
                    order.push(frame.clone());
                    frames.insert(frame, vec![hole]);
                }
            }
        }
    }
    // Among equals the first, so that the result does not depend on hashes.
    let count = |frame: &Frame| frames.get(frame).map_or(0, Vec::len);
    let best = order.iter().rev().max_by_key(|frame| count(frame))?;
    frames.remove(best).filter(|holes| holes.len() > 1)
}

/// The frame of a rule around a positive condition, and the variables of the rule that both
/// share.
fn frame(rule: &Rule, literal: usize) -> Option<(Frame, Vec<VarId>)> {
    rule.body[literal].positive()?;
    let mut numbers: Vec<VarId> = Vec::new();
    let head = Literal::Positive(Atom::clone(&rule.head));
    let mut around = vec![renumber_literal(&head, &mut numbers)];
    for (at, other) in rule.body.iter().enumerate() {
        if at != literal {
            around.push(renumber_literal(other, &mut numbers));
        }
    }
    let mut inside: Vec<VarId> = Vec::new();
    rule.body[literal].for_each_var(&mut |var| {
        if let Some(number) = numbers.iter().position(|&v| v == var) {
            inside.push(number as VarId);
        }
    });
    inside.sort_unstable();
    inside.dedup();
    let shared = inside
        .iter()
        .map(|&number| numbers[number as usize])
        .collect();
    Some(((around, inside), shared))
}

/// A new relation.
pub(crate) fn add_relation(program: &mut Program, arity: usize) -> RelationId {
    let id = RelationId(program.relations.len() as u32);
    // No rulesheet can contain a name with a space, so the name is unique.
    let name = program.terms.symbol(&format!("either {}", id.0));
    program.relations.push(RelationInfo {
        name,
        arity,
        facts: Vec::new(),
        rules: Vec::new(),
    });
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(text: &str) -> (Program, Vec<Rule>) {
        let mut program = Program::from_sheet(&gdl_parse::parse(text, &Default::default()).sheet);
        let rules = std::mem::take(&mut program.rules);
        (program, rules)
    }

    #[test]
    fn alternatives_become_one_relation() {
        let (mut program, rules) = group(
            "(<= (h ?x) (p ?x ?y) (or (a ?y ?z) (b ?z ?y) (c ?z)) (q ?z))
             (<= (h ?x) (p ?x ?y) (a ?y ?x))",
        );
        let mut out = Vec::new();
        merged(rules, &mut program, &mut out);
        // One rule with the helper for `a` and `b`, its two rules, the rule with `c`, which has
        // other variables, and the last rule.
        assert_eq!(out.len(), 5);
        let helper = &out[0].head;
        assert_eq!(
            program.name(helper.relation),
            format!("either {}", helper.relation.0)
        );
        let users = out.iter().filter(|rule| {
            let mut atoms = rule.body.iter().filter_map(Literal::positive);
            atoms.any(|atom| atom.relation == helper.relation)
        });
        assert_eq!(users.count(), 1);
    }

    #[test]
    fn rules_that_differ_in_two_conditions_stay() {
        let (mut program, rules) = group(
            "(<= (h ?x) (p ?x ?y) (a ?y)) (<= (h ?x) (q ?x ?y) (b ?y))
             (<= (h ?x) (p ?x ?y) (not (b ?y)))",
        );
        let mut out = Vec::new();
        merged(rules, &mut program, &mut out);
        assert_eq!(out.len(), 3);
        assert!(
            out.iter()
                .all(|rule| program.name(rule.head.relation) == "h")
        );
    }
}
