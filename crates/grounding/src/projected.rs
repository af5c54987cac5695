//! Unfolds relations of which rules ask for a part alone.
//!
//! `(<= (unsafe ?move) (exposes ?move ?king ?piece ?cell))`: nobody asks which piece exposes which
//! king. With the rules of `exposes` in place of the call, what it lists beside the move need not
//! stand together in one relation, and its rules can be split.

use crate::rewrite::{ROOTS, relation, set_rules};
use datalog::{Atom, Dependencies, Literal, Program, RelationId, Rule, VarId, unfold};

/// Replaces calls of state-dependent relations that are called once, by a rule that has no other
/// condition and drops some of their arguments.
pub(crate) fn unfold_projections(program: &mut Program, dynamic: &[bool]) {
    while let Some((at, called)) = projection(program, dynamic) {
        let rule = program.rules[at].clone();
        let rules = std::mem::take(&mut program.rules);
        let mut kept = Vec::with_capacity(rules.len());
        for (number, other) in rules.into_iter().enumerate() {
            if other.head.relation == called {
                kept.extend(unfold(&rule, 0, &other, &mut program.terms));
            } else if number != at {
                kept.push(other);
            }
        }
        set_rules(program, kept);
    }
}

/// A rule that projects a relation, and that relation.
fn projection(program: &Program, dynamic: &[bool]) -> Option<(usize, RelationId)> {
    let dependencies = Dependencies::of(program);
    let mut calls = vec![0u32; program.relations.len()];
    for called in program.rules.iter().flat_map(|rule| &rule.body) {
        if let Some(called) = relation(called) {
            calls[called.index()] += 1;
        }
    }
    let projected = |rule: &Rule| {
        let [Literal::Positive(atom)] = &rule.body[..] else {
            return None;
        };
        let at = atom.relation.index();
        let info = &program.relations[at];
        let is_root = ROOTS
            .iter()
            .any(|&root| Program::keyword(root) == atom.relation);
        let fits = dynamic[at]
            && !is_root
            && calls[at] == 1
            && !info.rules.is_empty()
            && info.facts.is_empty()
            && !dependencies.is_recursive(at)
            && drops(atom, &rule.head);
        fits.then_some(atom.relation)
    };
    let mut rules = program.rules.iter().enumerate();
    rules.find_map(|(at, rule)| Some((at, projected(rule)?)))
}

/// Whether a call has variables that a head does not have.
fn drops(call: &Atom, head: &Atom) -> bool {
    let mut kept: Vec<VarId> = Vec::new();
    head.for_each_var(&mut |var| kept.push(var));
    let mut drops = false;
    call.for_each_var(&mut |var| drops |= !kept.contains(&var));
    drops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{dynamic_relations, wanted};

    /// The relations that are called once projections are unfolded in a game with these rules
    /// beside its own.
    fn called(rules: &str) -> Vec<String> {
        let text = format!(
            "(role r) (init (p 1 2)) (cell 1) (cell 2)
             (<= (legal r (go ?x)) (true (p ?x ?y)) (not (unsafe ?x))) (legal r stay)
             (<= (next (p ?y ?x)) (true (p ?x ?y)) (does r (go ?x)))
             (<= terminal (true (p 2 2))) (goal r 0) {rules}"
        );
        let parsed = gdl_parse::parse(&text, &Default::default());
        let program = Program::from_sheet(&parsed.sheet);
        let mut program = wanted(&program).program;
        let dynamic = dynamic_relations(&program);
        unfold_projections(&mut program, &dynamic);
        let bodies = program.rules.iter().flat_map(|rule| &rule.body);
        let called = bodies.filter_map(relation);
        let names = called.map(|called| {
            let name = program.info(called).name;
            program.terms.symbols().name(name).to_owned()
        });
        let mut names: Vec<String> = names.collect();
        names.retain(|name| !["true", "does", "cell"].contains(&name.as_str()));
        names.sort_unstable();
        names.dedup();
        names
    }

    const EXPOSES: &str = "(<= (exposes ?x ?y ?z) (true (p ?x ?y)) (true (p ?y ?z)))
         (<= (exposes ?x ?y 1) (true (p ?x ?y)) (cell ?x))";

    #[test]
    fn what_nobody_asks_for_is_unfolded() {
        let rules = format!("{EXPOSES} (<= (unsafe ?x) (exposes ?x ?y ?z))");
        assert_eq!(called(&rules), ["unsafe"]);
        // It is called by the only rule of another one that is projected.
        let rules = format!(
            "{EXPOSES} (<= (unsafe ?x) (threat ?x ?y)) (<= (threat ?x ?y) (exposes ?x ?y ?z))"
        );
        assert_eq!(called(&rules), ["unsafe"]);
    }

    #[test]
    fn what_is_asked_for_whole_or_twice_stays() {
        let twice = format!(
            "{EXPOSES} (<= (unsafe ?x) (exposes ?x ?y ?z)) (<= (unsafe ?x) (exposes ?y ?x ?z))"
        );
        assert_eq!(called(&twice), ["exposes", "unsafe"]);
        let whole = "(<= (unsafe ?x) (exposes ?x)) (<= (exposes ?x) (true (p ?x ?y)))";
        assert_eq!(called(whole), ["exposes", "unsafe"]);
        // A rule for moves is more than what others ask for.
        let moves = "(<= (unsafe ?x) (cell ?x) moves) (<= moves (legal r ?m))";
        assert_eq!(called(moves), ["legal", "moves", "unsafe"]);
    }
}
