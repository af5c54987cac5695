//! Rewrites a program into the form that the fixpoint evaluates.

use crate::asked::ask;
use crate::chain::chain;
use crate::closure::linear_closures;
use crate::demand::{possible, restrict};
use crate::determined::ask_apart;
use crate::error::GroundError;
use crate::free::split_free;
use crate::helpers::{Helpers, calls};
use crate::keys::Keys;
use crate::merge::{add_relation, merge};
use crate::meter::Meter;
use crate::negated::replace_negations;
use crate::projected::unfold_projections;
use crate::tables::Tables;
use crate::unfold::Unfoldable;
use datalog::{Dependencies, Literal, Program, RelationId, Rule};
use gdl_parse::Keyword;
use rustc_hash::FxHashMap;

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
    /// The estimated cost of evaluating it.
    pub(crate) cost: f64,
}

/// How closely rules are looked at before they are evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Effort {
    /// Wide rules are split, with what each argument alone can be.
    Plain,
    /// Small relations are listed, rules are merged, and negations of unions taken apart.
    /// Rules whose variables allow at most `least` combinations are left as they are.
    Close { least: f64 },
}

/// The relations that play asks for.
pub(crate) const ROOTS: [Keyword; 6] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Relations that occur in ground rules even if they depend on neither state nor moves.
pub(crate) const ALWAYS_DYNAMIC: [Keyword; 6] = [
    Keyword::True,
    Keyword::Does,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Rulesheets whose estimated cost is smaller are not worth more effort.
pub(crate) const LARGE: f64 = 1e6;

/// The effort for expensive rulesheets. Narrow rules are cheap as they are.
pub(crate) const CLOSE: Effort = Effort::Close { least: 20_000.0 };

/// Static conditions are read value by value if they are so many times as wide: what they list is
/// listed once, and its joins are quick. Conjunctions of the state are unfolded if they are.
const WIDER: f64 = 50.0;

/// The factor by which more effort must reduce the estimated cost.
pub(crate) const GAIN: f64 = 2.0;

/// The steps of joins after which an evaluation of this estimated cost is given up for one with
/// more effort. Estimates are bounds, and many rulesheets of a huge estimate take a moment;
/// nearly all take less than this.
pub(crate) fn patience(estimate: f64) -> u64 {
    const HUGE: f64 = 1e9;
    if estimate > HUGE {
        1_500_000
    } else {
        24_000_000
    }
}

/// The bytes after which the same evaluation is given up. Nearly all rulesheets hold less.
pub(crate) const FIRST: usize = 300 << 20;

/// The part of a program that play depends on.
pub(crate) struct Wanted {
    pub program: Program,
    /// The steps of joins that evaluating it may take.
    pub most: u64,
}

/// The steps that a program may take whose rules need values from their callers. Such relations
/// may be of lists that have no end, or none that fits: the reasoner answers their calls one by
/// one.
const ASKED: u64 = 12_000_000;

/// Finds the part of a program that play depends on.
pub(crate) fn wanted(program: &Program) -> Wanted {
    let mut program = program.clone();
    settle_before_play(&mut program);
    keep_needed(&mut program);
    linear_closures(&mut program);
    let mut most = u64::MAX;
    if ask(&mut program) {
        let rules = std::mem::take(&mut program.rules);
        set_rules(&mut program, rules);
        most = ASKED;
    }
    Wanted { program, most }
}

/// Gives rules of roles and of the initial state their meaning: there is no state yet, and nobody
/// moves. So they do not call relations that depend on these, but copies of them in which `true`
/// and `does` have no tuples.
fn settle_before_play(program: &mut Program) {
    let dynamic = dynamic_relations(program);
    let settled_before = [Keyword::Role, Keyword::Init].map(Program::keyword);
    let mut copies: FxHashMap<RelationId, RelationId> = FxHashMap::default();
    let mut rules = std::mem::take(&mut program.rules);
    let mut due: Vec<usize> = (0..rules.len())
        .filter(|&rule| settled_before.contains(&rules[rule].head.relation))
        .collect();
    while let Some(rule) = due.pop() {
        let mut body = std::mem::take(&mut rules[rule].body);
        for literal in &mut body {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else {
                continue;
            };
            let called = atom.relation;
            // Copies come last, and are static.
            if !dynamic.get(called.index()).is_some_and(|&dynamic| dynamic) {
                continue;
            }
            atom.relation = *copies.entry(called).or_insert_with(|| {
                let (arity, facts) = (
                    program.info(called).arity,
                    program.info(called).facts.clone(),
                );
                let copy = add_relation(program, arity);
                let told = [Keyword::True, Keyword::Does].map(Program::keyword);
                if !told.contains(&called) {
                    program.relations[copy.index()].facts = facts;
                    let mut theirs: Vec<Rule> = program
                        .info(called)
                        .rules
                        .iter()
                        .map(|&rule| rules[rule as usize].clone())
                        .collect();
                    theirs.iter_mut().for_each(|rule| rule.head.relation = copy);
                    due.extend(rules.len()..rules.len() + theirs.len());
                    rules.append(&mut theirs);
                }
                copy
            });
        }
        rules[rule].body = body;
    }
    set_rules(program, rules);
}

/// The program with relations split by whether some of their arguments matter, see `free`. `None`
/// if there are none whose free arguments have at least `least` values.
pub(crate) fn without_free_arguments(
    program: &Program,
    least: f64,
    meter: &mut Meter<'_>,
) -> Result<Option<Program>, GroundError> {
    let possible = possible(program, &Tables::default(), meter)?;
    let mut program = program.clone();
    let dynamic = dynamic_relations(&program);
    let splits = split_free(&mut program, &dynamic, &possible, least);
    Ok(splits.then(|| {
        keep_needed(&mut program);
        program
    }))
}

/// Prepares the part of a program that play depends on.
pub(crate) fn prepare(
    program: &Program,
    effort: Effort,
    keys: &Keys,
    meter: &mut Meter<'_>,
) -> Result<Prepared, GroundError> {
    let first_helper = RelationId(program.relations.len() as u32);
    let mut tables = Tables::default();
    let split = match effort {
        Effort::Plain => split_rules(program.clone(), &tables, f64::INFINITY, meter)?,
        Effort::Close { least } => {
            let mut program = program.clone();
            let dynamic = dynamic_relations(&program);
            unfold_projections(&mut program, &dynamic);
            let program = with_chains(program, WIDER * least, meter)?;
            tables = Tables::of(&program, meter)?;
            let merged = with_alternatives(program, &tables, least, meter)?;
            let split = split_rules(merged, &tables, WIDER * least, meter)?;
            let program = without_unions(split.program, &tables, least, meter)?;
            let program = asked_apart(program, keys, &tables, least, meter)?;
            Split {
                dynamic: dynamic_relations(&program),
                program,
                cost: split.cost,
            }
        }
    };
    let Split {
        mut program,
        mut dynamic,
        cost,
    } = split;
    let sets = restrict(&mut program, &tables, meter)?;
    dynamic.extend(std::iter::repeat_n(false, sets));
    let rules = std::mem::take(&mut program.rules);
    set_rules(&mut program, rules);
    Ok(Prepared {
        first_helper,
        dynamic,
        dependencies: Dependencies::of(&program),
        program,
        cost,
    })
}

/// The program with wide static conditions read value by value, see `chain`.
fn with_chains(
    mut program: Program,
    least: f64,
    meter: &mut Meter<'_>,
) -> Result<Program, GroundError> {
    let tables = Tables::default();
    let possible = possible(&program, &tables, meter)?;
    let dynamic = dynamic_relations(&program);
    if chain(&mut program, &dynamic, &possible, &tables, least) {
        let rules = std::mem::take(&mut program.rules);
        set_rules(&mut program, rules);
        keep_needed(&mut program);
    }
    Ok(program)
}

/// The program with rules merged that differ in one condition, see `merge`.
fn with_alternatives(
    mut program: Program,
    tables: &Tables,
    least: f64,
    meter: &mut Meter<'_>,
) -> Result<Program, GroundError> {
    let possible = possible(&program, tables, meter)?;
    let dynamic = dynamic_relations(&program);
    merge(&mut program, &dynamic, &possible, tables, least);
    let rules = std::mem::take(&mut program.rules);
    set_rules(&mut program, rules);
    Ok(program)
}

/// The program with negations of unions replaced, see `negated`.
fn without_unions(
    program: Program,
    tables: &Tables,
    least: f64,
    meter: &mut Meter<'_>,
) -> Result<Program, GroundError> {
    // What splitting left of rules may be alike.
    let mut program = with_alternatives(program, tables, least, meter)?;
    let possible = possible(&program, tables, meter)?;
    let dynamic = dynamic_relations(&program);
    if replace_negations(&mut program, &dynamic, &possible, tables, least) {
        keep_needed(&mut program);
    }
    Ok(program)
}

/// The program with conditions asked apart on what the state determines, see `determined`.
fn asked_apart(
    mut program: Program,
    keys: &Keys,
    tables: &Tables,
    least: f64,
    meter: &mut Meter<'_>,
) -> Result<Program, GroundError> {
    let possible = possible(&program, tables, meter)?;
    if ask_apart(&mut program, keys, &possible, tables, least) {
        keep_needed(&mut program);
    }
    Ok(program)
}

/// Removes what play does not depend on.
fn keep_needed(program: &mut Program) {
    let needed = needed_relations(program);
    let mut rules = std::mem::take(&mut program.rules);
    rules.retain(|rule| needed[rule.head.relation.index()]);
    set_rules(program, rules);
    for (info, needed) in program.relations.iter_mut().zip(needed) {
        if !needed {
            info.facts.clear();
        }
    }
}

/// A program whose wide rules are split.
struct Split {
    program: Program,
    /// Whether each relation is dynamic.
    dynamic: Vec<bool>,
    /// The estimated cost of all rules.
    cost: f64,
}

/// Rewrites all rules with helper relations. Relations of the state with more than `most` tuples
/// may be unfolded.
fn split_rules(
    mut program: Program,
    tables: &Tables,
    most: f64,
    meter: &mut Meter<'_>,
) -> Result<Split, GroundError> {
    let dynamic = dynamic_relations(&program);
    let possible = possible(&program, tables, meter)?;
    let mut helpers = Helpers::new(&program, dynamic, &possible, tables);
    let mut rules = Vec::with_capacity(program.rules.len());
    let unfoldable = Unfoldable::of(&program, &helpers, most);
    let all = std::mem::take(&mut program.rules);
    let is_wide = |rule: &Rule| unfoldable.is_wide(rule.head.relation);
    let (mut waiting, mut due): (Vec<Rule>, Vec<Rule>) = all.into_iter().partition(is_wide);
    while !due.is_empty() {
        for rule in due {
            meter.look(possible.bytes())?;
            rules.extend(unfoldable.narrowed(rule, &mut helpers, &mut program.terms));
        }
        // Those whose calls are all unfolded are not needed any more.
        let is_called = |rule: &mut Rule| {
            let head = rule.head.relation;
            calls(&rules, head) || helpers.call(head)
        };
        due = waiting.extract_if(.., is_called).collect();
    }
    let cost = helpers.cost;
    let dynamic = helpers.add_to(&mut program, &mut rules);
    set_rules(&mut program, rules);
    Ok(Split {
        program,
        dynamic,
        cost,
    })
}

/// The relation of a literal.
pub(crate) fn relation(literal: &Literal) -> Option<RelationId> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom.relation),
        Literal::Distinct(..) => None,
    }
}

pub(crate) fn set_rules(program: &mut Program, rules: Vec<Rule>) {
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

pub(crate) fn dynamic_relations(program: &Program) -> Vec<bool> {
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
                // Rules of these relations are settled before play, so they are static.
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
