//! Rulesheets from files and from the standard input.

use crate::terminal;
use anyhow::Context;
use gdl_parse::{Limits, ParseOptions, Rulesheet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The bytes of a file, or of the standard input if it is called `-`. Of a file that is larger than
/// any rulesheet, only so much is read that the parser will say so.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let most = Limits::default().bytes as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    }
    .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(bytes)
}

/// The rules in a file, or on the standard input; errors in them are told.
///
/// # Errors
/// If it cannot be read, or holds no rules.
pub fn rules(path: &Path, fold_case: bool) -> anyhow::Result<Rulesheet> {
    let bytes = read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let options = ParseOptions {
        fold_case,
        ..ParseOptions::default()
    };
    let parsed = gdl_parse::parse(&text, &options);
    terminal::complain(path, &parsed.diagnostics);
    anyhow::ensure!(
        !parsed.sheet.rules.is_empty(),
        "{} holds no rules",
        path.display()
    );
    Ok(parsed.sheet)
}

/// Writes to the standard output. That nobody reads it any more is no error.
///
/// # Errors
/// If it cannot be written for another reason.
pub fn print(text: &str) -> anyhow::Result<()> {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
