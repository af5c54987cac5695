//! Checks for moves and results of names that are no roles.

use crate::context::Context;
use crate::suggest::closest;
use gdl_parse::{Atom, Diagnostic, Findings, Keyword, Term};
use rustc_hash::FxHashSet;

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    let name = |term: &Term| match term {
        Term::Constant(name, _) => Some(*name),
        _ => None,
    };
    let roles = context.rules_for(Keyword::Role);
    let roles: Option<Vec<_>> = roles
        .map(|rule| name(&rule.head.args[0]).filter(|_| rule.body.is_empty()))
        .collect();
    // Roles that are not listed as facts are not known here.
    let Some(roles) = roles.filter(|roles| !roles.is_empty()) else {
        return;
    };
    let known: FxHashSet<_> = roles.iter().copied().collect();
    let heads = [Keyword::Legal, Keyword::Goal].map(|keyword| context.rules_for(keyword));
    let heads = heads.into_iter().flatten().map(|rule| &rule.head);
    let does = context.uses.iter().map(|used| used.atom);
    let does = does.filter(|atom| atom.keyword() == Some(Keyword::Does));
    let first = |atom: &Atom| atom.args.first().and_then(name);
    for atom in heads.chain(does) {
        let Some(unknown) = first(atom).filter(|name| !known.contains(name)) else {
            continue;
        };
        let names = roles.iter().map(|&role| context.sheet.symbols.name(role));
        let meant = match findings.is_full() {
            true => None,
            false => closest(context.sheet.symbols.name(unknown), names),
        };
        let help = match meant {
            Some(role) => format!("did you mean `{role}`?"),
            None => "roles are listed as (role name)".to_owned(),
        };
        let message = format!("{} is no role", context.name(unknown));
        findings.push(
            Diagnostic::warning("no-such-role", atom.args[0].span(), message)
                .with_label("never plays")
                .with_help(help),
        );
    }
}
