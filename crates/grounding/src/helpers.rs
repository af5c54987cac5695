//! Helper relations that are introduced while rules are rewritten.

use crate::demand::domains;
use crate::domain::{Columns, Domain};
use crate::rewrite::relation;
use crate::split::{over_variables, split};
use crate::tables::Tables;
use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule, TermId,
    TermStore, VarId,
};
use gdl_parse::{Keyword, Span};
use rustc_hash::FxHashMap;

/// The helper relations. Equal definitions share one relation.
#[derive(Clone)]
pub(crate) struct Helpers<'a> {
    /// The terms that can occur in the relations of the rulesheet.
    possible: &'a Columns,
    /// Static relations that are known.
    tables: &'a Tables,
    /// Whether each relation is dynamic.
    dynamic: Vec<bool>,
    /// Whether each relation follows from the moves, see [`Helpers::is_of_moves`].
    of_moves: Vec<bool>,
    /// For each relation of the rulesheet, the logarithm of its estimated density: the fraction
    /// of the tuples allowed by its columns that hold. Zero for dynamic and recursive
    /// relations.
    density: Vec<f64>,
    /// Known definitions: the number of variables of the head, and the body. The variables of
    /// the body are numbered so that those of the head come first.
    known: FxHashMap<(usize, Vec<Literal>), RelationId>,
    sets: FxHashMap<Vec<usize>, RelationId>,
    made: Vec<Made>,
    rules: Vec<Rule>,
    /// The estimated cost of the rules split so far.
    pub(crate) cost: f64,
}

/// A helper relation.
#[derive(Debug, Clone)]
struct Made {
    arity: usize,
    facts: Vec<Box<[TermId]>>,
}

/// Properties of the variables of a rule.
#[derive(Debug, Clone)]
pub(crate) struct Variables {
    domains: Vec<Domain>,
    /// Whether the variable occurs in the head of the original rule.
    wanted: Vec<bool>,
    /// The logarithms of the domain sizes.
    pub(crate) weights: Vec<f64>,
}

impl Variables {
    /// The members of a variable's domain, if it consists of known constants only.
    fn members(&self, var: VarId) -> Option<Vec<usize>> {
        let domain = &self.domains[var as usize];
        let constants = domain.constants.as_ref().filter(|_| domain.is_flat())?;
        Some(constants.ones().collect())
    }

    /// Whether the variable may be bound by listing its domain. This needs a domain of known
    /// constants and a variable that occurs in the final rule. A variable that is eliminated
    /// later is better bound by atoms that hold.
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
    /// Creates an empty set of helpers. `possible` are the terms that can occur in `program`.
    pub(crate) fn new(
        program: &Program,
        dynamic: Vec<bool>,
        possible: &'a Columns,
        tables: &'a Tables,
    ) -> Self {
        let mut helpers = Helpers {
            density: vec![0.0; program.relations.len()],
            of_moves: of_moves(program, &dynamic),
            possible,
            tables,
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

    /// Estimates the densities of relations, dependencies first.
    fn estimate_densities(&mut self, program: &Program) {
        let dependencies = Dependencies::of(program);
        for &relation in dependencies.components().iter().flatten() {
            let is_given = program.rules_of(relation).next().is_none() && self.is_dynamic(relation);
            if is_given || dependencies.is_recursive(relation.index()) {
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
                    let density: f64 = asked
                        .map(|atom| self.density_in_some_state(atom.relation))
                        .sum();
                    let all = weight(&vec![true; rule.vars]) + density;
                    size += weight(&head).min(all).exp();
                }
            }
            let all: f64 = self.possible.sizes(relation).map(|s| s.max(1.0).ln()).sum();
            self.density[relation.index()] = (size.max(1.0).ln() - all).min(0.0);
        }
    }

    /// Whether the relation occurs in ground rules.
    pub(crate) fn is_dynamic(&self, relation: RelationId) -> bool {
        self.dynamic[relation.index()]
    }

    /// The number of tuples that the columns of a relation of the rulesheet allow.
    pub(crate) fn tuples(&self, relation: RelationId) -> f64 {
        self.possible
            .sizes(relation)
            .map(|size| size.max(1.0))
            .product()
    }

    /// Whether one of the rules made so far calls the relation.
    pub(crate) fn call(&self, called: RelationId) -> bool {
        calls(&self.rules, called)
    }

    /// Whether the relation is determined by the moves played: whatever else its rules ask of
    /// the state concerns only variables of these moves.
    pub(crate) fn is_of_moves(&self, relation: RelationId) -> bool {
        self.of_moves[relation.index()]
    }

    /// The logarithm of a static relation's estimated density: the fraction of the tuples allowed
    /// by its columns that hold. Of others nothing is known.
    pub(crate) fn density(&self, relation: RelationId) -> f64 {
        match self.is_dynamic(relation) {
            true => 0.0,
            false => self.density_in_some_state(relation),
        }
    }

    /// The same of any relation: the fraction of the tuples that hold in some state, by what the
    /// static conditions of its rules leave.
    pub(crate) fn density_in_some_state(&self, relation: RelationId) -> f64 {
        let known = self.density.get(relation.index());
        known.copied().unwrap_or(0.0)
    }

    /// The properties of the variables of a rule of the rulesheet. `None` if the rule never
    /// applies.
    pub(crate) fn variables(&self, rule: &Rule, terms: &TermStore) -> Option<Variables> {
        let domains = domains(rule, self.possible, self.tables, terms)?;
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

    /// Defines a helper atom over the variables `shared`. It holds where `body` holds for some
    /// values of its other variables.
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

    /// A condition that a variable is in its domain, if the domain consists of known constants.
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

    /// Adds the relations to the program and their rules to `rules`. Returns for each relation
    /// whether it is dynamic.
    pub(crate) fn add_to(mut self, program: &mut Program, rules: &mut Vec<Rule>) -> Vec<bool> {
        rules.append(&mut self.rules);
        for (number, made) in self.made.into_iter().enumerate() {
            program.relations.push(RelationInfo {
                // No rulesheet can contain a name with a space, so the name is unique.
                name: program.terms.symbol(&format!("part {number}")),
                arity: made.arity,
                facts: made.facts,
                rules: Vec::new(),
            });
        }
        self.dynamic
    }
}

/// Whether one of the rules calls the relation.
pub(crate) fn calls(rules: &[Rule], called: RelationId) -> bool {
    let mut literals = rules.iter().flat_map(|rule| &rule.body);
    literals.any(|literal| relation(literal) == Some(called))
}

/// Whether the literals that follow from the moves contain all variables of the dynamic
/// literals.
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

/// Which relations follow from the moves, see [`Helpers::is_of_moves`].
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

/// The literal with each variable replaced by its position in `numbers`, which grows as needed.
pub(crate) fn renumber_literal(literal: &Literal, numbers: &mut Vec<VarId>) -> Literal {
    match literal {
        Literal::Positive(atom) => Literal::Positive(renumber_atom(atom, numbers)),
        Literal::Negative(atom) => Literal::Negative(renumber_atom(atom, numbers)),
        Literal::Distinct(a, b) => Literal::Distinct(renumber(a, numbers), renumber(b, numbers)),
    }
}

fn renumber_atom(atom: &Atom, numbers: &mut Vec<VarId>) -> Atom {
    Atom {
        relation: atom.relation,
        args: atom.args.iter().map(|arg| renumber(arg, numbers)).collect(),
    }
}

/// A rule whose variables are numbered in the order of their occurrence.
pub(crate) fn renumbered<'a>(
    head: &Atom,
    body: impl Iterator<Item = &'a Literal>,
    span: Span,
) -> Rule {
    let mut numbers = Vec::new();
    let head = renumber_atom(head, &mut numbers);
    let body = body.map(|literal| renumber_literal(literal, &mut numbers));
    Rule {
        head,
        body: body.collect(),
        vars: numbers.len(),
        span,
    }
}

/// The variables of a literal, each once.
pub(crate) fn variables(literal: &Literal) -> Vec<VarId> {
    let mut vars = Vec::new();
    literal.for_each_var(&mut |var| {
        if !vars.contains(&var) {
            vars.push(var);
        }
    });
    vars
}

/// The pattern with each variable replaced by its position in `numbers`, which grows as needed.
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
