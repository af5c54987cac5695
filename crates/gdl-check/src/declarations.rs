//! Declarations that leave something out: a fact that can hold without a `base` for it, a move that
//! can be legal without an `input`.
//!
//! Rulesheets need no declarations, but those that have them must be complete: players that trust
//! them lose what is missing.

use crate::context::Context;
use crate::pattern::Patterns;
use gdl_parse::{Diagnostic, Findings, Keyword};

struct Declaration {
    by: Keyword,
    of: &'static [Keyword],
    code: &'static str,
    what: &'static str,
}

const DECLARATIONS: &[Declaration] = &[
    Declaration {
        by: Keyword::Base,
        of: &[Keyword::Init, Keyword::Next],
        code: "base-incomplete",
        what: "fact",
    },
    Declaration {
        by: Keyword::Input,
        of: &[Keyword::Legal],
        code: "input-incomplete",
        what: "move",
    },
];

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for declaration in DECLARATIONS {
        let declared = Patterns::of(context, &[declaration.by]);
        if declared.is_empty() {
            continue;
        }
        let keyword = declaration.by.name();
        for rule in declaration.of.iter().flat_map(|of| context.rules_for(*of)) {
            if declared.may_match(&rule.head.args) {
                continue;
            }
            let Some(subject) = rule.head.args.last() else {
                continue;
            };
            let message = format!(
                "the {} {} is not declared by any `{keyword}`",
                declaration.what,
                context.term(subject)
            );
            findings.push(
                Diagnostic::warning(declaration.code, rule.head.span, message)
                    .with_help(format!("declare all of them with `{keyword}`, or none")),
            );
        }
    }
}
