//! Checks for keywords at places where they have no meaning.

use crate::context::{Context, for_each_term};
use gdl_parse::diagnostic::quote;
use gdl_parse::{Atom, Diagnostic, Findings, Keyword, Symbol, Term};

/// Keywords that rules may ask about but not define, because play determines them.
const NOT_IN_HEADS: &[(Keyword, &str)] = &[
    (
        Keyword::True,
        "say what holds in the next state with `next`, at the start with `init`",
    ),
    (
        Keyword::Does,
        "players choose their moves; say what they may do with `legal`",
    ),
];

/// Keywords that rules define but must not ask about.
const NOT_IN_BODIES: &[(Keyword, &str)] = &[
    (Keyword::Init, "ask what holds now with `true`"),
    (
        Keyword::Next,
        "ask what holds now with `true`; put what both rules need into a relation of its own",
    ),
    (
        Keyword::Base,
        "put what both rules need into a relation of its own",
    ),
    (
        Keyword::Input,
        "put what both rules need into a relation of its own",
    ),
];

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    for rule in &context.sheet.rules {
        report(
            &rule.head,
            NOT_IN_HEADS,
            ("keyword-in-head", "may not stand in the head of a rule"),
            findings,
        );
        for_each_term(rule, &mut |term| in_term(context, term, findings));
    }
    for used in &context.uses {
        report(
            used.atom,
            NOT_IN_BODIES,
            ("keyword-in-body", "may not stand in the body of a rule"),
            findings,
        );
    }
}

fn report(
    atom: &Atom,
    forbidden: &[(Keyword, &str)],
    (code, message): (&'static str, &str),
    findings: &mut Findings,
) {
    let keyword = atom.keyword();
    if let Some((keyword, help)) = forbidden.iter().find(|(k, _)| Some(*k) == keyword) {
        let message = format!("`{}` {message}", keyword.name());
        findings.push(Diagnostic::warning(code, atom.span, message).with_help(*help));
    }
}

fn in_term(context: &Context<'_>, term: &Term, findings: &mut Findings) {
    let is_keyword = |symbol: Symbol| {
        let name = context.sheet.symbols.name(symbol);
        Keyword::from_name(name).map(|_| quote(name))
    };
    match term {
        Term::Compound(functor, _, span) => {
            if let Some(name) = is_keyword(*functor) {
                let message = format!("the keyword {name} stands inside of a term");
                findings.push(
                    Diagnostic::warning("keyword-as-function", *span, message)
                        .with_label("read as a function without meaning")
                        .with_help("conditions may not be nested in arguments; check parentheses"),
                );
            }
        }
        Term::Constant(symbol, span) => {
            if let Some(name) = is_keyword(*symbol) {
                let message = format!("the keyword {name} is used as the name of a thing");
                findings.push(
                    Diagnostic::warning("keyword-as-constant", *span, message)
                        .with_help("choose another name; some players reject this"),
                );
            }
        }
        Term::Variable(..) => {}
    }
}
