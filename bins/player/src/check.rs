//! `rocinante check`: diagnostics of rulesheets.

use crate::source;
use gdl_check::render::{self, Style};
use gdl_parse::{Diagnostic, Level, LineColumn, ParseOptions, parse_bytes};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `rocinante check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Rulesheets; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the diagnostics as JSON
    #[arg(long)]
    json: bool,
    /// Convert all names to lower case, for servers that send everything in upper case
    #[arg(long)]
    fold_case: bool,
}

/// The diagnostics of one file, as `--json` writes them.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    errors: usize,
    warnings: usize,
    findings: Vec<Finding>,
}

/// One diagnostic, as `--json` writes it. Lines and columns count from 1, columns in
/// characters. The end is the position after the last character.
#[derive(Debug, Serialize)]
struct Finding {
    level: &'static str,
    code: &'static str,
    message: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    /// The text that the diagnostic is about.
    text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    label: String,
    help: String,
}

/// The maximum length of that text in JSON, in characters.
const LONGEST_TEXT: usize = 1000;

impl Report {
    fn new(file: String, findings: Vec<Diagnostic>, text: &str) -> Self {
        let is_error = |finding: &&Diagnostic| finding.level == Level::Error;
        let errors = findings.iter().filter(is_error).count();
        Report {
            file,
            errors,
            warnings: findings.len() - errors,
            findings: findings
                .into_iter()
                .map(|f| Finding::new(f, text))
                .collect(),
        }
    }
}

impl Finding {
    fn new(finding: Diagnostic, text: &str) -> Self {
        let start = LineColumn::of(text, finding.span.start);
        let end = LineColumn::of(text, finding.span.end);
        Finding {
            level: match finding.level {
                Level::Error => "error",
                Level::Warning => "warning",
            },
            code: finding.code,
            message: finding.message,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text: finding.span.text(text).chars().take(LONGEST_TEXT).collect(),
            label: finding.label,
            help: finding.help,
        }
    }
}

/// Checks all files and prints the diagnostics. The exit code is 0 without diagnostics, 1 with
/// warnings and 2 with errors.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let options = ParseOptions {
        fold_case: args.fold_case,
        ..ParseOptions::default()
    };
    let colored = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let style = if colored {
        Style::Colored
    } else {
        Style::Plain
    };
    let mut reports = Vec::new();
    let mut code = 0;
    for path in &args.files {
        let bytes = source::read(path)?;
        let findings = gdl_check::check(&parse_bytes(&bytes, &options));
        let text = String::from_utf8_lossy(&bytes);
        let file = path.display().to_string();
        code = findings.iter().fold(code, |code, finding| {
            code.max(match finding.level {
                Level::Warning => 1,
                Level::Error => 2,
            })
        });
        if args.json {
            reports.push(Report::new(file, findings, &text));
        } else {
            let summary = render::summary(&findings);
            let rendered = render::render(&findings, &file, &text, style);
            source::print(&format!("{rendered}{file}: {summary}\n"))?;
        }
    }
    if args.json {
        source::print(&(serde_json::to_string_pretty(&reports)? + "\n"))?;
    }
    Ok(ExitCode::from(code))
}
