//! Checks that declarations are complete: every fact that can hold has a `base`, and every move
//! that can be legal has an `input`.
//!
//! Rulesheets need no declarations. If they have some, these must be complete, because players
//! that rely on them lose the missing facts and moves.

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
