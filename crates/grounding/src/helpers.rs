//! Relations made up while rules are rewritten.

use crate::demand::domains;
use crate::domain::{Columns, Domain};
use crate::rewrite::relation;
use crate::split::{over_variables, split};
use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule, TermId,
    TermStore, VarId,
};
use gdl_parse::{Keyword, Span};
use rustc_hash::FxHashMap;

/// Relations made up while rewriting; equal definitions share one.
#[derive(Clone)]
pub(crate) struct Helpers<'a> {
    /// What can hold of the relations of the rulesheet.
    possible: &'a Columns,
    /// For each relation whether it is dynamic.
    dynamic: Vec<bool>,
    /// For each relation whether it follows moves, see [`Helpers::is_of_moves`].
    of_moves: Vec<bool>,
    /// For each relation of the rulesheet the logarithm of how much of what its columns allow is
    /// estimated to hold; zero for dynamic and recursive ones.
    density: Vec<f64>,
    /// How many variables the head has, and the body with its variables numbered so that those of
    /// the head come first.
    known: FxHashMap<(usize, Vec<Literal>), RelationId>,
    sets: FxHashMap<Vec<usize>, RelationId>,
    made: Vec<Made>,
    rules: Vec<Rule>,
    /// What the rules that were split so far are estimated to cost.
    pub(crate) cost: f64,
}

/// A relation that was made up.
#[derive(Debug, Clone)]
struct Made {
    arity: usize,
    facts: Vec<Box<[TermId]>>,
}

/// What is known of the variables of a rule.
#[derive(Debug, Clone)]
pub(crate) struct Variables {
    domains: Vec<Domain>,
    /// Whether the head of the original rule has the variable.
    wanted: Vec<bool>,
    /// The logarithms of the sizes of their domains.
    pub(crate) weights: Vec<f64>,
}

impl Variables {
    /// The members of a variable's domain, if they can be written down.
    fn members(&self, var: VarId) -> Option<Vec<usize>> {
        let domain = &self.domains[var as usize];
        let constants = domain.constants.as_ref().filter(|_| domain.is_flat())?;
        Some(constants.ones().collect())
    }

    /// Whether the variable may be bound by its domain: the domain can be written down, and the
    /// variable is needed in the end. What is eliminated later had better be bound by what holds.
    pub(crate) fn is_listed(&self, var: usize) -> bool {
        let domain = &self.domains[var];
        self.wanted[var] && domain.is_flat() && domain.constants.is_some()
    }

    fn renumbered(&self, numbers: &[VarId]) -> Self {
        let of = |&var: &VarId| var as usize;
        Variables {
            domains: numbers
                .iter()
                .map(|var| self.domains[of(var)].clone())
                .collect(),
            weights: numbers.iter().map(|var| self.weights[of(var)]).collect(),
            wanted: numbers.iter().map(|var| self.wanted[of(var)]).collect(),
        }
    }
}

impl<'a> Helpers<'a> {
    /// No helpers yet; `possible` is what can hold in `program`.
    pub(crate) fn new(program: &Program, dynamic: Vec<bool>, possible: &'a Columns) -> Self {
        let mut helpers = Helpers {
            density: vec![0.0; program.relations.len()],
            of_moves: of_moves(program, &dynamic),
            possible,
            dynamic,
            known: FxHashMap::default(),
            sets: FxHashMap::default(),
            made: Vec::new(),
            rules: Vec::new(),
            cost: 0.0,
        };
        helpers.estimate_densities(program);
        helpers
    }

    /// Estimates how much holds of static relations, what is depended on first.
    fn estimate_densities(&mut self, program: &Program) {
        let dependencies = Dependencies::of(program);
        for &relation in dependencies.components().iter().flatten() {
            if self.is_dynamic(relation) || dependencies.is_recursive(relation.index()) {
                continue;
            }
            let mut size = program.info(relation).facts.len() as f64;
            for rule in program.rules_of(relation) {
                if let Some(variables) = self.variables(rule, &program.terms) {
                    let weight = |vars: &[bool]| -> f64 {
                        let held = variables
                            .weights
                            .iter()
                            .zip(vars)
                            .filter(|(_, held)| **held);
                        held.map(|(weight, _)| weight).sum()
                    };
                    let mut head = vec![false; rule.vars];
                    rule.head.for_each_var(&mut |var| head[var as usize] = true);
                    let asked = rule.body.iter().filter_map(Literal::positive);
                    let density: f64 = asked.map(|atom| self.density(atom.relation)).sum();
                    let all = weight(&vec![true; rule.vars]) + density;
                    size += weight(&head).min(all).exp();
                }
            }
            let all: f64 = self.possible.sizes(relation).map(|s| s.max(1.0).ln()).sum();
            self.density[relation.index()] = (size.max(1.0).ln() - all).min(0.0);
        }
    }

    /// Whether ground rules speak of the relation.
    pub(crate) fn is_dynamic(&self, relation: RelationId) -> bool {
        self.dynamic[relation.index()]
    }

    /// Whether the relation follows from the moves made, and what else of the state its rules ask for
    /// is about these moves.
    pub(crate) fn is_of_moves(&self, relation: RelationId) -> bool {
        self.of_moves[relation.index()]
    }

    /// The logarithm of how much of what its columns allow is estimated to hold of a relation.
    pub(crate) fn density(&self, relation: RelationId) -> f64 {
        let known = self.density.get(relation.index());
        known.copied().unwrap_or(0.0)
    }

    /// What is known of the variables of a rule of the rulesheet; `None` if it never applies.
    pub(crate) fn variables(&self, rule: &Rule, terms: &TermStore) -> Option<Variables> {
        let domains = domains(rule, self.possible, terms)?;
        let size = |domain: &Domain| self.possible.size(domain).max(1.0).ln();
        let mut wanted = vec![false; rule.vars];
        rule.head
            .for_each_var(&mut |var| wanted[var as usize] = true);
        Some(Variables {
            wanted,
            weights: domains.iter().map(size).collect(),
            domains,
        })
    }

    /// An atom over the variables `shared` that holds where `body` does for some values of its
    /// other variables.
    pub(crate) fn define(
        &mut self,
        body: Vec<Literal>,
        shared: &[VarId],
        variables: &Variables,
        span: Span,
    ) -> Atom {
        let mut numbers = shared.to_vec();
        let canonical: Vec<Literal> = body
            .iter()
            .map(|literal| renumber_literal(literal, &mut numbers))
            .collect();
        let key = (shared.len(), canonical);
        let relation = match self.known.get(&key) {
            Some(&relation) => relation,
            None => {
                let dynamic = body.iter().filter_map(relation).any(|r| self.is_dynamic(r));
                let of_moves = follows_moves(&key.1, &self.dynamic, &self.of_moves);
                let helper = self.make(shared.len(), Vec::new(), dynamic, of_moves);
                let rule = Rule {
                    head: over_variables(helper, 0..shared.len() as VarId),
                    body: key.1.clone(),
                    vars: numbers.len(),
                    span,
                };
                self.known.insert(key, helper);
                let rule = split(rule, &variables.renumbered(&numbers), self);
                self.rules.push(rule);
                helper
            }
        };
        over_variables(relation, shared.iter().copied())
    }

    /// A condition that a variable is in its domain, if that can be written down.
    pub(crate) fn in_domain(&mut self, var: VarId, variables: &Variables) -> Option<Literal> {
        let members = variables.members(var)?;
        let relation = match self.sets.get(&members) {
            Some(&relation) => relation,
            None => {
                let facts = members.iter().map(|&m| [TermId(m as u32)].into());
                let relation = self.make(1, facts.collect(), false, false);
                self.sets.insert(members, relation);
                relation
            }
        };
        Some(Literal::Positive(over_variables(
            relation,
            [var].into_iter(),
        )))
    }

    fn make(
        &mut self,
        arity: usize,
        facts: Vec<Box<[TermId]>>,
        dynamic: bool,
        of_moves: bool,
    ) -> RelationId {
        let relation = RelationId(self.dynamic.len() as u32);
        self.dynamic.push(dynamic);
        self.of_moves.push(of_moves);
        self.made.push(Made { arity, facts });
        relation
    }

    /// Adds the relations to the program and their rules to `rules`; for each relation whether it
    /// is dynamic.
    pub(crate) fn add_to(mut self, program: &mut Program, rules: &mut Vec<Rule>) -> Vec<bool> {
        rules.append(&mut self.rules);
        for (number, made) in self.made.into_iter().enumerate() {
            program.relations.push(RelationInfo {
                // No rulesheet can write a name with a space.
                name: program.terms.symbol(&format!("part {number}")),
                arity: made.arity,
                facts: made.facts,
                rules: Vec::new(),
            });
        }
        self.dynamic
    }
}

/// Whether literals that follow moves hold all variables of the literals that depend on the state.
fn follows_moves(body: &[Literal], dynamic: &[bool], of_moves: &[bool]) -> bool {
    let mut moved: Vec<VarId> = Vec::new();
    let mut any = false;
    for literal in body {
        if relation(literal).is_some_and(|r| of_moves[r.index()]) {
            any = true;
            literal.for_each_var(&mut |var| moved.push(var));
        }
    }
    let mut covered = any;
    for literal in body {
        if relation(literal).is_some_and(|r| dynamic[r.index()]) {
            literal.for_each_var(&mut |var| covered &= moved.contains(&var));
        }
    }
    covered
}

/// Which relations follow moves, see [`Helpers::is_of_moves`].
fn of_moves(program: &Program, dynamic: &[bool]) -> Vec<bool> {
    let does = Program::keyword(Keyword::Does);
    let mut of_moves = vec![false; program.relations.len()];
    of_moves[does.index()] = true;
    loop {
        let mut changed = false;
        for (number, info) in program.relations.iter().enumerate() {
            if of_moves[number] || !dynamic[number] || info.rules.is_empty() {
                continue;
            }
            let mut rules = program.rules_of(RelationId(number as u32));
            if rules.all(|rule| follows_moves(&rule.body, dynamic, &of_moves)) {
                of_moves[number] = true;
                changed = true;
            }
        }
        if !changed {
            return of_moves;
        }
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
