//! Printed rules read back as the same tree, for all rules and all layouts.

use gdl_parse::{GroundTerm, ParseOptions, Parsed, parse};
use proptest::prelude::*;
use testkit::rules;

fn read(text: &str) -> Parsed {
    parse(text, &ParseOptions::default())
}

/// Errors would mean that rules were dropped. Warnings are expected for random rules.
fn same(text: &str, expected: &str) {
    let parsed = read(text);
    assert!(!parsed.has_errors(), "{:?} in\n{text}", parsed.diagnostics);
    assert_eq!(parsed.sheet.to_string(), expected);
}

proptest! {
    #![proptest_config(rules::config())]

    #[test]
    fn compact_text_reads_back(text in rules::rulesheet_text()) {
        same(&text, &text);
    }

    #[test]
    fn wire_text_reads_back(text in rules::rulesheet_text()) {
        let wire = read(&text).sheet.to_wire();
        prop_assert!(!wire.contains('\n'));
        same(&wire, &text);
    }

    #[test]
    fn pretty_text_reads_back(text in rules::rulesheet_text()) {
        let sheet = read(&text).sheet;
        let pretty = sheet.to_pretty();
        same(&pretty, &text);
        prop_assert_eq!(&read(&pretty).sheet, &sheet);
        prop_assert_eq!(read(&pretty).sheet.to_pretty(), pretty);
    }

    #[test]
    fn layout_does_not_matter(text in rules::rulesheet_text(), noise in any::<[u8; 32]>()) {
        let mut i = 0;
        let noisy = rules::noisy(&text, || { i += 1; u32::from(noise[i % 32]) });
        same(&noisy, &text);
    }

    #[test]
    fn folding_twice_is_folding_once(text in rules::rulesheet_text()) {
        let fold = ParseOptions { fold_case: true, ..Default::default() };
        let once = parse(&text.to_ascii_uppercase(), &fold).sheet;
        prop_assert_eq!(once.to_string(), text.to_ascii_lowercase());
    }

    #[test]
    fn ground_terms_read_back(text in rules::ground_term()) {
        let term: GroundTerm = text.parse().unwrap();
        prop_assert_eq!(term.to_string(), text);
    }

    #[test]
    fn ground_terms_never_panic(text in ".{0,40}|[()a ]{0,40}") {
        if let Ok(term) = text.parse::<GroundTerm>() {
            prop_assert_eq!(term.to_string().parse::<GroundTerm>().unwrap(), term);
        }
    }
}
