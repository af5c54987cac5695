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

mod find;
mod rules;

use crate::domain::Columns;
use crate::helpers::variables;
use crate::rewrite::set_rules;
use datalog::{Atom, Pattern, Program, RelationId, Rule, VarId};
use gdl_parse::Keyword;
use std::collections::BTreeMap;

/// Free arguments with fewer values are not worth it.
pub(crate) const FEW: f64 = 16.0;

/// Splits all relations in which this saves something. Returns whether there are any.
///
/// A relation is split if a rule of another one passes on arguments that it leaves free. A rule
/// leaves an argument free if it only says of it that static relations of one argument hold: its
/// guards. The guards of a relation's free arguments must allow at least `least` values together.
pub(crate) fn split_free(
    program: &mut Program,
    dynamic: &[bool],
    possible: &Columns,
    least: f64,
) -> bool {
    let mut split = FreeArguments::find(program, dynamic, possible, least);
    let Some(rules) = split.rewritten(program, possible) else {
        return false;
    };
    set_rules(program, rules);
    true
}

/// The relations that are split, with their free arguments.
struct FreeArguments<'a> {
    /// For each relation whether it depends on state or moves.
    dynamic: &'a [bool],
    free: BTreeMap<RelationId, Free>,
}

/// The free arguments of a relation.
struct Free {
    /// Their positions, ascending.
    args: Vec<FreeArg>,
    /// The relation without them. `None` before it is added.
    without: Option<RelationId>,
}

/// The position of a free argument, and its guards, sorted.
type FreeArg = (usize, Vec<RelationId>);

/// How a rule may use a variable that it leaves free, besides its guards.
#[derive(Clone, Copy, PartialEq)]
enum Uses {
    /// In calls of relations that leave it free.
    Passed,
    /// Not at all.
    Guarded,
}

impl FreeArguments<'_> {
    /// The guards of a variable in the body of a rule, sorted. `None` if the rule says more of the
    /// variable, or nothing.
    fn guards(&self, rule: &Rule, var: VarId, uses: Uses) -> Option<Vec<RelationId>> {
        let mut guards = Vec::new();
        for literal in &rule.body {
            if !variables(literal).contains(&var) {
                continue;
            }
            let atom = literal.positive()?;
            if self.is_guard(atom) {
                guards.push(atom.relation);
                continue;
            }
            let called = self.free.get(&atom.relation);
            let called = called.filter(|_| uses == Uses::Passed)?;
            for (at, arg) in atom.args.iter().enumerate() {
                if arg == &Pattern::Var(var) {
                    let (_, theirs) = called.args.iter().find(|(arg, _)| *arg == at)?;
                    guards.extend(theirs);
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
}

/// The variable at an argument of the head, if it occurs there alone.
fn own_variable(rule: &Rule, at: usize) -> Option<VarId> {
    let Pattern::Var(var) = rule.head.args[at] else {
        return None;
    };
    let mut count = 0;
    rule.head
        .for_each_var(&mut |other| count += usize::from(other == var));
    (count == 1).then_some(var)
}

/// Whether the language says what a relation means. These relations come first.
fn is_keyword(relation: RelationId) -> bool {
    relation <= Program::keyword(Keyword::Input)
}
