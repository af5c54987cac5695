//! Static conditions as decision diagrams, made from their rules.
//!
//! A condition on one variable or two is a small diagram. The body of a rule is a conjunction, the
//! rules of a relation are a union, and a negation turns a set round. Nothing is listed.

use crate::diagram::{Diagrams, Large, NONE, Node};
use datalog::{Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Relations of more tuples that are listed in the rules are not made diagrams of, if they have
/// more than two variables.
const FACTS: usize = 1_000;

/// What an argument of a condition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Arg {
    Term(TermId),
    /// The variable that is read at this place.
    Var(usize),
}

/// Makes diagrams of static conditions from their rules.
pub(super) struct Sets<'a> {
    pub diagrams: Diagrams,
    program: &'a Program,
    dependencies: &'a Dependencies,
    values: &'a [Vec<TermId>],
    known: FxHashMap<(RelationId, Vec<Arg>), Node>,
}

impl<'a> Sets<'a> {
    /// Sets over variables with these values, which are read in this order.
    pub fn new(
        diagrams: Diagrams,
        program: &'a Program,
        dependencies: &'a Dependencies,
        values: &'a [Vec<TermId>],
    ) -> Sets<'a> {
        Sets {
            diagrams,
            program,
            dependencies,
            values,
            known: FxHashMap::default(),
        }
    }

    /// The tuples that satisfy all these conditions, whose variables are read in this order.
    /// `None` if a rule is of another kind, or there would be too many nodes.
    pub fn of_all<'b>(
        &mut self,
        conditions: impl Iterator<Item = &'b Literal>,
        order: &[VarId],
    ) -> Option<Node> {
        let place = |var: VarId| order.iter().position(|&other| other == var);
        let bound = |var: VarId| Some(Arg::Var(place(var)?));
        let mut all = self.diagrams.everything();
        for condition in conditions {
            let set = self.of_literal(condition, &bound)?;
            all = self.diagrams.and(all, set).ok()?;
        }
        Some(all)
    }

    fn of_literal(
        &mut self,
        literal: &Literal,
        bound: &impl Fn(VarId) -> Option<Arg>,
    ) -> Option<Node> {
        let arg = |pattern: &Pattern| match pattern {
            Pattern::Term(term) => Some(Arg::Term(*term)),
            Pattern::Var(var) => bound(*var),
            Pattern::Compound(..) => None,
        };
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                let args: Vec<Arg> = atom.args.iter().map(arg).collect::<Option<_>>()?;
                let set = self.of_relation(atom.relation, args)?;
                match literal {
                    Literal::Negative(_) => self.diagrams.not(set).ok(),
                    _ => Some(set),
                }
            }
            Literal::Distinct(a, b) => {
                let same = self.equal(arg(a)?, arg(b)?).ok()?;
                self.diagrams.not(same).ok()
            }
        }
    }

    /// The tuples for which a static relation holds. `None` if its rules are of another kind, or
    /// there would be too many nodes.
    fn of_relation(&mut self, relation: RelationId, args: Vec<Arg>) -> Option<Node> {
        let key = (relation, args);
        if let Some(&set) = self.known.get(&key) {
            return Some(set);
        }
        if self.dependencies.is_recursive(relation.index()) {
            return None;
        }
        let args = &key.1;
        let mut set = self.of_facts(relation, args)?;
        let program = self.program;
        for rule in program.rules_of(relation) {
            let of_rule = self.of_rule(rule, args)?;
            set = self.diagrams.or(set, of_rule).ok()?;
        }
        self.known.insert(key, set);
        Some(set)
    }

    fn of_rule(&mut self, rule: &Rule, args: &[Arg]) -> Option<Node> {
        let mut set = self.diagrams.everything();
        let mut bound: Vec<Option<Arg>> = vec![None; rule.vars];
        for (pattern, &arg) in rule.head.args.iter().zip(args) {
            let other = match pattern {
                Pattern::Term(term) => Arg::Term(*term),
                Pattern::Var(var) => match bound[*var as usize] {
                    Some(other) => other,
                    None => {
                        bound[*var as usize] = Some(arg);
                        continue;
                    }
                },
                Pattern::Compound(..) => return None,
            };
            let same = self.equal(arg, other).ok()?;
            set = self.diagrams.and(set, same).ok()?;
        }
        for literal in &rule.body {
            let of_literal = self.of_literal(literal, &|var| bound[var as usize])?;
            set = self.diagrams.and(set, of_literal).ok()?;
        }
        Some(set)
    }

    /// The tuples of the facts of a relation.
    fn of_facts(&mut self, relation: RelationId, args: &[Arg]) -> Option<Node> {
        let facts = &self.program.info(relation).facts;
        let mut vars: Vec<usize> = Vec::new();
        for arg in args {
            if let Arg::Var(var) = arg
                && !vars.contains(var)
            {
                vars.push(*var);
            }
        }
        // The facts that fit the terms, as values of the variables.
        let mut rows: FxHashSet<Vec<TermId>> = FxHashSet::default();
        'facts: for fact in facts {
            let mut row: Vec<Option<TermId>> = vec![None; vars.len()];
            for (&term, arg) in fact.iter().zip(args) {
                let of = match arg {
                    Arg::Term(other) if *other == term => continue,
                    Arg::Term(_) => continue 'facts,
                    Arg::Var(var) => vars.iter().position(|other| other == var)?,
                };
                if row[of].replace(term).is_some_and(|other| other != term) {
                    continue 'facts;
                }
            }
            rows.insert(row.into_iter().collect::<Option<_>>()?);
        }
        let values = self.values;
        let set = match vars[..] {
            [] if rows.is_empty() => Ok(NONE),
            [] => Ok(self.diagrams.everything()),
            [var] => self
                .diagrams
                .where_one(var, |value| rows.contains(&vec![values[var][value]])),
            [a, b] => self.diagrams.where_two([a, b], |one, other| {
                rows.contains(&vec![values[a][one], values[b][other]])
            }),
            _ if rows.len() > FACTS => return None,
            _ => self.of_rows(&vars, &rows),
        };
        set.ok()
    }

    fn of_rows(&mut self, vars: &[usize], rows: &FxHashSet<Vec<TermId>>) -> Result<Node, Large> {
        let mut rows: Vec<&Vec<TermId>> = rows.iter().collect();
        rows.sort_unstable();
        let mut set = NONE;
        for row in rows {
            let mut one = self.diagrams.everything();
            for (&var, &term) in vars.iter().zip(row) {
                let same = self.equal(Arg::Var(var), Arg::Term(term))?;
                one = self.diagrams.and(one, same)?;
            }
            set = self.diagrams.or(set, one)?;
        }
        Ok(set)
    }

    /// The tuples in which two arguments are equal.
    fn equal(&mut self, a: Arg, b: Arg) -> Result<Node, Large> {
        let values = self.values;
        match (a, b) {
            _ if a == b => Ok(self.diagrams.everything()),
            (Arg::Term(_), Arg::Term(_)) => Ok(NONE),
            (Arg::Var(var), Arg::Term(term)) | (Arg::Term(term), Arg::Var(var)) => self
                .diagrams
                .where_one(var, |value| values[var][value] == term),
            (Arg::Var(one), Arg::Var(other)) => self
                .diagrams
                .where_two([one, other], |a, b| values[one][a] == values[other][b]),
        }
    }
}
