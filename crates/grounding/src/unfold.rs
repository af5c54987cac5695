//! Unfolds calls of relations that prevent a rule from being split.
//!
//! A static relation over many variables ties them together: `differ(?a, ?b, ?x, ?y)` for cells
//! that are not the same, `alike(?p, ?q, ?r, ?s)` for pieces with something in common. Its
//! rules are often conjunctions and disjunctions of narrow conditions. If its definition
//! replaces the call, the rule can be split into parts with few variables each.
//!
//! So does a relation of the state that is a mere conjunction, "the nine cells of the square hold
//! these". Listed by itself it has more tuples than memory, while each of its callers asks for a
//! few of its cells together.

use crate::helpers::{Helpers, Variables};
use crate::rewrite::relation;
use crate::split::split;
use datalog::{Dependencies, Literal, Program, RelationId, Rule, TermStore, VarId, unfold};

/// Relations with more rules are not unfolded. A rule is not unfolded into more rules than
/// this.
const MAX_RULES: usize = 8;

/// Rules with a smaller estimated cost are not unfolded.
const SMALL: f64 = 1000.0;

/// The factor by which the estimated cost must fall.
const GAIN: f64 = 2.0;

/// For each relation the rules by which its calls may be unfolded.
pub(crate) struct Unfoldable {
    rules: Vec<Vec<Rule>>,
    /// For each relation how many tuples are listed if a call stays: those of a relation of the
    /// state, which nothing else may need. 0 for static ones, which are listed once.
    listed: Vec<f64>,
}

impl Unfoldable {
    /// Those of a program: static relations, and relations of the state that are conjunctions and
    /// whose columns allow more than `most` tuples.
    pub(crate) fn of(program: &Program, helpers: &Helpers<'_>, most: f64) -> Self {
        let dependencies = Dependencies::of(program);
        let relations = program.relations.iter().enumerate();
        let (rules, listed) = relations
            .map(|(number, info)| {
                let relation = RelationId(number as u32);
                let (most_rules, listed) = match helpers.is_dynamic(relation) {
                    true => (1, helpers.tuples(relation)),
                    false => (MAX_RULES, 0.0),
                };
                let unfoldable = (listed == 0.0 || listed > most)
                    && !dependencies.is_recursive(number)
                    && info.facts.is_empty()
                    && info.arity > 2
                    && info.rules.len() <= most_rules;
                let rules = info.rules.iter().filter(|_| unfoldable);
                let rules: Vec<Rule> = rules.map(|&r| program.rules[r as usize].clone()).collect();
                (rules, listed)
            })
            .unzip();
        Unfoldable { rules, listed }
    }

    /// Whether the relation is one of the state, so that its own rule is not needed once all of
    /// its calls are unfolded.
    pub(crate) fn is_wide(&self, relation: RelationId) -> bool {
        self.listed[relation.index()] > 0.0 && !self.rules[relation.index()].is_empty()
    }

    /// The tuples that are listed for the calls which may be unfolded.
    fn listed(&self, rule: &Rule) -> f64 {
        let called = self.calls(rule).filter_map(|at| relation(&rule.body[at]));
        called.map(|called| self.listed[called.index()]).sum()
    }

    /// Splits the rule as it is, or unfolds it first if that is estimated to be much better.
    pub(crate) fn narrowed(
        &self,
        rule: Rule,
        helpers: &mut Helpers<'_>,
        terms: &mut TermStore,
    ) -> Vec<Rule> {
        if self.calls(&rule).next().is_none() {
            return split_whole(&rule, helpers, terms).into_iter().collect();
        }
        let mut best = Attempt::new(vec![rule], self, helpers, terms);
        while best.cost > SMALL {
            let sources = best.sources.iter().enumerate();
            let candidates = sources.flat_map(|(at, rule)| self.calls(rule).map(move |c| (at, c)));
            let candidates: Vec<(usize, usize)> = candidates.collect();
            let attempts = candidates.into_iter().filter_map(|(at, call)| {
                let mut sources = best.sources.clone();
                let rule = sources.remove(at);
                sources.extend(self.unfolded(&rule, call, terms));
                (sources.len() <= MAX_RULES).then(|| Attempt::new(sources, self, helpers, terms))
            });
            let next = attempts.min_by(|a, b| a.cost.total_cmp(&b.cost));
            match next.filter(|next| next.cost * GAIN < best.cost) {
                Some(next) => best = next,
                None => break,
            }
        }
        *helpers = best.helpers;
        best.rules
    }

    /// The positions of the calls that may be unfolded.
    fn calls<'r>(&'r self, rule: &'r Rule) -> impl Iterator<Item = usize> + 'r {
        (0..rule.body.len()).filter(|&position| self.is_call(rule, position))
    }

    /// Whether the literal is a call that may be unfolded.
    fn is_call(&self, rule: &Rule, position: usize) -> bool {
        let Some(atom) = rule.body[position].positive() else {
            return false;
        };
        let rules = self.rules.get(atom.relation.index());
        let mut vars: Vec<VarId> = Vec::new();
        atom.for_each_var(&mut |var| {
            if !vars.contains(&var) {
                vars.push(var);
            }
        });
        vars.len() > 2 && rules.is_some_and(|rules| !rules.is_empty())
    }

    fn unfolded(&self, rule: &Rule, call: usize, terms: &mut TermStore) -> Vec<Rule> {
        let called = relation(&rule.body[call]).map_or(&[][..], |r| &self.rules[r.index()]);
        let unfolded = called.iter();
        unfolded
            .filter_map(|called| unfold(rule, call, called, terms))
            .collect()
    }
}

/// The result of splitting some rules.
struct Attempt<'a> {
    sources: Vec<Rule>,
    rules: Vec<Rule>,
    helpers: Helpers<'a>,
    cost: f64,
}

impl<'a> Attempt<'a> {
    fn new(
        sources: Vec<Rule>,
        unfoldable: &Unfoldable,
        helpers: &Helpers<'a>,
        terms: &TermStore,
    ) -> Self {
        let mut trial = helpers.clone();
        let listed: f64 = sources.iter().map(|rule| unfoldable.listed(rule)).sum();
        let mut rules = Vec::with_capacity(sources.len());
        for rule in &sources {
            rules.extend(split_whole(rule, &mut trial, terms));
        }
        Attempt {
            cost: trial.cost - helpers.cost + listed,
            helpers: trial,
            sources,
            rules,
        }
    }
}

/// Splits the rule. `None` if it can never apply.
fn split_whole(rule: &Rule, helpers: &mut Helpers<'_>, terms: &TermStore) -> Option<Rule> {
    let variables = helpers.variables(rule, terms)?;
    let mut rule = rule.clone();
    project_negations(&mut rule, &variables, helpers);
    Some(split(rule, &variables, helpers))
}

/// Replaces variables that occur only in a negation.
///
/// `not p(?x, ?y)` where `?y` occurs nowhere else means that there is no such `?y`. It becomes
/// `not h(?x)` with a helper relation `h(?x) <= p(?x, ?y)`.
fn project_negations(rule: &mut Rule, variables: &Variables, helpers: &mut Helpers<'_>) {
    let mut bound = vec![false; rule.vars];
    for atom in rule.body.iter().filter_map(Literal::positive) {
        atom.for_each_var(&mut |var| bound[var as usize] = true);
    }
    for literal in &mut rule.body {
        let Literal::Negative(atom) = literal else {
            continue;
        };
        let mut shared: Vec<VarId> = Vec::new();
        let mut existential = false;
        atom.for_each_var(&mut |var| {
            existential |= !bound[var as usize];
            if bound[var as usize] && !shared.contains(&var) {
                shared.push(var);
            }
        });
        if existential {
            let body = vec![Literal::Positive(atom.clone())];
            *atom = helpers.define(body, &shared, variables, rule.span);
        }
    }
}
