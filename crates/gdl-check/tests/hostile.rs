//! No text makes the checks or the renderer panic, overflow the stack or run without bound.

use gdl_check::{check, render};
use gdl_parse::{Diagnostic, Findings, ParseOptions, parse, parse_bytes};
use proptest::prelude::*;
use testkit::rules;

/// The findings about a text, after rendering them.
fn findings(text: &str) -> Vec<Diagnostic> {
    let findings = check(&parse(text, &ParseOptions::default()));
    assert!(findings.len() <= 11 * Findings::MOST);
    let rendered = render::render(&findings, "rules", text, render::Style::Plain);
    assert_eq!(rendered.is_empty(), findings.is_empty());
    assert!(rendered.len() < findings.len() * 100_000);
    findings
}

/// `(<= (p0) ...)`, `(<= (p1) ...)`, ... with the body returned by `body` for each number.
fn chain(length: usize, body: impl Fn(usize) -> String) -> String {
    (0..length)
        .map(|i| format!("(<= (p{i} ?x) {})\n", body(i)))
        .collect()
}

fn has(findings: &[Diagnostic], code: &str) -> bool {
    findings.iter().any(|finding| finding.code == code)
}

#[test]
fn long_chains_of_rules() {
    let chain_of = |i: usize| format!("(p{} ?x)", i + 1);
    let found = findings(&(chain(50_000, chain_of) + "(<= terminal (p0 a))"));
    assert!(has(&found, "undefined-relation"));
    assert!(!has(&found, "unstratified-negation"));
}

#[test]
fn a_large_cycle_of_negations() {
    let length = 50_000;
    let found = findings(&chain(length, |i| {
        format!("(not (p{} ?x))", (i + 1) % length)
    }));
    assert!(has(&found, "unstratified-negation"));
    assert!(has(&found, "too-many-findings"));
}

#[test]
fn long_rules() {
    let ors = "(or (not (q ?a)) (not (q ?b)))".repeat(30_000);
    let variables: String = (0..30_000).map(|i| format!("(q ?x{i})")).collect();
    let found = findings(&format!("(<= (p ?a) (q ?a) {variables} {ors})"));
    assert!(has(&found, "unsafe-variable"));
}

#[test]
fn many_declarations() {
    let bases: String = (0..30_000)
        .map(|i| format!("(base (cell {i} ?x)) "))
        .collect();
    let inits: String = (0..30_000)
        .map(|i| format!("(init (cell x{i} {i})) "))
        .collect();
    assert!(has(&findings(&(bases + &inits)), "base-incomplete"));
}

#[test]
fn a_rulesheet_in_one_long_line() {
    let facts = "(p a) ".repeat(100_000);
    let found = findings(&format!("{facts} (<= (q ?x) (r ?x))"));
    assert!(has(&found, "undefined-relation"));
}

proptest! {
    #![proptest_config(rules::config())]

    #[test]
    fn nearly_rules(text in rules::near_rulesheet()) {
        findings(&text);
    }

    #[test]
    fn any_rules(text in rules::rulesheet_text()) {
        let found = findings(&text);
        // Layout changes only places.
        let codes = |found: &[Diagnostic]| -> Vec<_> { found.iter().map(|f| f.code).collect() };
        let pretty = parse(&text, &ParseOptions::default()).sheet.to_pretty();
        let again: Vec<_> = check(&parse(&pretty, &ParseOptions::default()));
        prop_assert_eq!(codes(&found), codes(&again));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let findings = check(&parse_bytes(&bytes, &ParseOptions::default()));
        let text = String::from_utf8_lossy(&bytes);
        render::render(&findings, "rules", &text, render::Style::Colored);
    }
}
