//! Rewrites a program into the form that the fixpoint evaluates.

use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule, VarId,
};
use gdl_parse::Keyword;
use rustc_hash::FxHashMap;

/// A program that holds only what play depends on, and whose negations have no variables of their
/// own.
pub(crate) struct Prepared {
    pub(crate) program: Program,
    /// For each relation whether ground rules speak of it: it depends on state or moves, or it is
    /// what play asks for.
    pub(crate) dynamic: Vec<bool>,
    pub(crate) dependencies: Dependencies,
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

/// Relations that are in ground rules even where they depend on nothing.
const ALWAYS_DYNAMIC: [Keyword; 6] = [
    Keyword::True,
    Keyword::Does,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Prepares a program.
pub(crate) fn prepare(program: &Program) -> Prepared {
    let mut program = program.clone();
    let dynamic = dynamic_relations(&program);
    // Roles and the initial state are settled before there is a state; what would ask for one
    // never applies.
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
    project_negations(&mut program);
    Prepared {
        dynamic: dynamic_relations(&program),
        dependencies: Dependencies::of(&program),
        program,
    }
}

fn relation(literal: &Literal) -> Option<RelationId> {
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
                // These are made static by leaving out such rules.
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

/// `not p(?x, ?y)` where `?y` occurs nowhere else means that there is no such `?y`: it becomes
/// `not h(?x)` with a helper relation `h(?x) <= p(?x, ?y)`.
fn project_negations(program: &mut Program) {
    // The number of shared variables belongs to the key: those are numbered first.
    let mut helpers: FxHashMap<(Atom, usize), RelationId> = FxHashMap::default();
    let mut rules = std::mem::take(&mut program.rules);
    let mut added = Vec::new();
    for rule in &mut rules {
        let mut bound = vec![false; rule.vars];
        for atom in rule.body.iter().filter_map(Literal::positive) {
            atom.for_each_var(&mut |var| bound[var as usize] = true);
        }
        for literal in &mut rule.body {
            let Literal::Negative(atom) = literal else {
                continue;
            };
            let mut vars: Vec<VarId> = Vec::new();
            let mut existential = false;
            atom.for_each_var(&mut |var| {
                existential |= !bound[var as usize];
                if bound[var as usize] && !vars.contains(&var) {
                    vars.push(var);
                }
            });
            if !existential {
                continue;
            }
            let mut numbers: Vec<VarId> = vars.clone();
            let inner = Atom {
                relation: atom.relation,
                args: atom
                    .args
                    .iter()
                    .map(|a| renumber(a, &mut numbers))
                    .collect(),
            };
            let args = |count: usize| (0..count as VarId).map(Pattern::Var).collect();
            let helper = *helpers
                .entry((inner.clone(), vars.len()))
                .or_insert_with(|| {
                    let helper = fresh_relation(program, "some", vars.len());
                    added.push(Rule {
                        head: Atom {
                            relation: helper,
                            args: args(vars.len()),
                        },
                        body: vec![Literal::Positive(inner)],
                        vars: numbers.len(),
                        span: rule.span,
                    });
                    helper
                });
            *atom = Atom {
                relation: helper,
                args: vars.into_iter().map(Pattern::Var).collect(),
            };
        }
    }
    rules.append(&mut added);
    set_rules(program, rules);
}

/// The pattern with each variable replaced by its position in `numbers`, extended as needed.
fn renumber(pattern: &Pattern, numbers: &mut Vec<VarId>) -> Pattern {
    match pattern {
        Pattern::Term(term) => Pattern::Term(*term),
        Pattern::Var(var) => {
            let position = numbers.iter().position(|v| v == var).unwrap_or_else(|| {
                numbers.push(*var);
                numbers.len() - 1
            });
            Pattern::Var(position as VarId)
        }
        Pattern::Compound(functor, args) => Pattern::Compound(
            *functor,
            args.iter().map(|arg| renumber(arg, numbers)).collect(),
        ),
    }
}

/// A relation with a name that no rulesheet can write.
fn fresh_relation(program: &mut Program, purpose: &str, arity: usize) -> RelationId {
    let id = RelationId(program.relations.len() as u32);
    let name = program.terms.symbol(&format!("{purpose} {}", id.0));
    program.relations.push(RelationInfo {
        name,
        arity,
        facts: Vec::new(),
        rules: Vec::new(),
    });
    id
}
