//! `rocinante analyze`: structural analysis of a game.

use anyhow::Context;
use budget::{Budget, Stop};
use compile::{Compiled, Report};
use profile::{Profile, Progress};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::progress::Working;
use crate::{options, source, wall};

/// Arguments of `rocinante analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// Print the whole analysis as JSON instead of a report
    #[arg(long)]
    json: bool,
    /// Draw boards, distances and subgames into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Time limit in seconds, including the construction of the network; an incomplete analysis
    /// is reported
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(2048), value_parser = options::memory)]
    memory_mib: usize,
    /// Seed of the random playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Analyses the game and prints the result.
///
/// # Errors
/// Fails if the game cannot be read, or has no propositional network within the limits.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    wall::stop_on_interrupt(&stop)?;
    let budget = Budget::system()
        .with_stop(stop)
        .with_timeout(args.seconds)
        .with_memory(args.memory_mib << 20);
    let rules = source::rules(&args.game, args.fold_case, &mut Report::new(&budget))?;
    let without = || {
        format!(
            "{} has no network within the limits, and without one nothing is known of it",
            args.game.display()
        )
    };
    let (working, budget) = Working::on(args.game.display().to_string(), &budget);
    let compiled = Compiled::of_program(&rules.program, &budget).with_context(without)?;
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Begun(analysis) = progress {
            budget.begins(analysis);
        }
    };
    let profile = Profile::find(compiled, args.seed, &budget, &mut watch);
    drop(working);
    if let Some(folder) = &args.svg {
        draw(folder, &profile)?;
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&profile_report::json(&profile))? + "\n",
        false => profile_report::text(&profile),
    };
    source::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn draw(folder: &Path, profile: &Profile) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot write {}", folder.display()))?;
    for picture in profile_report::pictures(profile) {
        let path = folder.join(picture.file);
        source::write(&path, picture.svg.as_bytes())?;
    }
    Ok(())
}
