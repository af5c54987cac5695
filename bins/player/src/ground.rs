//! `rocinante ground`: statistics or a drawing of the propositional network of a game.

use anyhow::Context;
use budget::{Budget, Stop};
use compile::{Compiled, Report, build_network};
use prepare::{proved, shrunk};
use propnet::Statistics;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::progress::Working;
use crate::{interrupt, options, source};

/// Arguments of `rocinante ground`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// Also show what each optimisation pass removes
    #[arg(long)]
    stats: bool,
    /// Write the network in the DOT language; `-` for the standard output
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(4096), value_parser = options::memory)]
    memory_mib: usize,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Builds the network and shows it.
///
/// # Errors
/// Fails if the game cannot be read, or has no propositional network within the limits.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let unlimited = Budget::system().with_stop(stop);
    let budget = unlimited
        .clone()
        .with_timeout(args.seconds)
        .with_memory(args.memory_mib << 20);
    let rules = source::rules(&args.game, args.fold_case, &mut Report::new(&budget))?;
    let (working, budget) = Working::on(args.game.display().to_string(), &budget);
    let built = build_network(&rules.program, &budget)
        .with_context(|| format!("{} has no network", args.game.display()))?;
    drop(working);

    if let Some(path) = &args.dot {
        source::write(path, built.network.dot().to_string().as_bytes())?;
        if source::is_standard(path) {
            return Ok(ExitCode::SUCCESS);
        }
    }

    let mut out = String::new();
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
    source::print(&out)?;
    Ok(ExitCode::SUCCESS)
}
