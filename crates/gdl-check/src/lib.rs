//! Checks a rulesheet: errors that make it unplayable, and warnings.
//!
//! There are two kinds of users. Authors want to know about everything that GDL forbids.
//! Players must play the rules that servers send and only ask whether this is possible. The
//! check therefore has two levels. *Errors* are text that cannot be understood and games that
//! cannot be played: no role, or no legal move for any role. *Warnings* are everything else
//! that the GDL specification (Love, Hinrichs, Haley, Schkufza, Genesereth 2008) forbids or
//! that is most likely a mistake: unsafe rules, negation in a cycle, a missing `goal`. Real
//! rulesheets that are played every day have them.
//!
//! The crate is separate from the parser because it checks meaning, not text. Players that
//! trust their rules can omit it. Each family of checks is a module with one function, listed
//! in `FAMILIES`. All of them read the same `Context`, and none changes anything. Findings are
//! data ([`Diagnostic`]); only [`render`] determines their appearance.
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
mod unknown_roles;
mod usage;
mod values;
mod wording;

use context::Context;
use gdl_parse::{Diagnostic, Findings, Parsed, Rulesheet};

/// A family of checks.
type Family = fn(&Context<'_>, &mut Findings);

/// All families, in the order of their reports.
const FAMILIES: &[Family] = &[
    required::check,
    unknown_roles::check,
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

/// Maximum number of findings listed for a family.
const MOST: usize = 50;

/// What a game lacks that every game needs: roles, moves, an end, goals. An error where it cannot
/// be played without. Takes no time worth speaking of.
pub fn missing(sheet: &Rulesheet) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    required::check(&Context::new(sheet), &mut findings);
    findings.into_sorted()
}

/// All findings about a text, in order of the text: those of the parser and those about the
/// rules.
pub fn check(parsed: &Parsed) -> Vec<Diagnostic> {
    let mut found = parsed.diagnostics.clone();
    // The parser reads a list of conditions as an `and`, although the text contains none.
    let lists: Vec<_> = found
        .iter()
        .filter(|f| f.code == "list-of-conditions")
        .collect();
    let unwritten =
        |f: &Diagnostic| f.code == "and-condition" && lists.iter().any(|list| list.span == f.span);
    // What is no rulesheet at all lacks nothing in particular.
    if found.iter().any(|f| f.code == "other-notation") {
        return found;
    }
    let mut more = check_sheet(&parsed.sheet);
    more.retain(|finding| !unwritten(finding));
    found.extend(more);
    found.sort_by_key(|finding| finding.span);
    found
}

/// All findings about the rules alone, in order of their text. If a family has too many
/// findings, the rest is counted rather than listed.
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
