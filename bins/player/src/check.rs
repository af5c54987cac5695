//! `rocinante check`: diagnostics of rulesheets, and of the play that they give.

use crate::progress::Working;
use crate::terminal::wrapped;
use crate::{interrupt, options, source};
use budget::{Budget, Stop};
use gdl_check::render::{self, Style};
use gdl_parse::{Diagnostic, Level, LineColumn, ParseOptions, parse_bytes};
use prepare::{Options, prepare};
use rehearsal::{Finding as Played, Rehearsal};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Rulesheets; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the diagnostics as JSON
    #[arg(long)]
    json: bool,
    /// Also play at random, and report stuck roles, missing goals, play without an end and the
    /// like, with the moves that lead there
    #[arg(long)]
    play: bool,
    /// Duration of that play for each file, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Playouts at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    playouts: u64,
    /// Joint moves after which a playout counts as one without an end
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    max_steps: usize,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
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
    /// The joint moves that lead to the position, if it is about one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    witness: Vec<Vec<String>>,
}

/// The maximum length of that text in JSON, in characters.
const LONGEST_TEXT: usize = 1000;

impl Report {
    fn new(file: String, findings: Vec<Played>, text: &str) -> Self {
        let is_error = |finding: &&Played| finding.diagnostic.level == Level::Error;
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
    fn new(played: Played, text: &str) -> Self {
        let Played {
            diagnostic: finding,
            witness,
        } = played;
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
            witness: witness
                .iter()
                .map(|joint| joint.iter().map(ToString::to_string).collect())
                .collect(),
        }
    }
}

/// The findings of the rules as they are, without play.
fn read(findings: Vec<Diagnostic>) -> Vec<Played> {
    let unplayed = |diagnostic| Played {
        diagnostic,
        witness: Vec::new(),
    };
    findings.into_iter().map(unplayed).collect()
}

/// Plays a rulesheet at random. Rules that no engine takes are left to the other findings.
fn rehearse(args: &Args, file: &str, text: &str, stop: &Stop) -> Option<Rehearsal> {
    let budget = Budget::system()
        .with_stop(stop.clone())
        .with_memory(options::mib(2048) << 20)
        // One half to prepare, the other to play.
        .with_timeout(args.seconds);
    let (_working, budget) = Working::on(format!("{file}: playing"), &budget);
    let how = Options {
        fold_case: args.fold_case,
        ..Options::default()
    };
    let mut game = prepare(text, &how, &budget.share(2)).ok()?;
    let much = rehearsal::Options {
        seed: args.seed,
        playouts: args.playouts,
        max_steps: args.max_steps,
    };
    Some(rehearsal::rehearse(&mut game, &much, &budget))
}

/// A finding for people: its witness is part of the advice.
fn told(played: &Played) -> Diagnostic {
    /// The last moves of a long witness are shown.
    const SHOWN: usize = 8;
    let mut diagnostic = played.diagnostic.clone();
    let moves = played.witness.len();
    if moves == 0 {
        return diagnostic;
    }
    let joint = |joint: &Vec<game::GroundTerm>| {
        let moves: Vec<String> = joint.iter().map(ToString::to_string).collect();
        moves.join(" ")
    };
    let shown = played.witness.iter().skip(moves.saturating_sub(SHOWN));
    let shown: Vec<String> = shown.map(joint).collect();
    let count = gdl_parse::diagnostic::count(moves, "move");
    let dots = if moves > SHOWN { "...; " } else { "" };
    diagnostic.help += &format!("; it happens after {count}: {dots}{}", shown.join("; "));
    diagnostic.help = wrapped(&diagnostic.help);
    diagnostic
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
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let mut reports = Vec::new();
    let mut code = 0;
    for path in &args.files {
        let bytes = source::read(path)?;
        let mut findings = read(gdl_check::check(&parse_bytes(&bytes, &options)));
        let text = String::from_utf8_lossy(&bytes);
        let file = path.display().to_string();
        let played = match args.play {
            true => rehearse(&args, &file, &text, &stop),
            false => None,
        };
        let mut play = String::new();
        if let Some(played) = played {
            let playouts = gdl_parse::diagnostic::count(played.playouts as usize, "playout");
            play = format!(", after {playouts}");
            findings.extend(played.findings);
        }
        code = findings.iter().fold(code, |code, finding| {
            code.max(match finding.diagnostic.level {
                Level::Warning => 1,
                Level::Error => 2,
            })
        });
        if args.json {
            reports.push(Report::new(file, findings, &text));
        } else {
            let findings: Vec<Diagnostic> = findings.iter().map(told).collect();
            let summary = render::summary(&findings);
            let rendered = render::render(&findings, &file, &text, style);
            source::print(&format!("{rendered}{file}: {summary}{play}\n"))?;
        }
    }
    if args.json {
        source::print(&(serde_json::to_string_pretty(&reports)? + "\n"))?;
    }
    Ok(ExitCode::from(code))
}
