//! Rewrites a program into the form that the fixpoint evaluates.

use crate::demand::restrict;
use crate::error::GroundError;
use crate::meter::Meter;
use crate::split::{over_variables, split};
use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule, VarId,
};
use gdl_parse::{Keyword, Span};
use rustc_hash::FxHashMap;

/// A program that holds only what play depends on, and whose negations have no variables of their
/// own.
pub(crate) struct Prepared {
    pub(crate) program: Program,
    /// For each relation whether ground rules speak of it: it depends on state or moves, or it is
    /// what play asks for.
    pub(crate) dynamic: Vec<bool>,
    pub(crate) dependencies: Dependencies,
    /// The first of the relations that were made up here.
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
pub(crate) fn prepare(program: &Program, meter: &mut Meter<'_>) -> Result<Prepared, GroundError> {
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
    let first_helper = RelationId(program.relations.len() as u32);
    let mut dynamic = split_rules(&mut program);
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

/// Rewrites all rules with the help of new relations; which relations are dynamic.
fn split_rules(program: &mut Program) -> Vec<bool> {
    let mut helpers = Helpers::new(dynamic_relations(program));
    let mut rules = Vec::with_capacity(program.rules.len());
    for mut rule in std::mem::take(&mut program.rules) {
        project_negations(&mut rule, &mut helpers);
        rules.push(split(rule, &mut helpers));
    }
    rules.append(&mut helpers.rules);
    for (number, arity) in helpers.arities.into_iter().enumerate() {
        program.relations.push(RelationInfo {
            // No rulesheet can write a name with a space.
            name: program.terms.symbol(&format!("part {number}")),
            arity,
            facts: Vec::new(),
            rules: Vec::new(),
        });
    }
    set_rules(program, rules);
    helpers.dynamic
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
fn project_negations(rule: &mut Rule, helpers: &mut Helpers) {
    let mut bound = vec![false; rule.vars];
    for atom in rule.body.iter().filter_map(Literal::positive) {
        atom.for_each_var(&mut |var| bound[var as usize] = true);
    }
    for literal in &mut rule.body {
        let Literal::Negative(atom) = literal else {
            continue;
        };
        let mut shared: Vec<VarId> = Vec::new();
        let mut existential = false;
        atom.for_each_var(&mut |var| {
            existential |= !bound[var as usize];
            if bound[var as usize] && !shared.contains(&var) {
                shared.push(var);
            }
        });
        if existential {
            *atom = helpers.define(vec![Literal::Positive(atom.clone())], &shared, rule.span);
        }
    }
}

/// Relations made up while rewriting; equal definitions share one.
pub(crate) struct Helpers {
    /// For each relation whether it is dynamic.
    dynamic: Vec<bool>,
    /// How many variables the head has, and the body with its variables numbered so that those of
    /// the head come first.
    known: FxHashMap<(usize, Vec<Literal>), RelationId>,
    /// Arities of the new relations.
    arities: Vec<usize>,
    rules: Vec<Rule>,
}

impl Helpers {
    fn new(dynamic: Vec<bool>) -> Self {
        Helpers {
            dynamic,
            known: FxHashMap::default(),
            arities: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Whether ground rules speak of the relation.
    pub(crate) fn is_dynamic(&self, relation: RelationId) -> bool {
        self.dynamic[relation.index()]
    }

    /// An atom over the variables `shared` that holds where `body` does for some values of its
    /// other variables.
    pub(crate) fn define(&mut self, body: Vec<Literal>, shared: &[VarId], span: Span) -> Atom {
        let mut numbers = shared.to_vec();
        let canonical: Vec<Literal> = body
            .iter()
            .map(|literal| renumber_literal(literal, &mut numbers))
            .collect();
        let key = (shared.len(), canonical);
        let relation = match self.known.get(&key) {
            Some(&relation) => relation,
            None => {
                let helper = RelationId(self.dynamic.len() as u32);
                let dynamic = body.iter().filter_map(relation).any(|r| self.is_dynamic(r));
                self.dynamic.push(dynamic);
                self.arities.push(shared.len());
                let rule = Rule {
                    head: over_variables(helper, 0..shared.len() as VarId),
                    body: key.1.clone(),
                    vars: numbers.len(),
                    span,
                };
                self.known.insert(key, helper);
                let rule = split(rule, self);
                self.rules.push(rule);
                helper
            }
        };
        over_variables(relation, shared.iter().copied())
    }
}

fn renumber_literal(literal: &Literal, numbers: &mut Vec<VarId>) -> Literal {
    let mut atom = |atom: &Atom| Atom {
        relation: atom.relation,
        args: atom.args.iter().map(|arg| renumber(arg, numbers)).collect(),
    };
    match literal {
        Literal::Positive(a) => Literal::Positive(atom(a)),
        Literal::Negative(a) => Literal::Negative(atom(a)),
        Literal::Distinct(a, b) => Literal::Distinct(renumber(a, numbers), renumber(b, numbers)),
    }
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
