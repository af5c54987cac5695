//! Small relations, listed, to narrow the domains of a rule's variables.
//!
//! Columns (see `domain`) treat the places of a relation as independent. A relation of neighbours
//! that serves for files and for ranks alike then says that a file may have a rank as its
//! neighbour, and a board of eight by eight squares becomes one of sixteen by sixteen. With the
//! tuples at hand, a value stays in a variable's domain only if some tuple supports it together
//! with the domains of the other variables: arc consistency (Mackworth, "Consistency in networks
//! of relations", 1977), for relations of any arity.
//!
//! Relations that depend on the state are listed too, from what is left of their rules without
//! the conditions on the state. That is more than they can ever hold for, but it keeps what their
//! arguments have to do with each other.

use crate::domain::Domain;
use crate::engine::Engine;
use crate::error::GroundError;
use crate::meter::Meter;
use crate::rewrite::Prepared;
use datalog::{Atom, Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, TermStore};
use fixedbitset::FixedBitSet;
use gdl_parse::Keyword;

/// Relations with more tuples are not listed.
const MAX_ROWS: usize = 4096;

/// The steps of joins that listing one group of relations that depend on each other may take.
const MAX_STEPS: u64 = 30_000;

/// The steps of joins that listing all relations may take.
const MAX_ALL_STEPS: u64 = 600_000;

/// How often the domains of one rule are narrowed at most. Each time costs as much as the first,
/// and narrows less.
const MAX_ROUNDS: usize = 4;

/// Relations that are not listed: what they hold depends on play.
const OPEN: [Keyword; 9] = [
    Keyword::Init,
    Keyword::True,
    Keyword::Does,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
    Keyword::Base,
    Keyword::Input,
];

/// The tuples of a relation, row by row.
#[derive(Debug)]
struct Table {
    arity: usize,
    cells: Vec<TermId>,
}

/// Tuples that contain all those of small relations.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// For each relation its tuples, if they are known.
    tables: Vec<Option<Table>>,
    /// For each relation whether it holds for these tuples in every state.
    exact: Vec<bool>,
}

impl Tables {
    /// Lists small relations.
    ///
    /// # Errors
    /// If the budget is exhausted. A relation that cannot be listed is left out instead.
    pub(crate) fn of(program: &Program, meter: &mut Meter<'_>) -> Result<Self, GroundError> {
        let dependencies = Dependencies::of(program);
        let count = program.relations.len();
        let prepared = Prepared {
            first_helper: RelationId(count as u32),
            dynamic: vec![false; count],
            dependencies: dependencies.clone(),
            program: program.clone(),
            cost: 0.0,
        };
        let (mut known, mut exact) = (vec![false; count], vec![false; count]);
        let mut apart = meter.apart();
        let mut engine = Engine::new(prepared, &mut apart);
        for component in dependencies.components() {
            if component
                .iter()
                .any(|&r| OPEN.map(Program::keyword).contains(&r))
            {
                continue;
            }
            let mut whole = true;
            let mut rules = Vec::new();
            for &position in component.iter().flat_map(|&r| &program.info(r).rules) {
                let rule = &program.rules[position as usize];
                let kept = skeleton(rule, |r| known[r.index()] || component.contains(&r), &exact);
                whole &= kept
                    .as_ref()
                    .is_some_and(|k| k.body.len() == rule.body.len());
                whole &= called(rule).all(|r| exact[r.index()] || component.contains(&r));
                rules.extend(kept.map(|rule| (position, rule)));
            }
            if rules.len() < component.iter().map(|&r| program.info(r).rules.len()).sum() {
                continue;
            }
            let left = MAX_ALL_STEPS.saturating_sub(engine.steps());
            // A failure only means that the relations stay unknown; the budget is checked below.
            let listed = engine.list(component, rules, MAX_STEPS.min(left)).is_ok();
            for relation in component {
                let few = engine.tuples(*relation).derived.len() <= MAX_ROWS;
                known[relation.index()] = listed && few;
                exact[relation.index()] = listed && few && whole;
            }
        }
        let fixpoint = engine.finish();
        meter.absorb(&apart);
        meter.look(fixpoint.bytes())?;
        let table = |(number, info): (usize, &datalog::RelationInfo)| {
            let tuples = fixpoint.atoms.tuples(RelationId(number as u32));
            // Terms that listing made are unknown to the program.
            let old = |cells: &[TermId]| cells.iter().all(|t| t.index() < program.terms.len());
            let rows = tuples.derived.iter().map(|&tuple| tuples.args(tuple));
            (known[number] && rows.clone().all(old)).then(|| Table {
                arity: info.arity,
                cells: rows.flatten().copied().collect(),
            })
        };
        Ok(Tables {
            tables: program.relations.iter().enumerate().map(table).collect(),
            exact,
        })
    }

    fn get(&self, relation: RelationId) -> Option<&Table> {
        self.tables.get(relation.index())?.as_ref()
    }

    /// The terms for which a relation of one argument holds, if they are known.
    pub(crate) fn members(&self, relation: RelationId) -> Option<&[TermId]> {
        let exact = self.exact.get(relation.index()).copied().unwrap_or(false);
        let table = self
            .get(relation)
            .filter(|table| exact && table.arity == 1)?;
        Some(&table.cells)
    }

    /// Narrows the domains of a rule's variables. Returns false if the rule can never apply.
    pub(crate) fn narrow(&self, rule: &Rule, domains: &mut [Domain], terms: &TermStore) -> bool {
        if self.tables.is_empty() {
            return true;
        }
        let calls: Vec<(&Table, &Atom)> = rule
            .body
            .iter()
            .filter_map(Literal::positive)
            .filter_map(|atom| Some((self.get(atom.relation)?, atom)))
            .filter(|(table, _)| table.arity > 0)
            .collect();
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for (table, atom) in &calls {
                match table.support(atom, domains, terms) {
                    Some(narrowed) => changed |= narrowed,
                    None => return false,
                }
            }
            if !changed {
                break;
            }
        }
        true
    }
}

/// The relations that a rule asks for.
fn called(rule: &Rule) -> impl Iterator<Item = RelationId> {
    rule.body.iter().filter_map(crate::rewrite::relation)
}

/// The rule without the conditions that are not known to be listed: it derives no less. `None`
/// if the others leave a variable of the head without a value.
fn skeleton(rule: &Rule, known: impl Fn(RelationId) -> bool, exact: &[bool]) -> Option<Rule> {
    let mut rule = rule.clone();
    rule.body.retain(|literal| match literal {
        Literal::Positive(atom) => known(atom.relation),
        // Of a relation that is only bounded from above it is not known what is missing.
        Literal::Negative(atom) => exact[atom.relation.index()],
        Literal::Distinct(..) => true,
    });
    let mut bound = vec![false; rule.vars];
    for atom in rule.body.iter().filter_map(Literal::positive) {
        atom.for_each_var(&mut |var| bound[var as usize] = true);
    }
    rule.body.retain(|literal| {
        let mut safe = true;
        literal.for_each_var(&mut |var| safe &= bound[var as usize]);
        safe
    });
    let mut safe = true;
    rule.head
        .for_each_var(&mut |var| safe &= bound[var as usize]);
    safe.then_some(rule)
}

impl Table {
    /// Restricts the domains of the atom's variables to values that occur in a row which agrees
    /// with all of them. Returns whether some domain shrank; `None` if no row agrees.
    fn support(&self, atom: &Atom, domains: &mut [Domain], terms: &TermStore) -> Option<bool> {
        let mut supports = vec![Support::default(); self.arity];
        let mut any = false;
        for row in self.cells.chunks_exact(self.arity) {
            if agrees(row, &atom.args, domains, terms) {
                any = true;
                for (support, &term) in supports.iter_mut().zip(row) {
                    support.add(term, terms);
                }
            }
        }
        if !any {
            return None;
        }
        let mut changed = false;
        for (arg, support) in atom.args.iter().zip(supports) {
            if let Pattern::Var(var) = arg {
                changed |= support.restrict(&mut domains[*var as usize]);
            }
        }
        Some(changed)
    }
}

/// The values of an argument in some rows.
#[derive(Debug, Clone, Default)]
struct Support {
    constants: FixedBitSet,
    compounds: bool,
}

impl Support {
    fn add(&mut self, term: TermId, terms: &TermStore) {
        if terms.args(term).is_empty() {
            self.constants.grow(term.index() + 1);
            self.constants.insert(term.index());
        } else {
            self.compounds = true;
        }
    }

    /// Restricts a domain to these values. Compound terms are removed only if there are none.
    fn restrict(self, domain: &mut Domain) -> bool {
        match &mut domain.constants {
            Some(constants) => {
                let before = constants.count_ones(..);
                constants.intersect_with(&self.constants);
                let shrank = constants.count_ones(..) < before;
                shrank | (!self.compounds && domain.clear_compounds())
            }
            // Which compound terms it contains is unknown here.
            None if self.compounds => false,
            None => {
                domain.constants = Some(self.constants);
                domain.clear_compounds();
                true
            }
        }
    }
}

/// Whether a row agrees with an atom whose variables have these domains.
fn agrees(row: &[TermId], args: &[Pattern], domains: &[Domain], terms: &TermStore) -> bool {
    row.iter()
        .zip(args)
        .enumerate()
        .all(|(at, (&term, arg))| match arg {
            Pattern::Term(constant) => *constant == term,
            Pattern::Var(var) => {
                let domain = &domains[*var as usize];
                let inside = match &domain.constants {
                    None => true,
                    Some(constants) if terms.args(term).is_empty() => {
                        constants.contains(term.index())
                    }
                    Some(_) => !domain.is_flat(),
                };
                // The same variable has the same value.
                inside
                    && args[..at]
                        .iter()
                        .zip(row)
                        .all(|(other, &value)| other != arg || value == term)
            }
            Pattern::Compound(functor, inner) => {
                terms.functor(term) == *functor && terms.args(term).len() == inner.len()
            }
        })
}
