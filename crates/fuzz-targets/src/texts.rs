//! Text → syntax tree → findings, and back to text.

use gdl_check::check as findings;
use gdl_check::render::{Style, render};
use gdl_parse::{Findings, Level, ParseOptions, parse, parse_bytes};

/// The text is read and checked, whatever it is. Findings lie inside it. What was read prints
/// as text that means the same, in both forms.
pub(crate) fn check(data: &[u8]) {
    for fold_case in [false, true] {
        let options = ParseOptions {
            fold_case,
            ..ParseOptions::default()
        };
        let parsed = parse_bytes(data, &options);
        assert!(parsed.diagnostics.len() <= Findings::MOST + 2);
        for finding in findings(&parsed) {
            assert!(finding.span.start <= finding.span.end);
            assert!(finding.span.end as usize <= String::from_utf8_lossy(data).len());
            assert!(!finding.message.is_empty());
            assert!(finding.message.len() < 1000 && finding.help.len() < 1000);
        }
        for printed in [parsed.sheet.to_string(), parsed.sheet.to_pretty()] {
            let again = parse(&printed, &ParseOptions::default());
            assert_eq!(again.sheet, parsed.sheet, "printed as\n{printed}");
        }
    }
    rendered(data);
}

/// Findings can be shown beside the text.
fn rendered(data: &[u8]) {
    let parsed = parse_bytes(data, &ParseOptions::default());
    let text = String::from_utf8_lossy(data);
    let found = findings(&parsed);
    let errors = found.iter().any(|finding| finding.level == Level::Error);
    assert!(
        !parsed.has_errors() || errors,
        "errors of the parser are lost"
    );
    let _ = render(&found, "rules.gdl", &text, Style::Plain);
}
