//! Checks goal values: integers from 0 to 100.

use crate::context::Context;
use gdl_parse::{Diagnostic, Findings, Keyword, Term};

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for rule in context.rules_for(Keyword::Goal) {
        let value = &rule.head.args[1];
        let fine = match value {
            Term::Variable(..) => true,
            Term::Constant(name, _) => {
                let name = context.sheet.symbols.name(*name);
                name.parse::<u8>().is_ok_and(|value| value <= 100)
            }
            Term::Compound(..) => false,
        };
        if !fine {
            let message = format!("{} is no result", context.term(value));
            findings.push(
                Diagnostic::warning("goal-value", value.span(), message)
                    .with_help("results are whole numbers from 0 to 100"),
            );
        }
    }
}
