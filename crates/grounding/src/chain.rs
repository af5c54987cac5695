//! Reads wide static conditions value by value.
//!
//! `good(?i) <= cell(?i, 1, ?a), cell(?i, 2, ?b), ..., differ(?a, ?b, ...)` has an instance for
//! each tuple of `differ`, which are hundreds of thousands for nine values, and `differ` has to be
//! listed first. As a decision diagram (`diagram`) the tuples are some hundred nodes. The rule
//! becomes a chain of rules, one for each variable: `part1(?i, ?n1) <= cell(?i, 1, ?a),
//! edge(root, ?a, ?n1)`, `part2(?i, ?n2) <= part1(?i, ?n1), cell(?i, 2, ?b), edge(?n1, ?b, ?n2)`,
//! and so on. What was a product of the conditions on the state becomes a walk through the
//! diagram, whose nodes are what all tuples with the same end have in common.

mod sets;

use crate::demand::domains;
use crate::diagram::{Diagrams, NONE, Node, TRUE};
use crate::domain::Columns;
use crate::helpers::{renumbered, variables};
use crate::merge::add_relation;
use crate::rewrite::relation;
use crate::split::over_variables;
use crate::tables::Tables;
use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, TermStore, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use sets::Sets;

/// The most nodes of the diagrams of a rule.
const NODES: usize = 20_000;
/// The most steps for the diagrams of all rules: half a second.
const STEPS: u64 = 4_000_000;

/// Replaces rules that have wide static conditions, whose variables allow more than `least`
/// combinations, by chains of rules. Returns whether there were any.
pub(crate) fn chain(
    program: &mut Program,
    dynamic: &[bool],
    possible: &Columns,
    tables: &Tables,
    least: f64,
) -> bool {
    let dependencies = Dependencies::of(program);
    let (mut changed, mut left) = (false, STEPS);
    let mut rules = Vec::with_capacity(program.rules.len());
    let mut known: FxHashMap<Vec<Edge>, RelationId> = FxHashMap::default();
    for rule in program.rules.clone() {
        let walk = Wide::of(
            &rule,
            program,
            &dependencies,
            dynamic,
            possible,
            tables,
            least,
        )
        .and_then(|wide| wide.walk(program, &dependencies, &mut left));
        match walk {
            Some(walk) => {
                changed = true;
                walk.write(&rule, program, &mut known, &mut rules);
            }
            None => rules.push(rule),
        }
    }
    program.rules = rules;
    changed
}

/// A rule with wide static conditions.
struct Wide<'a> {
    rule: &'a Rule,
    /// Which conditions are wide and static.
    conditions: Vec<usize>,
    /// Their variables, in the order in which they are read.
    order: Vec<VarId>,
    /// The values of each of these.
    values: Vec<Vec<TermId>>,
}

impl<'a> Wide<'a> {
    fn of(
        rule: &'a Rule,
        program: &Program,
        dependencies: &Dependencies,
        dynamic: &[bool],
        possible: &Columns,
        tables: &Tables,
        least: f64,
    ) -> Option<Wide<'a>> {
        let fits = |literal: &Literal| {
            relation(literal).is_some_and(|r| {
                !dynamic[r.index()]
                    && !dependencies.is_recursive(r.index())
                    && !program.info(r).rules.is_empty()
                    && program.info(r).arity > 2
            })
        };
        if !rule.body.iter().any(fits) {
            return None;
        }
        let domains = domains(rule, possible, tables, &program.terms)?;
        let is_wide = |literal: &Literal| {
            let sizes = variables(literal).into_iter();
            let sizes = sizes.map(|var| possible.size(&domains[var as usize]).max(1.0));
            sizes.product::<f64>() > least
        };
        let places = rule.body.iter().enumerate();
        let conditions: Vec<usize> = places
            .filter(|(_, literal)| fits(literal) && is_wide(literal))
            .map(|(at, _)| at)
            .collect();
        let mut read: FxHashSet<VarId> = FxHashSet::default();
        for &at in &conditions {
            read.extend(variables(&rule.body[at]));
        }
        // The order of the text, in which neighbours belong together more often than not.
        let mut order: Vec<VarId> = Vec::new();
        for literal in &rule.body {
            for var in variables(literal) {
                if read.contains(&var) && !order.contains(&var) {
                    order.push(var);
                }
            }
        }
        let values = order.iter().map(|&var| {
            let domain = &domains[var as usize];
            let constants = domain.constants.as_ref().filter(|_| domain.is_flat())?;
            Some(constants.ones().map(|term| TermId(term as u32)).collect())
        });
        let values = values.collect::<Option<Vec<Vec<TermId>>>>()?;
        (!order.is_empty()).then_some(Wide {
            rule,
            conditions,
            order,
            values,
        })
    }

    /// The diagram of all wide conditions, and when the others are asked. `None` if there is no
    /// small diagram. Its steps are taken from those that are left.
    fn walk(self, program: &Program, dependencies: &Dependencies, left: &mut u64) -> Option<Walk> {
        let sizes = self.values.iter().map(Vec::len).collect();
        let diagrams = Diagrams::new(sizes, NODES, *left).ok()?;
        let levels = Levels::of(&self)?;
        let mut sets = Sets::new(diagrams, program, dependencies, &self.values);
        let conditions = self.conditions.iter().map(|&at| &self.rule.body[at]);
        let root = sets.of_all(conditions, &self.order);
        *left = sets.diagrams.left;
        let root = root?;
        Some(Walk {
            edges: sets.diagrams.edges(root),
            root,
            order: self.order,
            values: self.values,
            levels,
        })
    }
}

/// When the other conditions of a rule are asked: after how many variables were read.
struct Levels {
    conditions: Vec<Option<usize>>,
    /// For each variable the level from which on it is bound.
    bound: Vec<usize>,
}

impl Levels {
    /// `None` if some variable is bound by nothing else than the wide conditions' own variables.
    fn of(wide: &Wide<'_>) -> Option<Levels> {
        let rule = wide.rule;
        let never = usize::MAX;
        let mut bound = vec![never; rule.vars];
        for (at, &var) in wide.order.iter().enumerate() {
            bound[var as usize] = at + 1;
        }
        let read = bound.clone();
        let after = |literal: &Literal| {
            let levels = variables(literal).into_iter().map(|var| read[var as usize]);
            levels.filter(|&level| level != never).max().unwrap_or(0)
        };
        let is_other = |at: &usize| !wide.conditions.contains(at);
        let others: Vec<usize> = (0..rule.body.len()).filter(is_other).collect();
        for literal in others.iter().map(|&at| &rule.body[at]) {
            if literal.positive().is_some() {
                for var in variables(literal) {
                    let level = &mut bound[var as usize];
                    *level = (*level).min(after(literal).max(1));
                }
            }
        }
        for (at, &var) in wide.order.iter().enumerate() {
            bound[var as usize] = at + 1;
        }
        let mut conditions = vec![None; rule.body.len()];
        for &at in &others {
            let literal = &rule.body[at];
            let mut level = after(literal).max(1);
            if literal.positive().is_none() {
                for var in variables(literal) {
                    match bound[var as usize] {
                        // It is existential inside the negation.
                        level if level == never && matches!(literal, Literal::Negative(_)) => {}
                        level if level == never => return None,
                        of_var => level = level.max(of_var),
                    }
                }
            }
            conditions[at] = Some(level);
        }
        let mut head_bound = true;
        rule.head
            .for_each_var(&mut |var| head_bound &= bound[var as usize] != never);
        head_bound.then_some(Levels { conditions, bound })
    }

    /// The variables that are bound at a level and needed later.
    fn carried(&self, rule: &Rule, level: usize) -> Vec<VarId> {
        let mut needed = vec![false; rule.vars];
        rule.head
            .for_each_var(&mut |var| needed[var as usize] = true);
        for (literal, &at) in rule.body.iter().zip(&self.conditions) {
            if at.is_some_and(|at| at > level) {
                literal.for_each_var(&mut |var| needed[var as usize] = true);
            }
        }
        (0..rule.vars as VarId)
            .filter(|&var| needed[var as usize] && self.bound[var as usize] <= level)
            .collect()
    }
}

/// An edge of a diagram: from a node, by a value, to a node.
type Edge = (Node, usize, Node);

/// A rule as a walk through a diagram.
struct Walk {
    edges: Vec<Edge>,
    root: Node,
    order: Vec<VarId>,
    values: Vec<Vec<TermId>>,
    levels: Levels,
}

impl Walk {
    /// Writes the rules of the walk, and the edges as facts.
    fn write(
        self,
        rule: &Rule,
        program: &mut Program,
        known: &mut FxHashMap<Vec<Edge>, RelationId>,
        out: &mut Vec<Rule>,
    ) {
        if self.root == NONE {
            return;
        }
        let edge = *known
            .entry(self.facts())
            .or_insert_with_key(|facts| add_edges(program, facts));
        let mut before = None;
        for level in 1..=self.order.len() {
            let part = self.part(rule, level, before.take(), edge, program);
            before = part.after;
            out.push(renumbered(&part.head, part.body.iter(), rule.span));
        }
    }

    /// The edges, ascending, with terms instead of the numbers of values.
    fn facts(&self) -> Vec<Edge> {
        let mut edges = self.edges.clone();
        edges.sort_unstable();
        let level_of = self.levels_of_nodes(&edges);
        let fact = |&(from, value, to): &Edge| {
            let term = self.values[level_of[&from]][value];
            (from, term.index(), to)
        };
        edges.iter().map(fact).collect()
    }

    /// The level of each node, given the edges, ascending. All ways to a node have the same
    /// length, which is its level.
    fn levels_of_nodes(&self, edges: &[Edge]) -> FxHashMap<Node, usize> {
        let mut level_of: FxHashMap<Node, usize> = FxHashMap::default();
        level_of.insert(self.root, 0);
        let mut open = vec![self.root];
        while let Some(node) = open.pop() {
            let below = level_of[&node] + 1;
            let from = edges.partition_point(|edge| edge.0 < node);
            for &(_, _, child) in edges[from..].iter().take_while(|edge| edge.0 == node) {
                if child != TRUE && level_of.insert(child, below).is_none() {
                    open.push(child);
                }
            }
        }
        level_of
    }

    /// The rule of a level, which reads one variable. `before` is what the rule of the level
    /// before derives.
    fn part(
        &self,
        rule: &Rule,
        level: usize,
        before: Option<Atom>,
        edge: RelationId,
        program: &mut Program,
    ) -> Part {
        // The nodes before and after the edge.
        let (here, next) = (rule.vars as VarId, rule.vars as VarId + 1);
        let last = level == self.order.len();
        let number = edge.index();
        let from = match before {
            Some(_) => Pattern::Var(here),
            None => Pattern::Term(node_term(&mut program.terms, number, self.root)),
        };
        let to = match last {
            true => Pattern::Term(node_term(&mut program.terms, number, TRUE)),
            false => Pattern::Var(next),
        };
        let mut body: Vec<Literal> = before.map(Literal::Positive).into_iter().collect();
        for (literal, &of) in rule.body.iter().zip(&self.levels.conditions) {
            if of == Some(level) {
                body.push(literal.clone());
            }
        }
        body.push(Literal::Positive(Atom {
            relation: edge,
            args: [from, Pattern::Var(self.order[level - 1]), to].into(),
        }));
        if last {
            let head = rule.head.clone();
            let after = None;
            return Part { head, body, after };
        }
        let carried = self.levels.carried(rule, level);
        let relation = add_relation(program, carried.len() + 1);
        let args = |node: VarId| carried.iter().copied().chain([node]);
        Part {
            head: over_variables(relation, args(next)),
            body,
            after: Some(over_variables(relation, args(here))),
        }
    }
}

/// The rule of one level, with the variables of the whole rule and two more for nodes.
struct Part {
    head: Atom,
    body: Vec<Literal>,
    /// The head as the rule of the next level reads it; `None` at the last level.
    after: Option<Atom>,
}

/// Adds a relation with these edges as facts.
fn add_edges(program: &mut Program, edges: &[Edge]) -> RelationId {
    let relation = add_relation(program, 3);
    let number = relation.index();
    let terms = &mut program.terms;
    let rows = edges.iter().map(|&(from, term, to)| -> Box<[TermId]> {
        [
            node_term(terms, number, from),
            TermId(term as u32),
            node_term(terms, number, to),
        ]
        .into()
    });
    program.relations[number].facts = rows.collect();
    relation
}

/// The constant that stands for a node. No rulesheet can contain a name with a space.
fn node_term(terms: &mut TermStore, relation: usize, node: Node) -> TermId {
    let symbol = terms.symbol(&format!("node {relation} {node}"));
    terms.constant(symbol)
}
