//! `rocinante analyze`: what a game is like by its rules, or what matters in it by its play.

use anyhow::Context;
use budget::{Budget, Stop};
use compile::Compiled;
use insight::Insight;
use profile::{Profile, Progress};
use profile_report::Picture;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::progress::Working;
use crate::{interrupt, options, source};

/// Arguments of `rocinante analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// Print the whole analysis as JSON instead of a report
    #[arg(long)]
    json: bool,
    /// Learn the game instead, and print what matters in it: pieces and squares, mobility,
    /// lines, neighbours, quantities
    #[arg(long)]
    heuristics: bool,
    /// Games of learning, at most; with time enough, findings repeat for a seed
    #[arg(long, value_name = "N", requires = "heuristics", default_value_t = u64::MAX, hide_default_value = true)]
    games: u64,
    /// Draw boards, distances and subgames into this folder; with --heuristics, what pieces are
    /// worth on each square
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

/// Analyses or learns the game and prints the result.
///
/// # Errors
/// Fails if the game cannot be read, or has no propositional network within the limits.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let budget = Budget::system()
        .with_stop(stop)
        .with_timeout(args.seconds)
        .with_memory(args.memory_mib << 20);
    let rules = source::rules(
        &args.game,
        args.fold_case,
        &mut compile::Report::new(&budget),
    )?;
    let without = || {
        format!(
            "{} has no network within the limits, and without one nothing is known of it",
            args.game.display()
        )
    };
    let (working, budget) = Working::on(args.game.display().to_string(), &budget);
    let compiled = Compiled::of_program(&rules.program, &budget).with_context(without)?;
    let found = match args.heuristics {
        true => insight(args, compiled, &budget),
        false => profile(args, compiled, &budget),
    };
    drop(working);
    if let Some(folder) = &args.svg {
        draw(folder, &found.pictures)?;
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&found.json)? + "\n",
        false => found.text,
    };
    source::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What was found, in all forms.
struct Report {
    text: String,
    json: serde_json::Value,
    pictures: Vec<Picture>,
}

fn profile(args: &Args, compiled: Compiled, budget: &Budget) -> Report {
    let mut watch = |progress: Progress<'_>| {
        if let Progress::Begun(analysis) = progress {
            budget.begins(analysis);
        }
    };
    let profile = Profile::find(compiled, args.seed, budget, &mut watch);
    Report {
        text: profile_report::text(&profile),
        json: profile_report::json(&profile),
        pictures: profile_report::pictures(&profile),
    }
}

fn insight(args: &Args, compiled: Compiled, budget: &Budget) -> Report {
    let settings = insight::Settings {
        seed: args.seed,
        games: args.games,
        ..Default::default()
    };
    let insight = Insight::find(compiled, &settings, budget);
    Report {
        text: insight_report::text(&insight),
        json: insight_report::json(&insight),
        pictures: insight_report::pictures(&insight),
    }
}

fn draw(folder: &Path, pictures: &[Picture]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot write {}", folder.display()))?;
    for picture in pictures {
        let path = folder.join(&picture.file);
        source::write(&path, picture.svg.as_bytes())?;
    }
    Ok(())
}
