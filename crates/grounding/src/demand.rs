//! Restricts rules to the atoms that some other rule can ask for.
//!
//! Bottom-up evaluation derives every atom of a relation, even if the rules only ask for a few
//! of them. Example: a relation counts over any four cells, but the rules call it for two
//! particular lists of cells. As in magic sets (Bancilhon et al., 1986), this pass adds
//! conditions to rules that restrict them to what is asked for. Unlike magic sets, it works
//! column by column, which keeps the conditions static and small. An atom that is left out
//! cannot occur in any rule instance that matters to play.

use crate::domain::{Columns, Domain};
use crate::error::GroundError;
use crate::meter::Meter;
use crate::split::over_variables;
use crate::tables::Tables;
use datalog::{
    Dependencies, Literal, Program, RelationId, RelationInfo, Rule, TermId, TermStore, VarId,
};
use gdl_parse::Keyword;
use rustc_hash::FxHashMap;

/// Relations of which every atom is asked for.
const ASKED: [Keyword; 8] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::True,
    Keyword::Does,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
];

/// Restricts the rules of a program. Returns the number of relations added, which are all
/// static.
pub(crate) fn restrict(
    program: &mut Program,
    tables: &Tables,
    meter: &mut Meter<'_>,
) -> Result<usize, GroundError> {
    let dependencies = Dependencies::of(program);
    let mut order: Vec<&Rule> = program.rules.iter().collect();
    order.sort_by_key(|rule| dependencies.component(rule.head.relation));
    let possible = possible_in_order(program, &order, tables, meter)?;
    order.reverse();
    let asked = asked(program, &order, &possible, tables, meter)?;
    let before = program.relations.len();
    // Equal sets share a relation.
    let mut sets: FxHashMap<Vec<usize>, RelationId> = FxHashMap::default();
    let whole = ASKED.map(Program::keyword);
    let mut rules = std::mem::take(&mut program.rules);
    rules.retain_mut(|rule| {
        let Some(domains) = domains(rule, &possible, tables, &program.terms) else {
            return false;
        };
        if whole.contains(&rule.head.relation) {
            return true;
        }
        let mut narrowed = domains.clone();
        if !asked.restrict(&rule.head, &mut narrowed, &program.terms) {
            return false;
        }
        for var in 0..rule.vars as VarId {
            let (before, after) = (&domains[var as usize], &narrowed[var as usize]);
            // A condition can only list constants, not compound terms.
            if let (Some(before), Some(after), true) =
                (&before.constants, &after.constants, after.is_flat())
                && before != after
            {
                let members: Vec<usize> = after.ones().collect();
                let relation = *sets
                    .entry(members)
                    .or_insert_with_key(|members| add_set(program, members));
                let condition = over_variables(relation, [var].into_iter());
                rule.body.push(Literal::Positive(condition));
            }
        }
        true
    });
    program.rules = rules;
    Ok(program.relations.len() - before)
}

/// Adds a static relation that holds for the constants with these numbers.
fn add_set(program: &mut Program, members: &[usize]) -> RelationId {
    let id = RelationId(program.relations.len() as u32);
    // No rulesheet can contain a name with a space, so the name is unique.
    let name = program.terms.symbol(&format!("set {}", id.0));
    program.relations.push(RelationInfo {
        name,
        arity: 1,
        facts: members
            .iter()
            .map(|&member| [TermId(member as u32)].into())
            .collect(),
        rules: Vec::new(),
    });
    id
}

/// The terms that each variable of a rule can stand for. `None` if the rule can never apply.
pub(crate) fn domains(
    rule: &Rule,
    possible: &Columns,
    tables: &Tables,
    terms: &TermStore,
) -> Option<Vec<Domain>> {
    let mut domains = vec![Domain::any(); rule.vars];
    let mut atoms = rule.body.iter().filter_map(Literal::positive);
    let applies = atoms.all(|atom| possible.narrow(atom, &mut domains, terms));
    (applies && tables.narrow(rule, &mut domains, terms)).then_some(domains)
}

/// For each place of each relation, the terms that can occur there.
pub(crate) fn possible(
    program: &Program,
    tables: &Tables,
    meter: &mut Meter<'_>,
) -> Result<Columns, GroundError> {
    let dependencies = Dependencies::of(program);
    let mut order: Vec<&Rule> = program.rules.iter().collect();
    order.sort_by_key(|rule| dependencies.component(rule.head.relation));
    possible_in_order(program, &order, tables, meter)
}

/// For each place of each relation, the terms that can occur there. `rules` list dependencies
/// first, so that few rounds are needed.
fn possible_in_order(
    program: &Program,
    rules: &[&Rule],
    tables: &Tables,
    meter: &mut Meter<'_>,
) -> Result<Columns, GroundError> {
    let mut columns = Columns::new(program.relations.iter().map(|info| info.arity));
    for (number, info) in program.relations.iter().enumerate() {
        for fact in &info.facts {
            columns.add_fact(RelationId(number as u32), fact, &program.terms);
        }
    }
    // Facts of `init` and `next` become `true`, and legal moves become `does`.
    let outcomes = [
        (Keyword::Init, Keyword::True),
        (Keyword::Next, Keyword::True),
        (Keyword::Legal, Keyword::Does),
    ]
    .map(|(from, to)| (Program::keyword(from), Program::keyword(to)));
    loop {
        columns.changed = false;
        for rule in rules {
            if meter.step() {
                meter.look(columns.bytes())?;
            }
            if let Some(domains) = domains(rule, &columns, tables, &program.terms) {
                columns.add(&rule.head, &domains, None, &program.terms);
            }
        }
        for (from, to) in outcomes {
            let arity = program.info(from).arity as VarId;
            let mut domains = vec![Domain::any(); arity as usize];
            let source = over_variables(from, 0..arity);
            if columns.narrow(&source, &mut domains, &program.terms) {
                columns.add(
                    &over_variables(to, 0..arity),
                    &domains,
                    None,
                    &program.terms,
                );
            }
        }
        if !columns.changed {
            return Ok(columns);
        }
    }
}

/// For each place of each relation, the terms that some rule asks for. `rules` list dependents
/// first, their dependencies later.
fn asked(
    program: &Program,
    rules: &[&Rule],
    possible: &Columns,
    tables: &Tables,
    meter: &mut Meter<'_>,
) -> Result<Columns, GroundError> {
    let mut columns = Columns::new(program.relations.iter().map(|info| info.arity));
    for keyword in ASKED {
        columns.add_any(Program::keyword(keyword));
    }
    loop {
        columns.changed = false;
        for rule in rules {
            if meter.step() {
                meter.look(columns.bytes() + possible.bytes())?;
            }
            let Some(mut domains) = domains(rule, possible, tables, &program.terms) else {
                continue;
            };
            if !columns.restrict(&rule.head, &mut domains, &program.terms)
                || !tables.narrow(rule, &mut domains, &program.terms)
            {
                continue;
            }
            for literal in &rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    columns.add(atom, &domains, Some(possible), &program.terms);
                }
            }
        }
        if !columns.changed {
            return Ok(columns);
        }
    }
}
