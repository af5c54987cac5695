//! The rendered findings about bad rulesheets: a snapshot for each file of `fixtures/check`.

use gdl_check::{check, render};
use gdl_parse::{Diagnostic, ParseOptions, Parsed, parse_bytes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All kinds of findings. A new kind needs a fixture.
const CODES: &[&str] = &[
    "and-condition",
    "arity-clash",
    "base-incomplete",
    "case-clash",
    "control-character",
    "depends-on-does",
    "depends-on-true",
    "empty-body",
    "empty-list",
    "empty-or",
    "empty-rule",
    "fact-never-holds",
    "glued-rule",
    "goal-value",
    "hidden-information",
    "input-incomplete",
    "invalid-utf8",
    "keyword-arity",
    "keyword-as-constant",
    "keyword-as-function",
    "keyword-in-body",
    "keyword-in-head",
    "list-of-conditions",
    "misplaced-connective",
    "move-never-legal",
    "needless-parentheses",
    "negated-condition",
    "nested-or",
    "no-function",
    "no-goal",
    "no-legal",
    "no-relation",
    "no-role",
    "no-rules",
    "no-such-role",
    "no-terminal",
    "not-arity",
    "other-notation",
    "recursion-restriction",
    "relation-and-function",
    "role-not-constant",
    "role-not-fact",
    "role-twice",
    "role-without-goal",
    "role-without-legal",
    "too-deep",
    "unbalanced-parenthesis",
    "undefined-relation",
    "unsafe-variable",
    "unstratified-negation",
    "unused-relation",
    "unusual-character",
    "variable-as-sentence",
];

fn fixtures() -> Vec<PathBuf> {
    testkit::files(&testkit::root().join("fixtures/check"), "gdl")
}

fn read(path: &Path) -> (String, Parsed) {
    let bytes = std::fs::read(path).unwrap();
    let parsed = parse_bytes(&bytes, &ParseOptions::default());
    (String::from_utf8_lossy(&bytes).into_owned(), parsed)
}

fn rendered(path: &Path, style: render::Style) -> String {
    let (source, parsed) = read(path);
    let file = path.file_name().unwrap().to_string_lossy();
    let findings = check(&parsed);
    let text = render::render(&findings, &file, &source, style);
    format!("{text}{}\n", render::summary(&findings))
}

#[test]
fn wording() {
    let paths = fixtures();
    assert!(paths.len() >= 25);
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy();
        let text = rendered(&path, render::Style::Plain);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(&*name, text);
        });
    }
}

#[test]
fn every_kind_has_a_fixture() {
    let found: BTreeSet<&str> = fixtures()
        .iter()
        .flat_map(|path| check(&read(path).1))
        .map(|finding| finding.code)
        .collect();
    assert_eq!(found, CODES.iter().copied().collect());
}

#[test]
fn findings_are_complete_and_in_order() {
    for path in fixtures() {
        let findings: Vec<Diagnostic> = check(&read(&path).1);
        assert!(!findings.is_empty(), "{}", path.display());
        assert!(findings.is_sorted_by_key(|finding| finding.span));
        for finding in findings {
            assert!(
                !finding.message.is_empty() && !finding.help.is_empty(),
                "{finding:?}"
            );
        }
    }
}

#[test]
fn colours_do_not_change_the_text() {
    for path in fixtures() {
        let colored = rendered(&path, render::Style::Colored);
        assert!(colored.contains("\u{1b}["));
        let mut plain = String::new();
        for (i, part) in colored.split("\u{1b}[").enumerate() {
            plain += if i == 0 {
                part
            } else {
                part.split_once('m').unwrap().1
            };
        }
        assert_eq!(plain, rendered(&path, render::Style::Plain));
    }
}
