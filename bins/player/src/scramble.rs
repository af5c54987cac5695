//! `rocinante scramble`: prints a game with scrambled names.

use crate::source;
use anyhow::ensure;
use gdl_parse::{ParseOptions, parse_bytes};
use gdl_scramble::{ScrambleOptions, Style, scramble};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `rocinante scramble`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Random seed; the same seed gives the same result
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Keep all names
    #[arg(long)]
    keep_names: bool,
    /// Shuffle rules and their conditions
    #[arg(long)]
    shuffle_rules: bool,
    /// Shuffle the arguments of relations and functions
    #[arg(long)]
    shuffle_arguments: bool,
    /// Replace `base` and `input` too and print in upper case, as Dresden's servers do
    #[arg(long, conflicts_with = "keep_names")]
    dresden: bool,
    /// Print one line, as it is sent to players
    #[arg(long)]
    wire: bool,
}

/// Prints the scrambled rules of a file.
///
/// # Errors
/// Fails if the file cannot be read, or contains no rules.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let parsed = parse_bytes(&source::read(&args.file)?, &ParseOptions::default());
    let file = args.file.display();
    ensure!(!parsed.sheet.rules.is_empty(), "{file} holds no rules");
    ensure!(
        !parsed.has_errors(),
        "{file} has errors; see `rocinante check {file}`"
    );
    let scrambled = scramble(
        &parsed.sheet,
        &ScrambleOptions {
            seed: args.seed,
            rename: !args.keep_names,
            shuffle_rules: args.shuffle_rules,
            shuffle_arguments: args.shuffle_arguments,
            style: if args.dresden {
                Style::Dresden
            } else {
                Style::GgpBase
            },
        },
    );
    let text = match (args.wire, args.dresden) {
        (true, _) => scrambled.to_wire() + "\n",
        (false, true) => scrambled.sheet.to_pretty().to_ascii_uppercase(),
        (false, false) => scrambled.sheet.to_pretty(),
    };
    source::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
