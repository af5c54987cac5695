//! Necessary conditions: what every derivation of an atom asks for.
//!
//! All rules by which a piece moves ask that it is the mover's turn and that the piece is there,
//! some of them through other relations. Such conditions are found once, so that a move made tells
//! them without a look at the rules one by one. A path over empty cells ends on an empty cell,
//! however long it is: of a relation that depends on itself, what is not yet refuted is assumed of
//! the calls until all that is left follows from itself. That is an induction over derivations.

use super::Rules;
use super::chase::source;
use super::matching::{Bound, matches};
use crate::error::GroundError;
use crate::meter::Meter;
use datalog::{Atom, Dynamics, Literal, Pattern, Program, RelationId, Rule, TermStore};
use gdl_parse::{Keyword, Symbol};
use rustc_hash::FxHashMap;

/// Relations of more rules are not looked at.
const MAX_RULES: usize = 64;

/// An atom has so many necessary conditions at most: each one is a condition more to compare.
const MAX_CONDITIONS: usize = 6;

/// The size of a condition's terms.
const MAX_NODES: usize = 64;

/// The necessary conditions of each relation.
#[derive(Debug, Default)]
pub(super) struct Necessary {
    of: FxHashMap<RelationId, Vec<Shape>>,
}

/// Atoms of one relation whose arguments have the same function symbols.
#[derive(Debug)]
struct Shape {
    /// The function symbol of each argument with the number of its arguments. `None` for
    /// constants and variables.
    functors: Vec<Option<(Symbol, usize)>>,
    /// The atom that all of them are instances of. Its variables are numbered from 0, and each
    /// stands there once.
    head: Vec<Pattern>,
    /// Conditions over these variables.
    conditions: Vec<Literal>,
}

impl Necessary {
    /// Those of all relations that rules derive.
    pub(super) fn of(
        rules: &Rules<'_>,
        terms: &mut TermStore,
        meter: &mut Meter<'_>,
    ) -> Result<Necessary, GroundError> {
        let mut necessary = Necessary::default();
        for component in rules.dependencies.components() {
            let derived = component.iter().copied();
            let derived: Vec<RelationId> = derived.filter(|&r| is_derived(r, rules)).collect();
            for &relation in &derived {
                meter.look(terms.bytes())?;
                let shapes = necessary.shapes(relation, rules, terms);
                necessary.of.insert(relation, shapes);
            }
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for &relation in &derived {
                    meter.look(terms.bytes())?;
                    changed |= necessary.refute(relation, rules, terms);
                }
            }
            for relation in &derived {
                let shapes = necessary.of.get_mut(relation).into_iter().flatten();
                shapes.for_each(|shape| shape.limit(rules));
            }
        }
        if rules.is_spent() {
            // What is left may not have been refuted yet.
            necessary.of.clear();
        }
        Ok(necessary)
    }

    /// What holds if an atom does. `None` if its variables may still stand for terms of which
    /// more is known.
    pub(super) fn conditions(
        &self,
        atom: &Atom,
        rules: &Rules<'_>,
        terms: &mut TermStore,
    ) -> Option<Vec<Literal>> {
        let by = source(atom.relation);
        let shapes = self.of.get(&by).map_or(&[][..], Vec::as_slice);
        if shapes.is_empty() || !rules.can_be_expanded(by) {
            return Some(Vec::new());
        }
        // A variable may stand for a term of any shape.
        let is_mixed = |at: usize| shapes.iter().any(|shape| shape.functors[at].is_some());
        let mut args = atom.args.iter().enumerate();
        if args.any(|(at, arg)| matches!(arg, Pattern::Var(_)) && is_mixed(at)) {
            return None;
        }
        let shape = shapes.iter().find(|shape| shape.has(atom, terms));
        let Some((shape, bound)) = shape.and_then(|s| Some((s, s.bound(atom, terms)?))) else {
            return Some(Vec::new());
        };
        let conditions = shape.conditions.iter();
        let instances = conditions.filter_map(|condition| instance(condition, &bound, terms));
        Some(instances.collect())
    }

    /// The shapes of a relation's atoms, each with all that some of its rules ask for.
    fn shapes(&self, relation: RelationId, rules: &Rules<'_>, terms: &mut TermStore) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = Vec::new();
        for rule in rules.defining(relation) {
            let args = rule.head.args.iter();
            let functors: Vec<_> = args.map(|arg| functor(arg, terms)).collect();
            if shapes.iter().all(|shape| shape.functors != functors) {
                shapes.push(Shape::new(functors));
            }
        }
        // A rule for any term there derives atoms of all shapes.
        let is_mixed = |at: usize| shapes.iter().any(|shape| shape.functors[at].is_some());
        let is_open = |rule: &Rule| {
            let mut args = rule.head.args.iter().enumerate();
            args.any(|(at, arg)| matches!(arg, Pattern::Var(_)) && is_mixed(at))
        };
        if rules.defining(relation).any(is_open) {
            return Vec::new();
        }
        for rule in rules.defining(relation) {
            let all = self.all_of(rule, rules, terms);
            let Some(shape) = shapes.iter_mut().find(|shape| shape.has(&rule.head, terms)) else {
                continue;
            };
            let bound = named(&rule.head, &shape.head, terms);
            for asked in all
                .iter()
                .filter_map(|asked| instance(asked, &bound, terms))
            {
                let known = &mut shape.conditions;
                if rules.spend(known.len()) && !known.contains(&asked) {
                    known.push(asked);
                }
            }
        }
        shapes
    }

    /// All that holds if a rule's body does, as far as is known.
    fn all_of(&self, rule: &Rule, rules: &Rules<'_>, terms: &mut TermStore) -> Vec<Literal> {
        let mut all = rule.body.clone();
        for atom in rule.body.iter().filter_map(Literal::positive) {
            let implied = self.conditions(atom, rules, terms);
            for literal in implied.into_iter().flatten() {
                if rules.spend(all.len()) && !all.contains(&literal) {
                    all.push(literal);
                }
            }
        }
        all
    }

    /// Removes conditions that some rule of a relation does not ask for. Returns whether there
    /// were any.
    fn refute(&mut self, relation: RelationId, rules: &Rules<'_>, terms: &mut TermStore) -> bool {
        let Some(shapes) = self.of.get(&relation) else {
            return false;
        };
        let conditions = shapes.iter().map(|shape| shape.conditions.clone());
        let mut left: Vec<Vec<Literal>> = conditions.collect();
        for rule in rules.defining(relation) {
            let all = self.all_of(rule, rules, terms);
            for (shape, left) in shapes.iter().zip(&mut left) {
                if shape.has(&rule.head, terms) {
                    left.retain(|asked| shape.is_asked(asked, rule, &all, rules, terms));
                }
            }
        }
        let mut changed = false;
        for (shape, left) in self.of.get_mut(&relation).into_iter().flatten().zip(left) {
            changed |= left.len() < shape.conditions.len();
            shape.conditions = left;
        }
        changed && !rules.is_spent()
    }
}

impl Shape {
    fn new(functors: Vec<Option<(Symbol, usize)>>) -> Shape {
        let mut vars = 0..;
        let mut fresh = || Pattern::Var(vars.next().unwrap_or(0));
        let head = functors.iter().map(|functor| match functor {
            None => fresh(),
            Some((functor, arity)) => {
                Pattern::Compound(*functor, (0..*arity).map(|_| fresh()).collect())
            }
        });
        Shape {
            head: head.collect(),
            functors,
            conditions: Vec::new(),
        }
    }

    /// Whether an atom has this shape.
    fn has(&self, atom: &Atom, terms: &TermStore) -> bool {
        let mut args = atom.args.iter().zip(&self.functors);
        args.all(|(arg, wanted)| functor(arg, terms) == *wanted)
    }

    /// Whether a rule that asks for `all` asks for a condition.
    fn is_asked(
        &self,
        condition: &Literal,
        rule: &Rule,
        all: &[Literal],
        rules: &Rules<'_>,
        terms: &mut TermStore,
    ) -> bool {
        let bound = self.bound(&rule.head, terms);
        let Some(asked) = bound.and_then(|bound| instance(condition, &bound, terms)) else {
            return false;
        };
        if !rules.spend(all.len()) {
            return false;
        }
        let holds = match &asked {
            Literal::Positive(atom) => rules.facts(atom.relation).iter().any(|fact| {
                let mut pairs = atom.args.iter().zip(fact);
                rules.spend(1) && pairs.all(|(arg, &term)| *arg == Pattern::Term(term))
            }),
            Literal::Distinct(Pattern::Term(a), Pattern::Term(b)) => a != b,
            Literal::Negative(_) | Literal::Distinct(..) => false,
        };
        holds || all.contains(&asked)
    }

    /// What the variables of the head stand for in an atom.
    fn bound(&self, atom: &Atom, terms: &TermStore) -> Option<Bound> {
        let mut bound = Bound::default();
        let mut pairs = self.head.iter().zip(&atom.args);
        let fits = pairs.all(|(pattern, arg)| matches(pattern, arg, &mut bound, terms));
        fits.then_some(bound)
    }

    /// Leaves out what says least if there are many conditions.
    fn limit(&mut self, rules: &Rules<'_>) {
        let says = |literal: &Literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                match rules.dynamics(atom.relation) {
                    _ if atom.relation == Program::keyword(Keyword::True) => 0,
                    Dynamics::Static => 2,
                    _ => 1,
                }
            }
            Literal::Distinct(..) => 2,
        };
        self.conditions.sort_by_key(says);
        self.conditions.truncate(MAX_CONDITIONS);
    }
}

/// For the variables of a rule's head the variables of the shape's that they stand for.
fn named(head: &Atom, shape: &[Pattern], terms: &TermStore) -> Bound {
    let mut bound = Bound::default();
    let mut pairs = shape.iter().zip(&head.args);
    let mut named = Bound::default();
    if pairs.all(|(pattern, arg)| matches(pattern, arg, &mut bound, terms)) {
        for (general, own) in bound.iter() {
            if let Pattern::Var(own) = own
                && named.get(*own).is_none()
            {
                named.bind(*own, Pattern::Var(general));
            }
        }
    }
    named
}

/// Whether rules derive a relation, few enough to look at, and no facts.
fn is_derived(relation: RelationId, rules: &Rules<'_>) -> bool {
    let info = &rules.relations[relation.index()];
    let is_kept = [Keyword::Init, Keyword::Next, Keyword::Role].map(Program::keyword);
    (1..=MAX_RULES).contains(&info.rules.len())
        && info.facts.is_empty()
        && !is_kept.contains(&relation)
}

/// The function symbol of a term and the number of its arguments. `None` for constants and
/// variables.
fn functor(pattern: &Pattern, terms: &TermStore) -> Option<(Symbol, usize)> {
    match pattern {
        Pattern::Var(_) => None,
        Pattern::Compound(functor, args) => Some((*functor, args.len())),
        Pattern::Term(term) => match terms.args(*term) {
            [] => None,
            args => Some((terms.functor(*term), args.len())),
        },
    }
}

/// The instance of a condition. `None` if one of its variables is not bound, or if it would be
/// large.
fn instance(literal: &Literal, bound: &Bound, terms: &mut TermStore) -> Option<Literal> {
    let mut left = MAX_NODES;
    let mut read = |pattern: &Pattern| read(pattern, bound, &mut left, terms);
    let mut of = |atom: &Atom| {
        Some(Atom {
            relation: atom.relation,
            args: atom.args.iter().map(&mut read).collect::<Option<_>>()?,
        })
    };
    Some(match literal {
        Literal::Positive(atom) => Literal::Positive(of(atom)?),
        Literal::Negative(atom) => Literal::Negative(of(atom)?),
        Literal::Distinct(a, b) => Literal::Distinct(read(a)?, read(b)?),
    })
}

fn read(
    pattern: &Pattern,
    bound: &Bound,
    left: &mut usize,
    terms: &mut TermStore,
) -> Option<Pattern> {
    match pattern {
        Pattern::Term(_) => Some(pattern.clone()),
        Pattern::Var(var) => {
            let meant = bound.get(*var)?;
            *left = left.checked_sub(nodes(meant))?;
            Some(meant.clone())
        }
        Pattern::Compound(functor, args) => {
            let args = args.iter().map(|arg| read(arg, bound, left, terms));
            let args: Box<[Pattern]> = args.collect::<Option<_>>()?;
            let ground = args.iter().map(|arg| match arg {
                Pattern::Term(term) => Some(*term),
                _ => None,
            });
            Some(match ground.collect::<Option<Vec<_>>>() {
                Some(args) => Pattern::Term(terms.compound(*functor, &args)),
                None => Pattern::Compound(*functor, args),
            })
        }
    }
}

/// The size of a pattern.
fn nodes(pattern: &Pattern) -> usize {
    match pattern {
        Pattern::Compound(_, args) => 1 + args.iter().map(nodes).sum::<usize>(),
        _ => 1,
    }
}
