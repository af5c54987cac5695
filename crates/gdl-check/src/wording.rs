//! Checks for rules that are clear to us but not to all players: unusual conditions and
//! characters.

use crate::context::{Context, for_each_literal};
use gdl_parse::diagnostic::quote;
use gdl_parse::{Diagnostic, Findings, Keyword, Literal, Span, Symbol, Term};

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for rule in &context.sheet.rules {
        for_each_literal(&rule.body, &mut |literal| condition(literal, findings));
    }
    characters(context, findings);
    information(context, findings);
}

fn condition(literal: &Literal, findings: &mut Findings) {
    let (code, message, help) = match literal {
        Literal::Atom(_) | Literal::Distinct(..) => return,
        Literal::And(..) => (
            "and-condition",
            "`and` is not part of GDL",
            "list the conditions one after another; inside of `or`, use a relation of its own",
        ),
        Literal::Or(items, _) if items.is_empty() => (
            "empty-or",
            "an `or` without conditions never holds",
            "remove the rule, or fill in the conditions",
        ),
        Literal::Or(items, _) if items.iter().any(|item| matches!(item, Literal::Or(..))) => (
            "nested-or",
            "an `or` stands directly in another",
            "move its conditions to the outer one",
        ),
        Literal::Not(inner, _) if !matches!(**inner, Literal::Atom(_)) => (
            "negated-condition",
            "`not` stands before something that is no sentence",
            "negate sentences only; put the condition into a relation of its own",
        ),
        Literal::Or(..) | Literal::Not(..) => return,
    };
    findings.push(Diagnostic::warning(code, literal.span(), message).with_help(help));
}

/// Characters that other players are known to accept in names.
fn is_usual(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-+*/.<>=!?$&%^~@:".contains(c)
}

fn characters(context: &Context<'_>, findings: &mut Findings) {
    let unusual: Vec<bool> = context
        .sheet
        .symbols
        .iter()
        .map(|(_, name)| !name.chars().all(is_usual))
        .collect();
    if !unusual.contains(&true) {
        return;
    }
    let mut unreported = unusual;
    let mut name = |symbol: Symbol, span: Span| {
        if std::mem::take(&mut unreported[symbol.index()]) {
            let message = format!(
                "{} has characters that some players reject",
                quote(context.sheet.symbols.name(symbol))
            );
            findings.push(
                Diagnostic::warning("unusual-character", span, message)
                    .with_help("use letters, digits, `_`, `-` and `+`"),
            );
        }
    };
    for rule in &context.sheet.rules {
        name(rule.head.relation, rule.head.span);
        for_each_literal(&rule.body, &mut |literal| {
            if let Literal::Atom(atom) = literal {
                name(atom.relation, atom.span);
            }
        });
        crate::context::for_each_term(rule, &mut |term| match term {
            Term::Constant(symbol, span)
            | Term::Variable(symbol, span)
            | Term::Compound(symbol, _, span) => name(*symbol, *span),
        });
    }
}

/// Reports games of GDL-II, with chance and hidden information, which look almost like others.
fn information(context: &Context<'_>, findings: &mut Findings) {
    let percepts = context.named("sees", 2);
    let percepts = percepts.and_then(|number| context.rules_of[number].first());
    let chance = context.rules_for(Keyword::Role).find(|rule| {
        matches!(&rule.head.args[0], Term::Constant(name, _)
            if context.sheet.symbols.name(*name).eq_ignore_ascii_case("random"))
    });
    if let (Some(&percepts), Some(_)) = (percepts, chance) {
        findings.push(
            Diagnostic::warning(
                "hidden-information",
                context.rule(percepts).head.span,
                "this is a game of GDL-II, with chance and hidden information",
            )
            .with_help("it is played as if everybody saw everything"),
        );
    }
}
