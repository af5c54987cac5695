//! `rocinante ground`: statistics or a drawing of the propositional network of a game.

use anyhow::Context;
use budget::Budget;
use compile::{Compiled, Report, build_network};
use prepare::{proved, shrunk};
use propnet::Statistics;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::{source, wall};

/// Arguments of `rocinante ground`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet
    game: PathBuf,
    /// Also show what each optimisation pass removes
    #[arg(long)]
    stats: bool,
    /// Write the network in the DOT language; `-` for the standard output
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = wall::seconds)]
    timeout: Duration,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: usize,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Builds the network and shows it.
///
/// # Errors
/// Fails if the game cannot be read, or has no propositional network within the limits.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let unlimited = Budget::system();
    let budget = unlimited
        .clone()
        .with_timeout(args.timeout)
        .with_memory(args.memory << 20);
    let rules = source::rules(&args.game, args.fold_case, &mut Report::new(&budget))?;
    let built = build_network(&rules.program, &budget)
        .with_context(|| format!("{} has no network", args.game.display()))?;

    if let Some(path) = args.dot.as_ref().filter(|path| *path != "-") {
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut out = BufWriter::new(file);
        write!(out, "{}", built.network.dot())?;
        out.flush()?;
    } else if args.dot.is_some() {
        write!(std::io::stdout().lock(), "{}", built.network.dot())?;
        return Ok(ExitCode::SUCCESS);
    }

    let mut out = std::io::stdout().lock();
    for stage in &built.stages {
        writeln!(
            out,
            "{:<10} {:>9.1?}  {}",
            stage.name, stage.time, stage.outcome
        )?;
    }
    let report = &built.grounding;
    writeln!(
        out,
        "grounding derived {} atoms and {} rule instances in {} MiB",
        report.derived,
        report.instances,
        report.peak_bytes >> 20
    )?;
    let statistics = Statistics::new(&built.network, &unlimited)?;
    if args.stats {
        writeln!(out)?;
        for removed in &built.removed {
            writeln!(out, "{removed}")?;
        }
        let compiled = Compiled::of_network(built.network, &budget).map_err(|(_, error)| error)?;
        writeln!(out, "\n{:<10} {}", "logic", compiled.logic.sizes())?;
        let proved = proved(compiled.into(), 0, &budget);
        writeln!(out, "{:<10} {}", "proofs", proved)?;
        let (_, passes) = shrunk(&proved, None, &budget);
        for (phase, shrunk) in passes.iter().enumerate() {
            if let Some(first) = shrunk.first() {
                let name = format!("phase {}", phase + 1);
                writeln!(out, "{name:<10} {}", first.before)?;
            }
            for shrunk in shrunk {
                writeln!(out, "{shrunk}")?;
            }
        }
    }
    writeln!(out, "\n{statistics}")?;
    Ok(ExitCode::SUCCESS)
}
