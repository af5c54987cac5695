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

mod reading;

use crate::demand::domains;
use crate::domain::Columns;
use crate::helpers::{renumber_literal, variables};
use crate::keys::{Determined, Keys};
use crate::merge::add_relation;
use crate::rewrite::{dynamic_relations, set_rules};
use crate::split::over_variables;
use crate::tables::Tables;
use datalog::{Atom, Dependencies, Literal, Program, RelationId, Rule, VarId};
use gdl_parse::Span;
use reading::{Reading, add};
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
    let mut reading = Reading::new(&rules, keys, (possible, tables), (&dynamic, &dependencies));
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

    /// Whether a condition of a rule may be asked for by helpers that the rule denies.
    fn may_determine(&self, atom: &Atom, rule: &Rule) -> bool {
        let component = |relation: RelationId| self.dependencies.component(relation);
        self.is_dynamic(atom) && component(atom.relation) != component(rule.head.relation)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demand::possible;
    use crate::meter::Meter;
    use budget::Budget;

    /// Whether a rule is rewritten, beside rules for two pawns and a king on a line.
    fn is_split(rule: &str) -> bool {
        let squares: String = (1..20)
            .map(|n| format!("(succ {n} {})(sq {n})", n + 1))
            .collect();
        let text = format!(
            "(role r) (init (piece king 1)) (init (piece pawn 2)) (init (piece pawn 3))
             (<= (legal r (go ?x)) (sq ?x)) {squares}
             (<= (next (piece king ?y)) (true (piece king ?x)) (succ ?x ?y))
             (<= (next (piece pawn ?x)) (true (piece pawn ?x)))
             (<= (next (near ?x ?y)) (does r (go ?x)) (sq ?y))
             (<= terminal (true (near 3 4))) {rule}"
        );
        let parsed = gdl_parse::parse(&text, &Default::default());
        let mut program = Program::from_sheet(&parsed.sheet);
        let (budget, tables) = (Budget::system(), Tables::default());
        let mut meter = Meter::new(&budget);
        let keys = Keys::of_program(&mut program, &mut meter).expect("time is enough");
        let columns = possible(&program, &tables, &mut meter).expect("time is enough");
        ask_apart(&mut program, &keys, &columns, &tables, 0.0)
    }

    /// A goal that depends on two squares that are far from a place.
    fn goal(place: &str, head: &str) -> String {
        format!(
            "(<= (goal r {head}) {place} (sq ?x) (sq ?y) (not (true (near ?k ?x)))
                 (not (true (near ?k ?y))))"
        )
    }

    #[test]
    fn the_place_of_the_only_king_is_asked_about_apart() {
        assert!(is_split(&goal("(true (piece king ?k))", "1")));
        assert!(!is_split(&goal("(true (piece pawn ?k))", "1")));
        assert!(!is_split(&goal("(sq ?k)", "1")));
    }

    #[test]
    fn a_place_that_the_head_needs_stays() {
        assert!(is_split(&goal("(true (piece king ?k))", "?x")));
        assert!(!is_split(&goal("(true (piece king ?k))", "?k")));
    }

    #[test]
    fn every_name_that_a_variable_can_be_must_be_of_one_piece() {
        let named = goal("(true (piece ?name ?k)) (name ?name)", "1");
        assert!(is_split(&format!("{named} (name king)")));
        assert!(!is_split(&format!("{named} (name king) (name pawn)")));
    }

    #[test]
    fn a_relation_determines_what_its_only_rule_does() {
        let home = goal("(home ?k) ", "1");
        let rule = "(<= (home ?k) (true (piece king ?k)) (sq ?k))";
        assert!(is_split(&format!("{home} {rule}")));
        let another = "(<= (home ?k) (true (near ?k 3)))";
        assert!(!is_split(&format!("{home} {rule} {another}")));
        // Each square determines the next one, and nothing determines the first.
        let next = "(<= (home ?k) (true (near 3 ?x)) (succ ?x ?k))";
        assert!(!is_split(&format!("{home} {next}")));
    }
}
