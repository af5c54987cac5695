//! Checks for relations that are undefined or unused, facts that never hold and moves that are
//! never legal.

use crate::context::{Context, Use};
use crate::pattern::Patterns;
use crate::suggest::closest;
use gdl_parse::{Diagnostic, Findings, Keyword};

/// Keywords that play reads: every relation they depend on is used.
const ROOTS: &[Keyword] = &[
    Keyword::Role,
    Keyword::Init,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Goal,
    Keyword::Terminal,
    Keyword::Base,
    Keyword::Input,
];

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    undefined(context, findings);
    unused(context, findings);
    never(context, findings);
}

fn undefined(context: &Context<'_>, findings: &mut Findings) {
    let mut reported = vec![false; context.relations.len()];
    for used in &context.uses {
        let (_, arity) = context.relations[used.relation];
        // Facts and moves come from play. A keyword that is missing altogether was already
        // reported.
        let given =
            matches!(used.atom.keyword(), Some(k) if !matches!(k, Keyword::Base | Keyword::Input));
        let defined = !context.rules_of[used.relation].is_empty();
        if given || defined || std::mem::replace(&mut reported[used.relation], true) {
            continue;
        }
        let message = format!("nothing defines {}", context.atom(used.atom));
        findings.push(
            Diagnostic::warning("undefined-relation", used.atom.span, message)
                .with_label("never holds")
                .with_help(advice(context, used, arity, findings.is_full())),
        );
    }
}

fn advice(context: &Context<'_>, used: &Use<'_>, arity: usize, short: bool) -> String {
    let define = || {
        format!(
            "add facts or rules for {}",
            context.name(used.atom.relation)
        )
    };
    if short {
        return define();
    }
    let name = context.sheet.symbols.name(used.atom.relation);
    let facts = Keyword::True.symbol();
    let is_fact = context.sheet.rules.iter().any(|rule| {
        let state = matches!(
            rule.head.keyword(),
            Some(Keyword::Init | Keyword::Next | Keyword::Base)
        );
        let arg = rule.head.args.first().filter(|_| state);
        arg.and_then(crate::pattern::functor) == Some((used.atom.relation, arity))
    });
    if is_fact {
        let sentence = context.sheet.symbols.name(facts);
        return format!("facts of the state are written ({sentence} ({name} ...))");
    }
    let defined = context.relations.iter().zip(&context.rules_of);
    let candidates = defined
        .filter(|((symbol, n), rules)| {
            !rules.is_empty() && *n == arity && symbol.keyword().is_none()
        })
        .map(|((symbol, _), _)| context.sheet.symbols.name(*symbol));
    match closest(name, candidates) {
        Some(other) => format!("did you mean `{other}`?"),
        None => define(),
    }
}

fn unused(context: &Context<'_>, findings: &mut Findings) {
    let mut reached = vec![false; context.relations.len()];
    let mut open: Vec<usize> = ROOTS
        .iter()
        .filter_map(|keyword| context.keyword(*keyword))
        .collect();
    // In GDL-II, play also reads the percepts of the roles.
    open.extend(context.named("sees", 2));
    while let Some(relation) = open.pop() {
        if !std::mem::replace(&mut reached[relation], true) {
            let rules = context.rules_of[relation].iter();
            open.extend(
                rules
                    .flat_map(|&rule| context.uses_of(rule))
                    .map(|used| used.relation),
            );
        }
    }
    for (relation, rules) in context.rules_of.iter().enumerate() {
        let (symbol, arity) = context.relations[relation];
        let keyword = symbol.keyword().filter(|k| k.arity() == Some(arity));
        // Misplaced keywords have findings of their own.
        if let (false, Some(&rule), None) = (reached[relation], rules.first(), keyword) {
            let message = format!("{} has no effect on the game", context.name(symbol));
            findings.push(
                Diagnostic::warning("unused-relation", context.rule(rule).head.span, message)
                    .with_label("no move, fact, goal or end depends on it")
                    .with_help("remove it, or use it"),
            );
        }
    }
}

/// Checks for conditions on facts that no rule derives and on moves that no rule makes legal.
fn never(context: &Context<'_>, findings: &mut Findings) {
    let facts = Patterns::of(context, &[Keyword::Init, Keyword::Next]);
    let moves = Patterns::of(context, &[Keyword::Legal]);
    for used in &context.uses {
        let (patterns, code, message, help) = match used.atom.keyword() {
            Some(Keyword::True) => (
                &facts,
                "fact-never-holds",
                "no rule ever makes this fact hold",
                "compare it with the heads of `init` and `next`",
            ),
            Some(Keyword::Does) => (
                &moves,
                "move-never-legal",
                "no rule ever makes this move legal",
                "compare it with the heads of `legal`",
            ),
            _ => continue,
        };
        if !patterns.may_match(&used.atom.args) {
            findings.push(
                Diagnostic::warning(code, used.atom.span, message)
                    .with_label("never holds")
                    .with_help(help),
            );
        }
    }
}
