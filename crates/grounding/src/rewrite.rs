//! Rewrites a program into the form that the fixpoint evaluates.

use crate::demand::{possible, restrict};
use crate::error::GroundError;
use crate::helpers::Helpers;
use crate::meter::Meter;
use crate::unfold::Unfoldable;
use datalog::{Dependencies, Literal, Program, RelationId, Rule};
use gdl_parse::Keyword;

/// A rewritten program. It contains only what play depends on, and its negations have no
/// variables of their own.
pub(crate) struct Prepared {
    pub(crate) program: Program,
    /// Whether each relation occurs in ground rules: it depends on state or moves, or play asks
    /// for it.
    pub(crate) dynamic: Vec<bool>,
    pub(crate) dependencies: Dependencies,
    /// The first helper relation introduced here.
    pub(crate) first_helper: RelationId,
}

/// The relations that play asks for.
const ROOTS: [Keyword; 6] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Relations that occur in ground rules even if they depend on neither state nor moves.
const ALWAYS_DYNAMIC: [Keyword; 6] = [
    Keyword::True,
    Keyword::Does,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Prepares a program.
pub(crate) fn prepare(program: &Program, meter: &mut Meter<'_>) -> Result<Prepared, GroundError> {
    let mut program = program.clone();
    let dynamic = dynamic_relations(&program);
    // Roles and the initial state are settled before there is a state. Their rules that ask for
    // a state never apply.
    let settled_before = [Keyword::Role, Keyword::Init].map(Program::keyword);
    let needed = needed_relations(&program);
    let rules = std::mem::take(&mut program.rules);
    let rules = rules.into_iter().filter(|rule| {
        let asks_for_state = || {
            rule.body
                .iter()
                .filter_map(relation)
                .any(|r| dynamic[r.index()])
        };
        needed[rule.head.relation.index()]
            && !(settled_before.contains(&rule.head.relation) && asks_for_state())
    });
    let rules: Vec<Rule> = rules.collect();
    set_rules(&mut program, rules);
    for (info, needed) in program.relations.iter_mut().zip(needed) {
        if !needed {
            info.facts.clear();
        }
    }
    let first_helper = RelationId(program.relations.len() as u32);
    let mut dynamic = split_rules(&mut program, meter)?;
    let sets = restrict(&mut program, meter)?;
    dynamic.extend(std::iter::repeat_n(false, sets));
    let rules = std::mem::take(&mut program.rules);
    set_rules(&mut program, rules);
    Ok(Prepared {
        first_helper,
        dynamic,
        dependencies: Dependencies::of(&program),
        program,
    })
}

/// Rewrites all rules with helper relations. Returns for each relation whether it is dynamic.
fn split_rules(program: &mut Program, meter: &mut Meter<'_>) -> Result<Vec<bool>, GroundError> {
    let dynamic = dynamic_relations(program);
    let possible = possible(program, meter)?;
    let mut helpers = Helpers::new(program, dynamic, &possible);
    let mut rules = Vec::with_capacity(program.rules.len());
    let unfoldable = Unfoldable::of(program, &helpers);
    for rule in std::mem::take(&mut program.rules) {
        meter.look(possible.bytes())?;
        rules.extend(unfoldable.narrowed(rule, &mut helpers, &mut program.terms));
    }
    let dynamic = helpers.add_to(program, &mut rules);
    set_rules(program, rules);
    Ok(dynamic)
}

/// The relation of a literal.
pub(crate) fn relation(literal: &Literal) -> Option<RelationId> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom.relation),
        Literal::Distinct(..) => None,
    }
}

fn set_rules(program: &mut Program, rules: Vec<Rule>) {
    for info in &mut program.relations {
        info.rules.clear();
    }
    for (position, rule) in rules.iter().enumerate() {
        program.relations[rule.head.relation.index()]
            .rules
            .push(position as u32);
    }
    program.rules = rules;
}

fn dynamic_relations(program: &Program) -> Vec<bool> {
    let mut dynamic = vec![false; program.relations.len()];
    for keyword in ALWAYS_DYNAMIC {
        dynamic[Program::keyword(keyword).index()] = true;
    }
    loop {
        let mut changed = false;
        for rule in &program.rules {
            let head = rule.head.relation.index();
            if !dynamic[head]
                && rule.body.iter().filter_map(relation).any(|r| dynamic[r.index()])
                // `prepare` drops such rules of these relations, so they are static.
                && rule.head.relation != Program::keyword(Keyword::Role)
                && rule.head.relation != Program::keyword(Keyword::Init)
            {
                dynamic[head] = true;
                changed = true;
            }
        }
        if !changed {
            return dynamic;
        }
    }
}

fn needed_relations(program: &Program) -> Vec<bool> {
    let mut needed = vec![false; program.relations.len()];
    let mut stack: Vec<RelationId> = ROOTS.iter().map(|&k| Program::keyword(k)).collect();
    while let Some(found) = stack.pop() {
        if !std::mem::replace(&mut needed[found.index()], true) {
            for rule in program.rules_of(found) {
                stack.extend(rule.body.iter().filter_map(relation));
            }
        }
    }
    needed
}
