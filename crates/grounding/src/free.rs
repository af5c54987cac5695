//! Splits relations by whether a derivation depends on some of their arguments.
//!
//! `(clear ?a ?b ?except)`: the way from ?a to ?b is clear if ?except is lifted from the board.
//! Few squares lie on the way, so nearly all of its derivations say the same of every ?except.
//! Listed one by one, all that is derived from it is listed once for each square. Such a relation
//! becomes two: `clear` for the derivations that depend on the argument, and a relation without it
//! for those where it is free, which only say that it is a square.
//!
//! Bottom-up evaluation of facts with free variables is described by Ramakrishnan ("Magic
//! templates: a spellbinding approach to logic programs", 1991). Here the rules are rewritten, so
//! that evaluation sees ordinary facts: a call of a relation becomes one rule for each of the two.

use crate::demand::domains;
use crate::domain::Columns;
use crate::helpers::renumber_literal;
use crate::merge::add_relation;
use crate::rewrite::set_rules;
use crate::tables::Tables;
use datalog::{Atom, Literal, Pattern, Program, RelationId, Rule, VarId};
use fixedbitset::FixedBitSet;
use gdl_parse::Keyword;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The number of rules that one rule may become.
const MAX_RULES: usize = 32;
/// Free arguments with fewer values are not worth it.
pub(crate) const FEW: f64 = 16.0;

/// Splits all relations in which this saves something. Returns whether there are any. A relation
/// is split if some rule leaves arguments free, which says of them only that static relations of
/// one argument hold: their guards. These must allow at least `least` values together.
pub(crate) fn split_free(
    program: &mut Program,
    dynamic: &[bool],
    possible: &Columns,
    least: f64,
) -> bool {
    let mut split = Split::find(program, dynamic, possible, least);
    if split.free.is_empty() {
        return false;
    }
    let Some(mut rules) = split.rules(program, possible) else {
        return false;
    };
    drop_empty(program, &split.free, &mut rules);
    set_rules(program, rules);
    true
}

/// The position of a free argument, and its guards.
type FreeArg = (usize, Vec<RelationId>);

/// The free arguments of a relation.
struct Free {
    /// Their positions, ascending.
    args: Vec<usize>,
    /// For each of them its guards, sorted.
    guards: Vec<Vec<RelationId>>,
    /// The relation without them. Before it is added: none.
    without: Option<RelationId>,
}

impl Free {
    /// The same atom of the relation without the free arguments.
    fn without(&self, atom: &Atom) -> Option<Atom> {
        let args = atom.args.iter().enumerate();
        let kept = args.filter(|(at, _)| !self.args.contains(at));
        Some(Atom {
            relation: self.without?,
            args: kept.map(|(_, arg)| arg.clone()).collect(),
        })
    }

    /// The guards of the free arguments of an atom.
    fn guards<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = Atom> + 'a {
        let args = self.args.iter().zip(&self.guards);
        args.flat_map(move |(&at, guards)| {
            guards.iter().map(move |&relation| Atom {
                relation,
                args: [atom.args[at].clone()].into(),
            })
        })
    }
}

/// The relations that are split.
struct Split<'a> {
    dynamic: &'a [bool],
    free: BTreeMap<RelationId, Free>,
}

impl<'a> Split<'a> {
    /// Finds relations with free arguments, from the rules that leave arguments free by themselves
    /// to those that pass them on.
    fn find(program: &Program, dynamic: &'a [bool], possible: &Columns, least: f64) -> Split<'a> {
        let whole = called_for_any(program);
        let mut split = Split {
            dynamic,
            free: BTreeMap::new(),
        };
        loop {
            let relations = (0..program.relations.len()).map(|number| RelationId(number as u32));
            let found = relations.filter_map(|relation| {
                let fits = dynamic[relation.index()]
                    && !is_keyword(relation)
                    && !whole.contains(&relation)
                    && !split.free.contains_key(&relation);
                let free = fits.then(|| split.free_in_rules(program, relation))??;
                let sizes = free.guards.iter().map(|guards| {
                    let sizes = guards.iter().flat_map(|&guard| possible.sizes(guard));
                    sizes.fold(f64::INFINITY, f64::min)
                });
                (sizes.product::<f64>() >= least).then_some((relation, free))
            });
            let found: Vec<(RelationId, Free)> = found.collect();
            if found.is_empty() {
                break;
            }
            split.free.extend(found);
        }
        split.keep_passed_on(program);
        split
    }

    /// The arguments that the rules of a relation leave free: those that do leave some.
    fn free_in_rules(&self, program: &Program, relation: RelationId) -> Option<Free> {
        let rules = program.rules_of(relation);
        let mut all: Vec<Vec<FreeArg>> = rules.map(|rule| self.free_args(rule)).collect();
        all.retain(|free| !free.is_empty());
        all.sort();
        let mut common = all.first()?.clone();
        common.retain(|arg| all.iter().all(|free| free.contains(arg)));
        if common.is_empty() {
            // What most of them leave free.
            let groups = all.chunk_by(|a, b| a == b);
            common = groups.max_by_key(|group| group.len())?[0].clone();
        }
        let (args, guards) = common.into_iter().unzip();
        Some(Free {
            args,
            guards,
            without: None,
        })
    }

    /// Keeps relations of which a rule passes free arguments on. Nothing else multiplies what is
    /// listed.
    fn keep_passed_on(&mut self, program: &Program) {
        let mut passed = FxHashSet::default();
        for rule in &program.rules {
            let head = rule.head.relation;
            let Some(free) = self.free.get(&head) else {
                continue;
            };
            let args = self.free_args(rule);
            let mut known = free.args.iter().zip(&free.guards);
            if !known.all(|(at, guards)| {
                args.iter()
                    .any(|(other, theirs)| (other, theirs) == (at, guards))
            }) {
                continue;
            }
            let is_passed = |var: VarId| {
                free.args
                    .iter()
                    .any(|&at| rule.head.args[at] == Pattern::Var(var))
            };
            for atom in rule.body.iter().filter_map(Literal::positive) {
                let passes = !atom
                    .args
                    .iter()
                    .all(|arg| arg.all_vars(|var| !is_passed(var)));
                if passes && self.free.contains_key(&atom.relation) {
                    passed.extend([head, atom.relation]);
                }
            }
        }
        self.free.retain(|relation, _| passed.contains(relation));
    }

    /// The arguments of the head that a rule leaves free or passes on to calls that leave them
    /// free, with their guards.
    fn free_args(&self, rule: &Rule) -> Vec<FreeArg> {
        let args = rule.head.args.iter().enumerate();
        args.filter_map(|(at, arg)| match arg {
            Pattern::Var(var) if occurrences(&rule.head, *var) == 1 => {
                Some((at, self.guards_of(rule, *var)?))
            }
            _ => None,
        })
        .collect()
    }

    /// The guards of a variable in the body of a rule, sorted. `None` if the rule says more of the
    /// variable, or nothing.
    fn guards_of(&self, rule: &Rule, var: VarId) -> Option<Vec<RelationId>> {
        let mut guards = Vec::new();
        for literal in &rule.body {
            let mut occurs = false;
            literal.for_each_var(&mut |other| occurs |= other == var);
            if !occurs {
                continue;
            }
            let atom = literal.positive()?;
            if self.is_guard(atom) {
                guards.push(atom.relation);
                continue;
            }
            let free = self.free.get(&atom.relation)?;
            for (at, arg) in atom.args.iter().enumerate() {
                if arg == &Pattern::Var(var) {
                    let known = free.args.iter().position(|&arg| arg == at)?;
                    guards.extend(&free.guards[known]);
                } else if !arg.all_vars(|other| other != var) {
                    return None;
                }
            }
        }
        guards.sort_unstable();
        guards.dedup();
        (!guards.is_empty()).then_some(guards)
    }

    /// Whether an atom says of a variable that it is in a static set.
    fn is_guard(&self, atom: &Atom) -> bool {
        matches!(&*atom.args, [Pattern::Var(_)])
            && !self.dynamic[atom.relation.index()]
            && !is_keyword(atom.relation)
    }

    /// The rules of the program with these relations split. `None` if there would be too many.
    fn rules(&mut self, program: &mut Program, possible: &Columns) -> Option<Vec<Rule>> {
        for (&relation, free) in &mut self.free {
            let arity = program.info(relation).arity - free.args.len();
            free.without = Some(add_relation(program, arity));
        }
        let mut made = Vec::with_capacity(program.rules.len());
        for rule in &program.rules {
            for rule in self.alternatives(program, rule, possible)? {
                let rule = self.placed(rule).unwrap_or_else(|rule| rule);
                made.push(renumbered(&rule));
            }
        }
        Some(made)
    }

    /// The rule with each call of a split relation replaced, in all combinations.
    fn alternatives(
        &self,
        program: &Program,
        rule: &Rule,
        possible: &Columns,
    ) -> Option<Vec<Rule>> {
        let domains = domains(rule, possible, &Tables::default(), &program.terms);
        // Whether a guard of what the other conditions bind is known to hold.
        let holds = |guard: &Atom| {
            let facts = program.info(guard.relation).facts.iter();
            let facts: FixedBitSet = facts.map(|fact| fact[0].index()).collect();
            match (&guard.args[0], &domains) {
                (Pattern::Term(term), _) => facts.contains(term.index()),
                (Pattern::Var(var), Some(domains)) => {
                    let domain = &domains[*var as usize];
                    let constants = domain.constants.as_ref().filter(|_| domain.is_flat());
                    constants.is_some_and(|constants| constants.is_subset(&facts))
                }
                _ => false,
            }
        };
        let mut done = Vec::new();
        let mut open = vec![(rule.clone(), 0)];
        while let Some((rule, from)) = open.pop() {
            let calls = |literal: &Literal| match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    let free = self.free.get(&atom.relation)?;
                    Some((atom.clone(), free))
                }
                Literal::Distinct(..) => None,
            };
            let mut literals = rule.body.iter().enumerate().skip(from);
            let call = literals.find_map(|(at, literal)| Some((at, calls(literal)?)));
            let Some((at, (atom, free))) = call else {
                done.push(rule);
                continue;
            };
            let without = free.without(&atom)?;
            let stated = |guard: &Atom| {
                let mut stated = rule.body.iter().filter_map(Literal::positive);
                stated.any(|atom| atom == guard)
            };
            let guards = free.guards(&atom).filter(|guard| !stated(guard));
            match &rule.body[at] {
                Literal::Negative(_) => {
                    // It does not depend on the free arguments and does not hold, or it would,
                    // but these are not what it holds for.
                    let others = guards.filter(|guard| !holds(guard));
                    let others = others.map(|guard| (Literal::Negative(guard), rule.clone()));
                    let neither = (Literal::Negative(without), rule.clone());
                    for (also, mut rule) in others.chain([neither]) {
                        rule.body.push(also);
                        open.push((rule, at + 1));
                    }
                }
                _ => {
                    let mut other = rule.clone();
                    other.body[at] = Literal::Positive(without);
                    other.body.extend(guards.map(Literal::Positive));
                    open.push((other, at + 1));
                    open.push((rule, at + 1));
                }
            }
            if open.len() + done.len() > MAX_RULES {
                return None;
            }
        }
        Some(done)
    }

    /// The rule as one of the relation without free arguments. The error is a rule that depends on
    /// them.
    fn placed(&self, mut rule: Rule) -> Result<Rule, Rule> {
        let head = rule.head.clone();
        let Some(free) = self.free.get(&head.relation) else {
            return Err(rule);
        };
        let Some(without) = free.without(&head) else {
            return Err(rule);
        };
        let mut vars = Vec::new();
        for (&at, guards) in free.args.iter().zip(&free.guards) {
            let Pattern::Var(var) = head.args[at] else {
                return Err(rule);
            };
            let alone = occurrences(&head, var) == 1;
            // Calls of split relations depend on all of their arguments now.
            let reads = |literal: &&Literal| {
                let mut reads = false;
                literal.for_each_var(&mut |other| reads |= other == var);
                reads
            };
            let mut readers = rule.body.iter().filter(reads);
            let known = readers
                .try_fold(Vec::new(), |mut known, literal| {
                    let atom = literal.positive().filter(|atom| self.is_guard(atom))?;
                    known.push(atom.relation);
                    Some(known)
                })
                .map(|mut known| {
                    known.sort_unstable();
                    known.dedup();
                    known
                });
            if !alone || known.as_ref() != Some(guards) {
                return Err(rule);
            }
            vars.push(var);
        }
        rule.body
            .retain(|literal| literal_vars(literal).iter().all(|var| !vars.contains(var)));
        rule.head = without;
        Ok(rule)
    }
}

/// Removes calls of relations that were split off and have no rules.
fn drop_empty(program: &Program, free: &BTreeMap<RelationId, Free>, rules: &mut Vec<Rule>) {
    let made = free.values().filter_map(|free| free.without);
    let mut candidates: FxHashSet<RelationId> = free.keys().copied().chain(made).collect();
    candidates.retain(|&relation| program.info(relation).facts.is_empty());
    loop {
        let heads: FxHashSet<RelationId> = rules.iter().map(|rule| rule.head.relation).collect();
        let empty =
            |atom: &Atom| candidates.contains(&atom.relation) && !heads.contains(&atom.relation);
        let before = rules.len();
        rules.retain(|rule| !rule.body.iter().filter_map(Literal::positive).any(empty));
        for rule in rules.iter_mut() {
            rule.body
                .retain(|literal| !matches!(literal, Literal::Negative(atom) if empty(atom)));
        }
        if rules.len() == before {
            return;
        }
    }
}

/// The relations of which a negation asks for any tuple with some arguments.
fn called_for_any(program: &Program) -> FxHashSet<RelationId> {
    let mut found = FxHashSet::default();
    for rule in &program.rules {
        for (at, literal) in rule.body.iter().enumerate() {
            let Literal::Negative(atom) = literal else {
                continue;
            };
            let mut known = vec![false; rule.vars];
            rule.head
                .for_each_var(&mut |var| known[var as usize] = true);
            let others = rule
                .body
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at);
            for (_, other) in others {
                other.for_each_var(&mut |var| known[var as usize] = true);
            }
            if !literal_vars(literal).iter().all(|&var| known[var as usize]) {
                found.insert(atom.relation);
            }
        }
    }
    found
}

fn literal_vars(literal: &Literal) -> Vec<VarId> {
    let mut vars = Vec::new();
    literal.for_each_var(&mut |var| vars.push(var));
    vars
}

fn occurrences(atom: &Atom, var: VarId) -> usize {
    let mut count = 0;
    atom.for_each_var(&mut |other| count += usize::from(other == var));
    count
}

/// Whether the language says what a relation means. These relations come first.
fn is_keyword(relation: RelationId) -> bool {
    relation <= Program::keyword(Keyword::Input)
}

/// The rule with its variables numbered in the order of their occurrence.
fn renumbered(rule: &Rule) -> Rule {
    let mut numbers = Vec::new();
    let head = Literal::Positive(rule.head.clone());
    let Literal::Positive(head) = renumber_literal(&head, &mut numbers) else {
        return rule.clone();
    };
    let body = rule.body.iter();
    Rule {
        head,
        body: body
            .map(|literal| renumber_literal(literal, &mut numbers))
            .collect(),
        vars: numbers.len(),
        span: rule.span,
    }
}
