//! Checks dependencies: legality, goals and terminality may depend on the state but not on
//! moves, the initial state and the declarations on neither.

use crate::context::Context;
use gdl_parse::{Diagnostic, Findings, Keyword};

struct Forbidden {
    from: &'static [Keyword],
    on: Keyword,
    code: &'static str,
    help: &'static str,
}

const FORBIDDEN: &[Forbidden] = &[
    Forbidden {
        from: &[Keyword::Legal, Keyword::Goal, Keyword::Terminal],
        on: Keyword::Does,
        code: "depends-on-does",
        help: "this is asked before anyone moves; keep what was done as a fact of the next state",
    },
    Forbidden {
        from: &[Keyword::Role, Keyword::Init, Keyword::Base, Keyword::Input],
        on: Keyword::Does,
        code: "depends-on-does",
        help: "this must be known before play begins",
    },
    Forbidden {
        from: &[Keyword::Role, Keyword::Init, Keyword::Base, Keyword::Input],
        on: Keyword::True,
        code: "depends-on-true",
        help: "this must be known before play begins; there is no state yet",
    },
];

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for forbidden in FORBIDDEN {
        let Some(on) = context.keyword(forbidden.on) else {
            continue;
        };
        for from in forbidden.from {
            let Some(start) = context.keyword(*from) else {
                continue;
            };
            let path = context.path(start, on);
            let [_, step, ..] = path.as_slice() else {
                continue;
            };
            let uses = context.rules_of[start].iter();
            let place = uses
                .flat_map(|&rule| context.uses_of(rule))
                .find(|used| used.relation == *step);
            if let Some(used) = place {
                let message = format!("`{}` depends on `{}`", from.name(), forbidden.on.name());
                findings.push(
                    Diagnostic::warning(forbidden.code, used.atom.span, message)
                        .with_label(context.trail(&path))
                        .with_help(forbidden.help),
                );
            }
        }
    }
}
