//! Hostile texts: each ends in an error, within bounded time and memory.

use gdl_parse::{Findings, GroundTerm, Limits, ParseOptions, Parsed, parse, parse_bytes};
use proptest::prelude::*;
use testkit::rules;

fn read(text: &str) -> Parsed {
    parse(text, &ParseOptions::default())
}

/// Checks that the text is an error, that its findings are few and lie inside the text, and
/// that its tree can be printed.
fn rejected(text: &[u8], code: &str) {
    let parsed = parse_bytes(text, &ParseOptions::default());
    assert!(parsed.has_errors());
    let codes: Vec<_> = parsed.diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&code), "{codes:?}");
    bounded(&parsed, String::from_utf8_lossy(text).len());
}

fn bounded(parsed: &Parsed, len: usize) {
    assert!(parsed.diagnostics.len() <= Findings::MOST + 1);
    for finding in &parsed.diagnostics {
        assert!(finding.span.start <= finding.span.end);
        assert!(finding.span.end as usize <= len);
        assert!(finding.message.len() < 1000 && finding.help.len() < 1000);
    }
    let compact = parsed.sheet.to_string();
    assert!(parsed.sheet.to_pretty().len() >= compact.len() / 2);
    assert_eq!(parsed.sheet.clone(), parsed.sheet);
}

#[test]
fn too_deep_nesting_is_rejected() {
    let million = 1_000_000;
    rejected("(".repeat(million).as_bytes(), "too-deep");
    rejected(")".repeat(million).as_bytes(), "unbalanced-parenthesis");
    let nest = format!("(p {}a{})", "(f ".repeat(million), ")".repeat(million));
    rejected(nest.as_bytes(), "too-deep");
    let nots = format!("(<= p {}q{})", "(not ".repeat(million), ")".repeat(million));
    rejected(nots.as_bytes(), "too-deep");
    assert!("(".repeat(million).parse::<GroundTerm>().is_err());
}

#[test]
fn the_maximum_depth_is_accepted() {
    let depth = Limits::default().depth - 1;
    let text = format!("(p {}a{})", "(f ".repeat(depth), ")".repeat(depth));
    let parsed = read(&text);
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(parsed.sheet.to_string().trim_end(), text);
    assert_eq!(read(&parsed.sheet.to_pretty()).sheet, parsed.sheet);
}

#[test]
fn too_large_texts_are_rejected() {
    rejected(&vec![b'('; (16 << 20) + 1], "too-large");
    rejected("()".repeat(3_000_000).as_bytes(), "too-large");
    let few = ParseOptions {
        limits: Limits {
            nodes: 10,
            ..Limits::default()
        },
        ..Default::default()
    };
    let parsed = parse("(role a) (role b) (role c) (role d)", &few);
    assert_eq!(parsed.sheet.to_string(), "(role a)\n(role b)\n");
    assert!(parsed.has_errors());
}

#[test]
fn a_huge_word_is_accepted_and_shortened_in_findings() {
    let word = "x".repeat(7 << 20);
    let parsed = read(&format!("(p {word}) (p {})", word.to_uppercase()));
    assert_eq!(parsed.diagnostics[0].code, "case-clash");
    assert!(parsed.diagnostics[0].message.len() < 300);
    assert_eq!(parsed.sheet.rules.len(), 2);
}

#[test]
fn bytes_that_are_not_text_are_rejected() {
    rejected(b"(role a) (role \xff\xfe b)", "invalid-utf8");
    rejected(&[0xff; (16 << 20) + 1], "too-large");
    let parsed = parse_bytes(b"; \xe4\n(role a)", &ParseOptions::default());
    assert!(!parsed.has_errors(), "old files have comments in Latin-1");
    assert_eq!(parsed.diagnostics[0].code, "invalid-utf8");
    assert_eq!(parsed.sheet.to_string(), "(role a)\n");
    rejected(b"(role a)\0(role b)", "control-character");
    rejected(&[0; 1000], "control-character");
    let parsed = parse_bytes(b"\xef\xbb\xbf(role a)", &ParseOptions::default());
    assert!(
        parsed.diagnostics.is_empty(),
        "a byte order mark is harmless"
    );
}

#[test]
fn very_many_findings_are_counted() {
    let parsed = read(&"((p)) ".repeat(100_000));
    assert_eq!(parsed.diagnostics.len(), Findings::MOST + 1);
    let last = parsed.diagnostics.last().unwrap();
    assert_eq!(last.code, "too-many-findings");
    assert_eq!(last.message, "and 199900 more, 0 of them errors");
    assert!(!parsed.has_errors());
}

proptest! {
    #![proptest_config(rules::config())]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let len = String::from_utf8_lossy(&bytes).len();
        bounded(&parse_bytes(&bytes, &ParseOptions::default()), len);
    }

    #[test]
    fn nearly_rules(text in rules::near_rulesheet(), fold_case in any::<bool>()) {
        let options = ParseOptions { fold_case, ..Default::default() };
        let parsed = parse(&text, &options);
        bounded(&parsed, text.len());
        // The accepted part prints without slips, apart from findings about names.
        let again = parse(&parsed.sheet.to_string(), &options);
        prop_assert_eq!(&again.sheet, &parsed.sheet);
        prop_assert!(!again.has_errors());
    }

    #[test]
    fn cut_short(text in rules::rulesheet_text(), at in any::<prop::sample::Index>()) {
        let cut: String = text.chars().take(at.index(text.chars().count())).collect();
        bounded(&read(&cut), cut.len());
    }
}
