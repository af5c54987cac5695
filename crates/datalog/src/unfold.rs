//! Unfolds rules that are only safe when called with bound arguments.
//!
//! `(<= (different ?x ?y) (distinct ?x ?y))` derives nothing by itself, but authors write it
//! and call it with both arguments bound. Replacing the call by the rule's body gives it the
//! intended meaning, in both bottom-up and top-down evaluation.

use crate::analysis::Dependencies;
use crate::lower::{Part, emit, solved};
use crate::program::{Literal, Pattern, Program, RelationId, Rule, VarId};
use crate::terms::{TermId, TermStore};
use rustc_hash::FxHashSet;

/// Unfolding adds at most about this many rules. The remaining calls are evaluated unchanged.
///
/// A rule that calls an unsafe relation of ten rules six times would become a million rules.
/// Games that mean what they say grow by a few.
const MAX_GROWTH: usize = 10_000;

pub(crate) fn unfold_unsafe(program: &mut Program) {
    let most = program.rules.len() + MAX_GROWTH;
    // Each round unfolds one level of calls. Deeper calls become visible in the next round.
    for _ in 0..8 {
        let dependencies = Dependencies::of(program);
        let unsafe_relations: FxHashSet<usize> = (0..program.relations.len())
            .filter(|&relation| {
                !dependencies.is_recursive(relation)
                    && program.relations[relation]
                        .rules
                        .iter()
                        .any(|&rule| !is_safe(&program.rules[rule as usize]))
            })
            .collect();
        let calls_unsafe = |rule: &Rule| {
            rule.body.iter().any(|literal| {
                literal
                    .positive()
                    .is_some_and(|atom| unsafe_relations.contains(&atom.relation.index()))
            })
        };
        if !program.rules.iter().any(calls_unsafe) || program.rules.len() > most {
            return;
        }
        let rules = std::mem::take(&mut program.rules);
        let relations = program.relations.iter_mut();
        let by_head: Vec<Vec<u32>> = relations
            .map(|info| std::mem::take(&mut info.rules))
            .collect();
        // Rules that are still to come count too, because they stay at least as they are.
        for (at, rule) in rules.iter().enumerate() {
            if calls_unsafe(rule) && program.rules.len() + rules.len() - at <= most {
                let called = |relation: RelationId| {
                    let theirs = by_head[relation.index()].iter();
                    theirs.map(|&rule| &rules[rule as usize])
                };
                unfold_rule(program, called, rule, &unsafe_relations);
            } else {
                program.add_rule(rule.clone());
            }
        }
    }
}

/// Whether positive literals bind every variable of the head, of negations and of `distinct`.
/// Variables that occur in only one negation are existential there.
fn is_safe(rule: &Rule) -> bool {
    let mut bound = vec![false; rule.vars];
    for atom in rule.body.iter().filter_map(Literal::positive) {
        atom.for_each_var(&mut |var| bound[var as usize] = true);
    }
    let mut safe = true;
    rule.head
        .for_each_var(&mut |var| safe &= bound[var as usize]);
    for literal in &rule.body {
        if let Literal::Distinct(..) = literal {
            literal.for_each_var(&mut |var| safe &= bound[var as usize]);
        }
    }
    safe
}

/// Replaces the first unsafe call of `rule` by the bodies of the rules that `called` lists.
fn unfold_rule<'a, I: Iterator<Item = &'a Rule>>(
    program: &mut Program,
    called: impl Fn(RelationId) -> I,
    rule: &Rule,
    unsafe_relations: &FxHashSet<usize>,
) {
    let call = rule.body.iter().position(|literal| {
        literal
            .positive()
            .is_some_and(|atom| unsafe_relations.contains(&atom.relation.index()))
    });
    let Some((position, atom)) =
        call.and_then(|position| Some((position, rule.body[position].positive()?)))
    else {
        return;
    };
    let facts: Vec<Box<[TermId]>> = program.info(atom.relation).facts.clone();
    for fact in facts {
        let mut parts = replaced(rule, position, Vec::new());
        parts.extend(
            atom.args
                .iter()
                .zip(&fact)
                .map(|(a, t)| Part::Equal(a.clone(), Pattern::Term(*t))),
        );
        emit(program, rule.head.clone(), parts, rule.span);
    }
    for called in called(atom.relation) {
        if let Some(rule) = unfold(rule, position, called, &mut program.terms) {
            program.add_rule(rule);
        }
    }
}

/// Replaces the positive literal at `position` by the body of `called`, a rule for the same
/// relation.
///
/// `None` if the literal does not match the head, if the new body can never hold, or if there
/// is no positive literal at `position`.
pub fn unfold(rule: &Rule, position: usize, called: &Rule, terms: &mut TermStore) -> Option<Rule> {
    let atom = rule.body.get(position)?.positive()?;
    let offset = rule.vars as VarId;
    let body = called.body.iter().map(|literal| literal.shifted(offset));
    let mut parts = replaced(rule, position, body.collect());
    parts.extend(
        atom.args
            .iter()
            .zip(&called.head.args)
            .map(|(a, b)| Part::Equal(a.clone(), b.shifted(offset))),
    );
    solved(terms, &rule.head, parts, rule.span)
}

/// The body of `rule` with the literal at `position` replaced.
fn replaced(rule: &Rule, position: usize, by: Vec<Literal>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::with_capacity(rule.body.len() + by.len());
    for (i, literal) in rule.body.iter().enumerate() {
        if i == position {
            parts.extend(by.iter().cloned().map(Part::Literal));
        } else {
            parts.push(Part::Literal(literal.clone()));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        Program::from_sheet(&gdl_parse::parse(text, &Default::default()).sheet)
    }

    #[test]
    fn unfolding_is_bounded() {
        // Six calls of a relation with one unsafe rule and eight facts: half a million rules.
        let facts: String = (0..8).map(|n| format!("(next_to {n} {n}1)\n")).collect();
        let calls: String = (0..6)
            .map(|n| format!("(next_to ?{n} ?{})", n + 1))
            .collect();
        let program = program(&format!(
            "{facts}(next_to ?x ?y)\n(<= (far ?0 ?6) {calls})\n(<= terminal (far 0 6))"
        ));
        assert!(
            program.rules.len() <= 3 + MAX_GROWTH + 9,
            "{}",
            program.rules.len()
        );
    }

    #[test]
    fn calls_of_unsafe_rules_are_unfolded() {
        let program = program(
            "(<= (different ?x ?y) (distinct ?x ?y))
             (<= (legal a (go ?x)) (place ?x) (different ?x b)) (place b) (place c)",
        );
        let legal = Program::keyword(gdl_parse::Keyword::Legal);
        let body = &program.rules_of(legal).next().expect("a rule").body;
        assert!(matches!(body[1], Literal::Distinct(..)), "{body:?}");
    }
}
