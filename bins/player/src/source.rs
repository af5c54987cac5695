//! Files and standard streams. Wherever a command takes a file, `-` is the standard input or
//! output.

use crate::terminal;
use anyhow::Context;
use budget::Stop;
use compile::{Report, Rules};
use gdl_parse::Limits;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;

/// Whether the path stands for a standard stream.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file, or the standard input if the path is `-`.
///
/// # Errors
/// Fails if there is no such file, or it cannot be opened.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if is_standard(path) {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| cannot_read(path))?;
    Ok(Box::new(file))
}

/// Reads a file, or the standard input if the path is `-`.
///
/// Of a file above the parser's size limit, only enough is read that the parser rejects it.
///
/// # Errors
/// Fails if it cannot be read.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let most = Limits::default().bytes as u64 + 1;
    let mut bytes = Vec::new();
    open(path)?
        .take(most)
        .read_to_end(&mut bytes)
        .with_context(|| cannot_read(path))?;
    Ok(bytes)
}

/// Reads a text, from the standard input if the path is `-`. What is not UTF-8 is replaced.
///
/// # Errors
/// Fails if it cannot be read.
pub fn text(path: &Path) -> anyhow::Result<String> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// The name of a file in messages.
pub fn name(path: &Path) -> String {
    match is_standard(path) {
        true => "the standard input".into(),
        false => path.display().to_string(),
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", name(path))
}

/// Reads the rules in a file or on the standard input. Prints a warning if they contain errors or
/// lack what a game needs.
///
/// # Errors
/// Fails if they cannot be read, or contain no rules.
pub fn rules(path: &Path, fold_case: bool, report: &mut Report) -> anyhow::Result<Rules> {
    let rules = Rules::read(&text(path)?, fold_case, report)
        .with_context(|| format!("cannot read {} as a game", name(path)))?;
    terminal::complain(path, &rules.diagnostics, &rules.sheet);
    Ok(rules)
}

/// Nobody reads the standard output any more, as after `rocinante ... | head`. The program then
/// ends, and that is no failure.
#[derive(Debug)]
pub struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads the output")
    }
}

impl std::error::Error for Closed {}

/// Stopped when nobody reads the standard output any more.
static CLOSED: LazyLock<Stop> = LazyLock::new(Stop::default);

/// A signal that calls off work when nobody reads the standard output any more; for work that is
/// shown while it is done.
pub fn closed() -> Stop {
    CLOSED.clone()
}

/// Checks that what was printed so far was read.
///
/// # Errors
/// [`Closed`] if it was not.
pub fn still_read() -> anyhow::Result<()> {
    match CLOSED.is_stopped() {
        true => Err(Closed.into()),
        false => Ok(()),
    }
}

/// Writes to the standard output.
///
/// # Errors
/// [`Closed`] if nobody reads it; another error if it cannot be written.
pub fn print(text: &str) -> anyhow::Result<()> {
    write_to(std::io::stdout().lock(), text.as_bytes())
}

/// Writes a text with colours to the standard output, without them if that is no terminal.
///
/// # Errors
/// Those of [`print()`].
pub fn show(text: &str) -> anyhow::Result<()> {
    write_to(anstream::stdout().lock(), text.as_bytes())
}

fn write_to(mut out: impl Write, bytes: &[u8]) -> anyhow::Result<()> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            CLOSED.stop();
            Err(Closed.into())
        }
        Err(error) => Err(error).context("cannot write to the standard output"),
    }
}

/// Tells of the error that a command has failed with. Returns the exit code, which is 2, or 0 if
/// merely nobody reads the output any more.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    if error.chain().any(|cause| cause.is::<Closed>()) {
        return ExitCode::SUCCESS;
    }
    terminal::error(&format!("{error:#}"));
    ExitCode::from(2)
}

/// Writes a line to the standard error, with its colours if that is a terminal. Nobody could be
/// told of a failure.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Replaces a file as a whole, or writes to the standard output if the path is `-`.
///
/// # Errors
/// [`Closed`] if nobody reads the standard output; another error if the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    match is_standard(path) {
        true => write_to(std::io::stdout().lock(), bytes),
        false => atomic_file::write(path, bytes).with_context(|| cannot_write(path)),
    }
}

/// Checks that a file can be written, before long work.
///
/// # Errors
/// Those of writing.
pub fn check(path: &Path) -> anyhow::Result<()> {
    match is_standard(path) {
        true => Ok(()),
        false => atomic_file::check(path).with_context(|| cannot_write(path)),
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
