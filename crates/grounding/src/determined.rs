//! Asks conditions apart that concern what the state determines.
//!
//! A king is on one square. That no pawn attacks that square, that no rook does but one on `?c`,
//! and that nothing does through `?e`, are conditions on the king's square and little more. Written
//! as one rule they have an instance for each king's square with each `?c` and `?e`. But where only
//! one square can be meant, there is one that fulfils all conditions if and only if each of them is
//! fulfilled by one. So each becomes a relation of its own, from which the square is gone:
//! `h(?x) <= king(?k), not a(?k), not b(?k, ?x)` becomes
//! `h(?x) <= k, not a', not b'(?x)` with `k <= king(?k)`, `a' <= king(?k), a(?k)` and
//! `b'(?x) <= king(?k), b(?k, ?x)`. Negations are listed as what they deny, which is rarely much.
//!
//! Which variables are determined follows from keys (`keys`).

use crate::demand::domains;
use crate::domain::{Columns, Domain};
use crate::helpers::{renumber_literal, variables};
use crate::keys::{Determined, Keys};
use crate::merge::add_relation;
use crate::rewrite::{dynamic_relations, set_rules};
use crate::split::over_variables;
use crate::tables::Tables;
use datalog::{Atom, Dependencies, Literal, Pattern, Program, RelationId, Rule, TermId, VarId};
use gdl_parse::Span;
use rustc_hash::FxHashMap;

/// The factor by which the estimated number of instances must fall.
const GAIN: f64 = 2.0;

/// Rewrites rules whose variables allow more than `least` combinations. Returns whether there were
/// any.
pub(crate) fn ask_apart(
    program: &mut Program,
    keys: &Keys,
    possible: &Columns,
    tables: &Tables,
    least: f64,
) -> bool {
    let dynamic = dynamic_relations(program);
    let dependencies = Dependencies::of(program);
    let mut helpers = Helpers {
        program,
        known: FxHashMap::default(),
        rules: Vec::new(),
    };
    let rules = std::mem::take(&mut helpers.program.rules);
    let mut changed = false;
    let mut reading = Reading {
        keys,
        possible,
        tables,
        dynamic: &dynamic,
        dependencies: &dependencies,
        rules: &rules,
        of_relations: FxHashMap::default(),
    };
    for rule in &rules {
        let mut rule = rule.clone();
        if let Some(split) = reading.split(&rule, least, helpers.program) {
            rule.body = split.applied(&rule, &mut helpers);
            changed = true;
        }
        helpers.rules.push(rule);
    }
    let rules = std::mem::take(&mut helpers.rules);
    set_rules(program, rules);
    changed
}

/// What is known of the conditions of rules.
struct Reading<'a> {
    keys: &'a Keys,
    possible: &'a Columns,
    tables: &'a Tables,
    dynamic: &'a [bool],
    dependencies: &'a Dependencies,
    rules: &'a [Rule],
    /// What the arguments of relations determine that one rule derives, as far as it was asked
    /// for: some arguments, and those that they determine.
    of_relations: FxHashMap<RelationId, Vec<Determined>>,
}

/// How the conditions of a rule are asked apart.
struct Split {
    /// The variables that stay.
    by: Vec<VarId>,
    /// The conditions that hold of what is determined whatever else is asked, the one that
    /// determines it among them.
    common: Vec<Literal>,
    groups: Vec<Group>,
    /// The conditions that do not concern what is determined.
    rest: Vec<Literal>,
}

/// Conditions that are asked together.
struct Group {
    /// The variables that they have in common with others, beside those that determine.
    own: Vec<VarId>,
    /// Conditions that hold together with the common ones.
    literals: Vec<Literal>,
    /// Whether they must not hold.
    negated: bool,
}

impl Reading<'_> {
    /// The best way to ask the conditions of a rule apart, if that saves enough.
    fn split(&mut self, rule: &Rule, least: f64, program: &Program) -> Option<Split> {
        let domains = domains(rule, self.possible, self.tables, &program.terms)?;
        let possible = self.possible;
        let size = |vars: &[VarId]| -> f64 {
            let sizes = vars.iter().map(|&var| &domains[usize::from(var)]);
            sizes.map(|domain| possible.size(domain).max(1.0)).product()
        };
        let mut in_head = Vec::new();
        rule.head.for_each_var(&mut |var| in_head.push(var));
        let mut best: Option<(f64, Split)> = None;
        for (at, literal) in rule.body.iter().enumerate() {
            let atom = literal.positive();
            let Some(atom) = atom.filter(|atom| self.may_determine(atom, rule)) else {
                continue;
            };
            for determined in self.determined(atom, &domains, program) {
                if determined.vars.iter().any(|var| in_head.contains(var)) {
                    continue;
                }
                let Some(split) = self.groups(rule, at, &determined) else {
                    continue;
                };
                let mut all = split.by.clone();
                split
                    .groups
                    .iter()
                    .for_each(|group| add(&mut all, &group.own));
                let left = size(&all);
                let each = split.groups.iter().map(|group| size(&group.own));
                let before = left * size(&determined.vars);
                let after = left + each.sum::<f64>() * size(&split.by) * size(&determined.vars);
                if before > least
                    && before >= GAIN * after
                    && best.as_ref().is_none_or(|(least, _)| after < *least)
                {
                    best = Some((after, split));
                }
            }
        }
        best.map(|(_, split)| split)
    }

    /// What a condition determines.
    fn determined(
        &mut self,
        condition: &Atom,
        domains: &[Domain],
        program: &Program,
    ) -> Vec<Determined> {
        let constants = |var: VarId| {
            let domain = &domains[usize::from(var)];
            let constants = domain.constants.as_ref().filter(|_| domain.is_flat())?;
            Some(
                constants
                    .ones()
                    .map(|number| TermId(number as u32))
                    .collect(),
            )
        };
        let mut found = self.keys.determined(condition, constants, &program.terms);
        let of_relation = self.of_relation(condition.relation, program).iter();
        let read = |places: &[VarId]| {
            let mut vars = Vec::new();
            for &place in places {
                condition.args[usize::from(place)].for_each_var(&mut |var| add(&mut vars, &[var]));
            }
            vars
        };
        let of_relation = of_relation.map(|places| {
            let by = read(&places.by);
            let mut vars = read(&places.vars);
            vars.retain(|var| !by.contains(var));
            Determined { by, vars }
        });
        found.extend(of_relation.filter(|way| !way.vars.is_empty()));
        found
    }

    /// What the arguments of a relation determine that one rule derives, as positions in place of
    /// variables.
    fn of_relation(&mut self, relation: RelationId, program: &Program) -> &[Determined] {
        if !self.of_relations.contains_key(&relation) {
            // A relation that depends on itself determines nothing as far as is known.
            self.of_relations.insert(relation, Vec::new());
            let found = self.by_rule(relation, program).unwrap_or_default();
            self.of_relations.insert(relation, found);
        }
        &self.of_relations[&relation]
    }

    fn by_rule(&mut self, relation: RelationId, program: &Program) -> Option<Vec<Determined>> {
        let info = program.info(relation);
        let [number] = info.rules[..] else {
            return None;
        };
        let rule = &self.rules[number as usize];
        let args: Option<Vec<VarId>> = rule.head.args.iter().map(variable).collect();
        let args = args.filter(|_| info.facts.is_empty())?;
        let domains = domains(rule, self.possible, self.tables, &program.terms)?;
        let mut steps = Vec::new();
        for atom in rule.body.iter().filter_map(Literal::positive) {
            steps.extend(self.determined(atom, &domains, program));
        }
        let mut found: Vec<Determined> = Vec::new();
        let places: Vec<VarId> = (0..args.len() as VarId).collect();
        let some = std::iter::once(vec![]).chain(places.iter().map(|&place| vec![place]));
        for by in some {
            let mut known: Vec<VarId> = by.iter().map(|&at| args[usize::from(at)]).collect();
            while let Some(step) = steps.iter().find(|step| {
                let has = |var: &VarId| known.contains(var);
                step.by.iter().all(has) && !step.vars.iter().all(has)
            }) {
                add(&mut known, &step.vars);
            }
            let is_new = |&place: &VarId| {
                known.contains(&args[usize::from(place)])
                    && !by.contains(&place)
                    && found
                        .iter()
                        .all(|less| !(less.by.is_empty() && less.vars.contains(&place)))
            };
            let vars: Vec<VarId> = places.iter().copied().filter(is_new).collect();
            if !vars.is_empty() {
                found.push(Determined { by, vars });
            }
        }
        Some(found)
    }

    /// Whether a condition of a rule may be asked for by helpers that the rule denies.
    fn may_determine(&self, atom: &Atom, rule: &Rule) -> bool {
        let component = |relation: RelationId| self.dependencies.component(relation);
        self.is_dynamic(atom) && component(atom.relation) != component(rule.head.relation)
    }

    fn is_dynamic(&self, atom: &Atom) -> bool {
        self.dynamic[atom.relation.index()]
    }

    /// The conditions of a rule in groups, those that concern what the condition at this position
    /// determines. `None` if there is nothing to ask apart.
    fn groups(&self, rule: &Rule, at: usize, determined: &Determined) -> Option<Split> {
        let concerns = |literal: &Literal| {
            let vars = variables(literal);
            vars.iter().any(|var| determined.vars.contains(var))
        };
        let mut split = Split {
            by: determined.by.clone(),
            common: vec![rule.body[at].clone()],
            groups: Vec::new(),
            rest: Vec::new(),
        };
        for (number, literal) in rule.body.iter().enumerate() {
            if number == at {
                continue;
            }
            if !concerns(literal) {
                split.rest.push(literal.clone());
                continue;
            }
            let mut own = variables(literal);
            own.retain(|var| !determined.vars.contains(var) && !determined.by.contains(var));
            own.sort_unstable();
            match literal {
                Literal::Positive(atom) if own.is_empty() && !self.is_dynamic(atom) => {
                    split.common.push(literal.clone());
                }
                Literal::Distinct(..) if own.is_empty() => split.common.push(literal.clone()),
                // That it is another one: what it denies binds the variable.
                Literal::Distinct(..) => return None,
                Literal::Positive(_) => {
                    let mut groups = split.groups.iter_mut();
                    match groups.find(|group| !group.negated && group.own == own) {
                        Some(group) => group.literals.push(literal.clone()),
                        None => split.groups.push(Group {
                            own,
                            literals: vec![literal.clone()],
                            negated: false,
                        }),
                    }
                }
                Literal::Negative(atom) => split.groups.push(Group {
                    own,
                    literals: vec![Literal::Positive(atom.clone())],
                    negated: true,
                }),
            }
        }
        // What is static and binds nothing else keeps the helpers small.
        for group in &mut split.groups {
            let is_known = |var: &VarId| {
                determined.vars.contains(var)
                    || determined.by.contains(var)
                    || group.own.contains(var)
            };
            let fixed = split.rest.iter().filter(|literal| match literal {
                Literal::Positive(atom) => {
                    !self.is_dynamic(atom) && variables(literal).iter().all(is_known)
                }
                _ => false,
            });
            let fixed: Vec<Literal> = fixed.cloned().collect();
            group.literals.extend(fixed);
        }
        (split.groups.len() > 1).then_some(split)
    }
}

impl Split {
    /// The body of the rule with helpers.
    fn applied(self, rule: &Rule, helpers: &mut Helpers<'_>) -> Vec<Literal> {
        let mut body = self.rest;
        if self.groups.iter().all(|group| group.negated) {
            let helper = helpers.define(self.common.clone(), &self.by, rule.span);
            body.push(Literal::Positive(helper));
        }
        for group in self.groups {
            let literals = self.common.iter().cloned().chain(group.literals);
            let shared = [self.by.as_slice(), &group.own].concat();
            let helper = helpers.define(literals.collect(), &shared, rule.span);
            body.push(match group.negated {
                true => Literal::Negative(helper),
                false => Literal::Positive(helper),
            });
        }
        body
    }
}

/// The relations that conditions become. Equal definitions share one.
struct Helpers<'a> {
    program: &'a mut Program,
    /// Known definitions: the number of variables of the head, and the body.
    known: FxHashMap<(usize, Vec<Literal>), RelationId>,
    rules: Vec<Rule>,
}

impl Helpers<'_> {
    /// An atom over `shared` that holds if a body does.
    fn define(&mut self, body: Vec<Literal>, shared: &[VarId], span: Span) -> Atom {
        let mut numbers = shared.to_vec();
        let body = body
            .iter()
            .map(|literal| renumber_literal(literal, &mut numbers));
        let key = (shared.len(), body.collect::<Vec<Literal>>());
        let relation = match self.known.get(&key) {
            Some(&relation) => relation,
            None => {
                let relation = add_relation(self.program, shared.len());
                self.rules.push(Rule {
                    head: over_variables(relation, 0..shared.len() as VarId),
                    body: key.1.clone(),
                    vars: numbers.len(),
                    span,
                });
                self.known.insert(key, relation);
                relation
            }
        };
        over_variables(relation, shared.iter().copied())
    }
}

/// The variable that a pattern is.
fn variable(pattern: &Pattern) -> Option<VarId> {
    match pattern {
        Pattern::Var(var) => Some(*var),
        _ => None,
    }
}

/// Adds variables that are not there yet.
fn add(vars: &mut Vec<VarId>, more: &[VarId]) {
    for var in more {
        if !vars.contains(var) {
            vars.push(*var);
        }
    }
}
