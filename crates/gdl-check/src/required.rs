//! Checks that a game has roles with moves and goals, and a terminal condition.
//!
//! A game without roles or without any legal move cannot be played, so these two are errors.
//! Without a terminal condition a match continues until the server stops it, and without goals
//! no role wins: both can be played.

use crate::context::{Context, same};
use gdl_parse::{Diagnostic, Findings, Keyword, Rule, Span, Term};

struct Required {
    keyword: Keyword,
    code: &'static str,
    error: bool,
    message: &'static str,
    help: &'static str,
}

const REQUIRED: &[Required] = &[
    Required {
        keyword: Keyword::Role,
        code: "no-role",
        error: true,
        message: "nobody plays: there is no `role`",
        help: "add (role name) for each player",
    },
    Required {
        keyword: Keyword::Legal,
        code: "no-legal",
        error: true,
        message: "nobody can ever move: there is no `legal`",
        help: "add rules (<= (legal role move) condition ...)",
    },
    Required {
        keyword: Keyword::Terminal,
        code: "no-terminal",
        error: false,
        message: "play never ends: there is no `terminal`",
        help: "add a rule (<= terminal condition ...)",
    },
    Required {
        keyword: Keyword::Goal,
        code: "no-goal",
        error: false,
        message: "nobody can win: there is no `goal`",
        help: "add rules (<= (goal role value) condition ...)",
    },
];

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    if context.sheet.rules.is_empty() {
        findings.push(
            Diagnostic::error("no-rules", Span::default(), "there are no rules")
                .with_help("check that this is a rulesheet"),
        );
        return;
    }
    for required in REQUIRED {
        if context.rules_for(required.keyword).next().is_none() {
            let make = match required.error {
                true => Diagnostic::error,
                false => Diagnostic::warning,
            };
            findings.push(
                make(required.code, Span::default(), required.message.to_owned())
                    .with_help(required.help),
            );
        }
    }
    roles(context, findings);
}

fn roles(context: &Context<'_>, findings: &mut Findings) {
    let mut known: Vec<&Term> = Vec::new();
    for rule in context.rules_for(Keyword::Role) {
        let name = &rule.head.args[0];
        if !rule.body.is_empty() {
            findings.push(
                Diagnostic::warning("role-not-fact", rule.head.span, "`role` is given by a rule")
                    .with_help("roles never change; write (role name) for each of them"),
            );
        } else if known.iter().any(|other| same(other, name)) {
            let message = format!("the role {} is named twice", context.term(name));
            findings.push(
                Diagnostic::warning("role-twice", rule.span, message).with_help("remove one"),
            );
        } else if matches!(name, Term::Constant(..)) {
            // The limit bounds this quadratic search. No real game has as many roles.
            if known.len() < 1000 {
                known.push(name);
            }
        } else if matches!(name, Term::Compound(..)) {
            let message = format!("the role {} is not a single name", context.term(name));
            findings.push(
                Diagnostic::warning("role-not-constant", name.span(), message)
                    .with_help("servers name roles by single words"),
            );
        }
    }
    for role in known {
        for (keyword, code, lack) in [
            (
                Keyword::Legal,
                "role-without-legal",
                "never has a legal move",
            ),
            (Keyword::Goal, "role-without-goal", "has no goal"),
        ] {
            let mut rules = context.rules_for(keyword).peekable();
            if rules.peek().is_some() && !rules.any(|rule| may_mean(rule, role)) {
                let message = format!("the role {} {lack}", context.term(role));
                let name = keyword.name();
                findings.push(
                    Diagnostic::warning(code, role.span(), message)
                        .with_help(format!("add a rule with the head ({name} role ...) for it")),
                );
            }
        }
    }
}

/// Whether the first argument of the head can be `role`.
fn may_mean(rule: &Rule, role: &Term) -> bool {
    let first = &rule.head.args[0];
    matches!(first, Term::Variable(..)) || same(first, role)
}
