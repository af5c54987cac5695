//! Checks recursion: no relation may depend on itself through a `not`, and terms must not grow.
//!
//! The second rule is the recursion restriction of the GDL specification: an argument of a
//! recursive condition must be ground, or an argument of the head, or an argument of a
//! condition that is not part of the recursion. This check also accepts terms whose variables
//! are all bound by such conditions: they, too, can only take finitely many values.

use crate::context::{Context, Use, for_each_variable, same};
use gdl_parse::diagnostic::cut;
use gdl_parse::{Diagnostic, Findings, Symbol, Term};
use rustc_hash::FxHashSet;

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for (index, rule) in context.sheet.rules.iter().enumerate() {
        let Some(head) = context.number(&rule.head) else {
            continue;
        };
        let uses = context.uses_of(index);
        let recursive = |used: &&Use<'_>| context.in_one_cycle(head, used.relation);
        if uses.iter().any(|used| recursive(&used)) {
            for used in uses.iter().filter(|used| used.negative).filter(recursive) {
                negation(context, head, used, findings);
            }
            growth(context, head, index, findings);
        }
    }
}

fn negation(context: &Context<'_>, head: usize, used: &Use<'_>, findings: &mut Findings) {
    let label = if used.relation == head || findings.is_full() {
        "it depends on itself".to_owned()
    } else {
        let name = context.sheet.symbols.name(context.relations[head].0);
        let path = context.path(used.relation, head);
        format!("{} -> not {}", cut(name), context.trail(&path))
    };
    let message = format!(
        "{} depends on its own negation",
        context.name(context.relations[head].0)
    );
    findings.push(
        Diagnostic::warning("unstratified-negation", used.atom.span, message)
            .with_label(label)
            .with_help("break the cycle: such rules may have no meaning, or several"),
    );
}

/// Checks the recursion restriction for one rule.
fn growth(context: &Context<'_>, head: usize, rule: usize, findings: &mut Findings) {
    let head_args = &context.rule(rule).head.args;
    let uses = context.uses_of(rule);
    let (inside, outside): (Vec<_>, Vec<_>) = uses
        .iter()
        .filter(|used| !used.negative)
        .partition(|used| context.in_one_cycle(head, used.relation));
    let mut bound: FxHashSet<Symbol> = FxHashSet::default();
    for arg in outside.iter().flat_map(|used| &used.atom.args) {
        for_each_variable(arg, &mut |variable, _| {
            bound.insert(variable);
        });
    }
    for arg in inside.iter().flat_map(|used| &used.atom.args) {
        let mut free = false;
        for_each_variable(arg, &mut |variable, _| free |= !bound.contains(&variable));
        if !free || head_args.iter().any(|other| same(arg, other)) {
            continue;
        }
        let name = context.name(context.relations[head].0);
        let finding = if grows(context, head) {
            let message = format!("the recursion of {name} may never end");
            Diagnostic::warning("recursion-restriction", arg.span(), message)
                .with_label(format!("nothing limits {}", context.term(arg)))
                .with_help("pass it on from the head, or bind it outside of the recursion")
        } else {
            let message = format!("the recursion of {name} is not of the form that GDL asks for");
            Diagnostic::warning("recursion-restriction", arg.span(), message)
                .with_label(format!(
                    "{} is bound by the recursion alone",
                    context.term(arg)
                ))
                .with_help("it ends, because no function makes terms grow; some players reject it")
        };
        findings.push(finding);
    }
}

/// Whether a rule of the recursion builds a term from variables in its head, so that terms can
/// grow. Without such rules the recursion has finitely many atoms.
fn grows(context: &Context<'_>, head: usize) -> bool {
    let inside = (0..context.relations.len()).filter(|&other| context.in_one_cycle(head, other));
    let mut rules = inside.flat_map(|relation| &context.rules_of[relation]);
    rules.any(|&rule| {
        let mut args = context.rule(rule).head.args.iter();
        args.any(|arg| {
            let mut variables = false;
            for_each_variable(arg, &mut |_, _| variables = true);
            matches!(arg, Term::Compound(..)) && variables
        })
    })
}
