//! An approximation of the tuples that the heads of some rules can produce.
//!
//! A variable of a head can stand for any term, unless a positive condition on a relation of
//! plain facts restricts it. Example: with `(<= (base (cell ?x)) (index ?x))` and facts for
//! `index`, `?x` is one of those facts' arguments. In doubt the answer is "may match".

use crate::context::{Context, for_each_variable};
use gdl_parse::{Keyword, Literal, Rule, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// The name and arity of a term. `None` for a variable.
pub(crate) fn functor(term: &Term) -> Option<(Symbol, usize)> {
    match term {
        Term::Constant(name, _) => Some((*name, 0)),
        Term::Compound(name, args, _) => Some((*name, args.len())),
        Term::Variable(..) => None,
    }
}

/// The constants that occur at an argument of a relation. `None` if unknown.
type Column = Option<FxHashSet<Symbol>>;

/// The columns of relations examined so far. `None` for those that are not plain facts.
type Columns = FxHashMap<usize, Option<Vec<Column>>>;

/// The columns that restrict the variables of a rule's head.
type Domains<'a> = FxHashMap<Symbol, Vec<&'a FxHashSet<Symbol>>>;

struct Pattern<'a> {
    rule: &'a Rule,
    /// For restricted variables of the head, the constants that they can stand for.
    domains: FxHashMap<Symbol, FxHashSet<Symbol>>,
}

/// The heads of some rules.
pub(crate) struct Patterns<'a> {
    patterns: Vec<Pattern<'a>>,
    /// The patterns by the functor of their last term. This functor distinguishes most heads.
    by_functor: FxHashMap<(Symbol, usize), Vec<usize>>,
    /// The patterns whose last term can be anything.
    any: Vec<usize>,
    /// The remaining number of comparisons. After that, everything may match.
    effort: Cell<usize>,
}

impl<'a> Patterns<'a> {
    /// The heads of all rules for `keywords`.
    pub(crate) fn of(context: &Context<'a>, keywords: &[Keyword]) -> Self {
        let mut result = Patterns {
            patterns: Vec::new(),
            by_functor: FxHashMap::default(),
            any: Vec::new(),
            effort: Cell::new(20_000_000),
        };
        let mut columns = Columns::default();
        for rule in keywords
            .iter()
            .flat_map(|keyword| context.rules_for(*keyword))
        {
            let index = result.patterns.len();
            match rule.head.args.last().and_then(functor) {
                Some(functor) => result.by_functor.entry(functor).or_default().push(index),
                None => result.any.push(index),
            }
            result.patterns.push(Pattern {
                rule,
                domains: domains(context, rule, &mut columns),
            });
        }
        result
    }

    /// Whether there are no rules.
    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether any of the heads can produce `args`, whose variables can stand for anything.
    pub(crate) fn may_match(&self, args: &[Term]) -> bool {
        let Some(functor) = args.last().and_then(functor) else {
            return true;
        };
        let alike = self
            .by_functor
            .get(&functor)
            .map_or([].as_slice(), Vec::as_slice);
        alike.iter().chain(&self.any).any(|&index| {
            let effort = self.effort.get();
            self.effort.set(effort.saturating_sub(1));
            let pattern = &self.patterns[index];
            let head = &pattern.rule.head.args;
            effort == 0 || head.iter().zip(args).all(|(a, b)| pattern.fits(a, b))
        })
    }
}

impl Pattern<'_> {
    /// Whether `mine`, a part of the head, can equal `other`. Each occurrence of a variable is
    /// treated as a separate variable.
    fn fits(&self, mine: &Term, other: &Term) -> bool {
        match (mine, other) {
            (_, Term::Variable(..)) => true,
            (Term::Variable(name, _), other) => {
                match (self.domains.get(name), other) {
                    (None, _) => true,
                    (Some(domain), Term::Constant(constant, _)) => domain.contains(constant),
                    // Domains contain only constants.
                    (Some(_), _) => false,
                }
            }
            (Term::Constant(a, _), Term::Constant(b, _)) => a == b,
            (Term::Compound(a, xs, _), Term::Compound(b, ys, _)) => {
                a == b && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.fits(x, y))
            }
            _ => false,
        }
    }
}

/// The restrictions of the variables of the head of `rule`: for each, the smallest column in
/// which it occurs.
fn domains(
    context: &Context<'_>,
    rule: &Rule,
    columns: &mut Columns,
) -> FxHashMap<Symbol, FxHashSet<Symbol>> {
    let mut limited: Domains<'_> = Domains::default();
    for literal in &rule.body {
        if let Literal::Atom(atom) = literal
            && atom.keyword().is_none_or(|k| k == Keyword::Role)
            && let Some(number) = context.number(atom)
        {
            columns
                .entry(number)
                .or_insert_with(|| plain_facts(context, number));
        }
    }
    for literal in &rule.body {
        if let Literal::Atom(atom) = literal
            && let Some(number) = context.number(atom)
            && let Some(Some(known)) = columns.get(&number)
        {
            for (arg, column) in atom.args.iter().zip(known) {
                if let (Term::Variable(name, _), Some(column)) = (arg, column) {
                    limited.entry(*name).or_default().push(column);
                }
            }
        }
    }
    let mut domains = FxHashMap::default();
    for arg in &rule.head.args {
        for_each_variable(arg, &mut |name, _| {
            if let Some(columns) = limited.get(&name)
                && let Some(smallest) = columns.iter().min_by_key(|column| column.len())
            {
                domains.insert(name, (*smallest).clone());
            }
        });
    }
    domains
}

/// The columns of a relation that is defined by ground facts only.
fn plain_facts(context: &Context<'_>, number: usize) -> Option<Vec<Column>> {
    let rules = &context.rules_of[number];
    let mut columns: Vec<Column> = vec![Some(FxHashSet::default()); context.relations[number].1];
    for rule in rules.iter().map(|&index| context.rule(index)) {
        if !rule.body.is_empty() {
            return None;
        }
        for (column, arg) in columns.iter_mut().zip(&rule.head.args) {
            match (arg, column.as_mut()) {
                (Term::Constant(name, _), Some(known)) => {
                    known.insert(*name);
                }
                _ => *column = None,
            }
        }
    }
    Some(columns)
}
