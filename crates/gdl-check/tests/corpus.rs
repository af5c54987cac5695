//! Checks of real games: never an error, and no finding about our own games.

use gdl_check::{check, render};
use gdl_parse::{Level, ParseOptions, parse_bytes};
use std::path::{Path, PathBuf};

/// The findings about a file, rendered, and whether there is an error.
fn findings(path: &Path) -> (String, bool) {
    let bytes = std::fs::read(path).unwrap();
    let findings = check(&parse_bytes(&bytes, &ParseOptions::default()));
    let source = String::from_utf8_lossy(&bytes);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let text = render::render(&findings, &file, &source, render::Style::Plain);
    (
        text,
        findings.iter().any(|finding| finding.level == Level::Error),
    )
}

#[test]
fn real_games_are_playable() {
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let paths: Vec<PathBuf> = testkit::files(&corpus.join("games"), "kif");
    for path in paths {
        let (text, error) = findings(&path);
        if std::env::var_os("SHOW_FINDINGS").is_some() {
            println!("{text}");
        }
        assert!(!error, "{text}");
    }
}

#[test]
fn our_own_games_are_clean() {
    for path in testkit::fixtures() {
        let (text, _) = findings(&path);
        assert_eq!(text, "");
    }
}
