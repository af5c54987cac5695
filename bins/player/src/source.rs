//! Rulesheets from files and from the standard input.

use crate::terminal;
use anyhow::Context;
use compile::{Report, Rules};
use gdl_parse::Limits;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a file, or the standard input if the path is `-`.
///
/// Of a file above the parser's size limit, only enough is read that the parser rejects it.
///
/// # Errors
/// Fails if it cannot be read.
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

/// Reads the rules in a file or on the standard input. Prints a warning if they contain errors or
/// lack what a game needs.
///
/// # Errors
/// Fails if they cannot be read, or contain no rules.
pub fn rules(path: &Path, fold_case: bool, report: &mut Report) -> anyhow::Result<Rules> {
    let text = read(path)?;
    let text = String::from_utf8_lossy(&text);
    let rules = Rules::read(&text, fold_case, report)
        .with_context(|| format!("cannot read {} as a game", path.display()))?;
    terminal::complain(path, &rules.diagnostics, &rules.sheet);
    Ok(rules)
}

/// Writes to the standard output. A closed pipe is not an error.
///
/// # Errors
/// Fails if it cannot be written for another reason.
pub fn print(text: &str) -> anyhow::Result<()> {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
