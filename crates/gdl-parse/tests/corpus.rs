//! All available rulesheets can be read and survive printing.

use gdl_parse::{ParseOptions, parse, parse_bytes};

#[test]
fn all_rulesheets_parse() {
    let mut paths = testkit::fixtures();
    if let Some(corpus) = testkit::corpus() {
        paths.extend(testkit::files(&corpus.join("games"), "kif"));
    }
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let parsed = parse_bytes(&bytes, &ParseOptions::default());
        if std::env::var_os("SHOW_FINDINGS").is_some() {
            let source = String::from_utf8_lossy(&bytes);
            for d in &parsed.diagnostics {
                let text = d.span.text(&source);
                println!("{} {}: {} | {text}", path.display(), d.code, d.message);
            }
        }
        assert!(
            !parsed.has_errors(),
            "{}: {:?}",
            path.display(),
            parsed.diagnostics
        );
        for text in [parsed.sheet.to_wire(), parsed.sheet.to_pretty()] {
            assert_eq!(parse(&text, &ParseOptions::default()).sheet, parsed.sheet);
        }
    }
}
