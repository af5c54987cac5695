//! `rocinante analyze`: structural analysis of a game.

use anyhow::Context;
use budget::Budget;
use compile::{Compiled, Report};
use indicatif::ProgressBar;
use profile::{Profile, Progress};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::{source, wall};

/// Arguments of `rocinante analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet
    game: PathBuf,
    /// Print the whole analysis as JSON instead of a report
    #[arg(long)]
    json: bool,
    /// Draw boards, distances and subgames into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Time limit in seconds, including the construction of the network; an incomplete analysis
    /// is reported
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = wall::seconds)]
    timeout: Duration,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: usize,
    /// Seed of the random playouts
    #[arg(long, value_name = "N", default_value_t = 1)]
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
    let budget = Budget::system()
        .with_timeout(args.timeout)
        .with_memory(args.memory << 20);
    let rules = source::rules(&args.game, args.fold_case, &mut Report::new(&budget))?;
    let without = || {
        format!(
            "{} has no network within the limits, and without one nothing is known of it",
            args.game.display()
        )
    };
    // Only drawn on terminals.
    let spinner = ProgressBar::new_spinner().with_message("network");
    spinner.enable_steady_tick(Duration::from_millis(100));
    let compiled = Compiled::of_program(&rules.program, &budget).with_context(without)?;
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Begun(analysis) = progress {
            spinner.set_message(analysis);
        }
    };
    let profile = Profile::find(compiled, args.seed, &budget, &mut watch);
    spinner.finish_and_clear();
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
    let written = |path: &Path| format!("cannot write {}", path.display());
    std::fs::create_dir_all(folder).with_context(|| written(folder))?;
    for picture in profile_report::pictures(profile) {
        let path = folder.join(picture.file);
        std::fs::write(&path, picture.svg).with_context(|| written(&path))?;
    }
    Ok(())
}
