//! What is wrong with a rulesheet: errors that make it unplayable, warnings that do not.
//!
//! Two kinds of people ask: authors, who want to hear of everything that the language forbids, and
//! players, who must play what servers send and only ask whether that is possible at all. So there
//! are two levels. *Errors* are text that cannot be understood and games that nobody can play: no
//! role, or no legal move for anyone. *Warnings* are everything else that the GDL specification
//! (Love, Hinrichs, Haley, Schkufza, Genesereth 2008) forbids or that is most likely a mistake:
//! unsafe rules, negation in a cycle, a missing `goal`; real rulesheets that are played every day
//! have them.
//!
//! The crate is apart from the parser because it judges meaning, not text, and players that trust
//! their rules can leave it out. Each family of checks is a module with one function, listed in
//! `FAMILIES`; all of them read the same `Context` and none changes anything. Findings
//! are data ([`Diagnostic`]); [`render`] is the only module that knows how they look.
//!
//! ```
//! let parsed = gdl_parse::parse("(role r) (<= (legal r (go ?x)) (true p))", &Default::default());
//! let findings = gdl_check::check(&parsed);
//! assert!(findings.iter().any(|finding| finding.code == "unsafe-variable"));
//! ```

mod arity;
mod context;
mod cycles;
mod declarations;
mod dependency;
mod keywords;
mod pattern;
pub mod render;
mod required;
mod safety;
mod suggest;
mod usage;
mod values;
mod wording;

use context::Context;
use gdl_parse::{Diagnostic, Findings, Parsed, Rulesheet};

/// A family of checks.
type Family = fn(&Context<'_>, &mut Findings);

/// All families, in the order in which they report.
const FAMILIES: &[Family] = &[
    required::check,
    keywords::check,
    arity::check,
    safety::check,
    cycles::check,
    dependency::check,
    usage::check,
    declarations::check,
    values::check,
    wording::check,
];

/// How many findings of a family are listed.
const MOST: usize = 50;

/// Everything that is wrong with a text that was read, in order of the text: what the parser found
/// and what is wrong with the rules.
pub fn check(parsed: &Parsed) -> Vec<Diagnostic> {
    let mut found = parsed.diagnostics.clone();
    // A list of conditions is read as an `and` that nobody wrote.
    let lists: Vec<_> = found
        .iter()
        .filter(|f| f.code == "list-of-conditions")
        .collect();
    let unwritten =
        |f: &Diagnostic| f.code == "and-condition" && lists.iter().any(|list| list.span == f.span);
    let mut more = check_sheet(&parsed.sheet);
    more.retain(|finding| !unwritten(finding));
    found.extend(more);
    found.sort_by_key(|finding| finding.span);
    found
}

/// Everything that is wrong with the rules alone, in order of their text. Of each family, so many
/// findings that nobody reads them all are counted rather than listed.
pub fn check_sheet(sheet: &Rulesheet) -> Vec<Diagnostic> {
    let context = Context::new(sheet);
    let mut found = Vec::new();
    for family in FAMILIES {
        let mut findings = Findings::up_to(MOST);
        family(&context, &mut findings);
        found.extend(findings.into_sorted());
    }
    found.sort_by_key(|finding| finding.span);
    found
}
