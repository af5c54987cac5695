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
use crate::rewrite::{ALWAYS_DYNAMIC, Prepared};
use datalog::{Atom, Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, TermStore};
use fixedbitset::FixedBitSet;
use gdl_parse::{Keyword, Symbol};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Relations with more tuples are not listed.
const MAX_ROWS: usize = 4096;

/// The steps of joins that listing one group of relations that depend on each other may take.
const MAX_STEPS: u64 = 30_000;

/// The steps of joins that listing all relations may take.
const MAX_ALL_STEPS: u64 = 600_000;

/// What was read of one table is forgotten once it takes this many words, or a little more.
const MAX_KNOWN: usize = 1 << 18;

/// How often the domains of one rule are narrowed at most. Each time costs as much as the first,
/// and narrows less.
const MAX_ROUNDS: usize = 4;

/// Relations that are not listed, besides those whose atoms depend on play.
const APART: [Keyword; 3] = [Keyword::Init, Keyword::Base, Keyword::Input];

/// The tuples of a relation, row by row.
#[derive(Debug)]
struct Table {
    arity: usize,
    cells: Vec<TermId>,
    /// The values in each column.
    columns: Vec<Support>,
    /// What was read so far, by the tests, see [`Test::write`]. The same rules are looked at again
    /// and again.
    known: RefCell<FxHashMap<Vec<usize>, Option<Vec<Support>>>>,
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
        let open = || ALWAYS_DYNAMIC.iter().chain(&APART);
        for component in dependencies.components() {
            if open().any(|&keyword| component.contains(&Program::keyword(keyword))) {
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
            (known[number] && rows.clone().all(old)).then(|| {
                let cells = rows.flatten().copied().collect();
                Table::new(info.arity, cells, &program.terms)
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
        // When each variable was last narrowed, and each table last looked at.
        let mut narrowed = vec![1u32; domains.len()];
        let mut looked = vec![0u32; calls.len()];
        let mut now = 1;
        for _ in 0..MAX_ROUNDS {
            let before = now;
            for ((table, atom), looked) in calls.iter().zip(&mut looked) {
                let mut due = *looked == 0;
                atom.for_each_var(&mut |var| due |= narrowed[var as usize] > *looked);
                if !due {
                    continue;
                }
                now += 1;
                if !table.support(atom, domains, terms, |var| narrowed[var] = now) {
                    return false;
                }
                // What the table itself has narrowed, it supports.
                *looked = now;
            }
            if narrowed.iter().all(|&at| at <= before) {
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
    fn new(arity: usize, cells: Vec<TermId>, terms: &TermStore) -> Table {
        let mut columns = vec![Support::default(); arity];
        if arity > 0 {
            for row in cells.chunks_exact(arity) {
                for (column, &term) in columns.iter_mut().zip(row) {
                    column.add(term, terms);
                }
            }
        }
        Table {
            arity,
            cells,
            columns,
            known: RefCell::default(),
        }
    }

    /// Restricts the domains of the atom's variables to values that occur in a row which agrees
    /// with all of them. Calls `shrank` for each variable whose domain shrank. Returns whether
    /// any row agrees.
    fn support(
        &self,
        atom: &Atom,
        domains: &mut [Domain],
        terms: &TermStore,
        mut shrank: impl FnMut(usize),
    ) -> bool {
        let tests = self.tests(&atom.args, domains);
        let restrict =
            |supports: &[Support], domains: &mut [Domain], shrank: &mut dyn FnMut(usize)| {
                for (arg, support) in atom.args.iter().zip(supports) {
                    if let Pattern::Var(var) = arg
                        && support.restrict(&mut domains[*var as usize])
                    {
                        shrank(*var as usize);
                    }
                }
            };
        if tests.is_empty() {
            restrict(&self.columns, domains, &mut shrank);
            return !self.cells.is_empty();
        }
        let mut key = Vec::new();
        tests
            .iter()
            .for_each(|(at, test)| test.write(*at, &mut key));
        let mut known = self.known.borrow_mut();
        // Tests and results hold sets as wide as the columns.
        let columns = self
            .columns
            .iter()
            .map(|column| column.constants.as_slice().len());
        let words = 16 + 2 * columns.sum::<usize>();
        if known.len() * words >= MAX_KNOWN && !known.contains_key(&key) {
            known.clear();
        }
        let supports = known.entry(key).or_insert_with(|| self.read(&tests, terms));
        drop(tests);
        if let Some(supports) = supports {
            restrict(supports, domains, &mut shrank);
        }
        supports.is_some()
    }

    /// The values in each column of the rows that pass all tests. `None` if no row does.
    fn read(&self, tests: &[(usize, Test<'_>)], terms: &TermStore) -> Option<Vec<Support>> {
        let mut supports: Vec<Support> = self.columns.iter().map(Support::emptied).collect();
        let mut any = false;
        for row in self.cells.chunks_exact(self.arity) {
            if tests.iter().all(|(at, test)| test.holds(row, *at, terms)) {
                any = true;
                for (support, &term) in supports.iter_mut().zip(row) {
                    support.add(term, terms);
                }
            }
        }
        any.then_some(supports)
    }

    /// What rows have to pass, without what all of them pass.
    fn tests<'a>(&self, args: &'a [Pattern], domains: &'a [Domain]) -> Vec<(usize, Test<'a>)> {
        let mut tests = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let first = args.iter().position(|other| other == arg).unwrap_or(at);
            let test = match arg {
                Pattern::Term(term) => Test::Is(*term),
                Pattern::Var(_) if first < at => Test::Same(first),
                Pattern::Var(var) => match &domains[*var as usize] {
                    domain if self.columns[at].is_within(domain) => continue,
                    domain => Test::In(domain),
                },
                Pattern::Compound(functor, inner) => Test::Built(*functor, inner.len()),
            };
            tests.push((at, test));
        }
        tests
    }
}

/// What a row has to pass at one place.
enum Test<'a> {
    Is(TermId),
    /// It has the same value there and at this place.
    Same(usize),
    In(&'a Domain),
    /// A compound term of this function symbol and arity.
    Built(Symbol, usize),
}

impl Test<'_> {
    /// Appends the test of a place to a key: other tests of the same table give other keys.
    fn write(&self, at: usize, key: &mut Vec<usize>) {
        key.push(at);
        match self {
            Test::Is(constant) => key.extend([0, constant.index()]),
            Test::Same(other) => key.extend([1, *other]),
            Test::In(domain) => {
                let constants = domain
                    .constants
                    .as_ref()
                    .map_or(&[][..], FixedBitSet::as_slice);
                let kind = 2 + 2 * usize::from(domain.is_flat());
                key.extend([
                    kind + usize::from(domain.constants.is_some()),
                    constants.len(),
                ]);
                key.extend(constants);
            }
            Test::Built(functor, arity) => key.extend([6, functor.index(), *arity]),
        }
    }

    #[inline]
    fn holds(&self, row: &[TermId], at: usize, terms: &TermStore) -> bool {
        let term = row[at];
        match self {
            Test::Is(constant) => *constant == term,
            Test::Same(other) => row[*other] == term,
            Test::In(domain) => match &domain.constants {
                Some(constants) if constants.contains(term.index()) => true,
                // Which compound terms it contains is unknown here.
                Some(_) => !domain.is_flat() && !terms.args(term).is_empty(),
                None => true,
            },
            Test::Built(functor, arity) => {
                terms.functor(term) == *functor && terms.args(term).len() == *arity
            }
        }
    }
}

/// The values of an argument in some rows.
#[derive(Debug, Clone, Default)]
struct Support {
    constants: FixedBitSet,
    compounds: bool,
}

impl Support {
    /// No values, with room for as many.
    fn emptied(&self) -> Support {
        Support {
            constants: FixedBitSet::with_capacity(self.constants.len()),
            compounds: false,
        }
    }

    #[inline]
    fn add(&mut self, term: TermId, terms: &TermStore) {
        if self.constants.contains(term.index()) {
            return;
        }
        if terms.args(term).is_empty() {
            self.constants.grow_and_insert(term.index());
        } else {
            self.compounds = true;
        }
    }

    /// Whether the domain contains all of these values.
    fn is_within(&self, domain: &Domain) -> bool {
        let Some(constants) = &domain.constants else {
            return true;
        };
        (!self.compounds || !domain.is_flat()) && self.constants.is_subset(constants)
    }

    /// Restricts a domain to these values. Compound terms are removed only if there are none.
    /// Returns whether it shrank.
    fn restrict(&self, domain: &mut Domain) -> bool {
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
                domain.constants = Some(self.constants.clone());
                domain.clear_compounds();
                true
            }
        }
    }
}
