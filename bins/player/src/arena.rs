//! `rocinante arena`: a tournament.

use crate::wall;
use ::arena::{Arena, Bounds, Config, Played, Progress, Results};
use budget::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;

/// What `rocinante arena` may be told.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The tournament, as TOML
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// Folder of records and results; what it holds is not played again [default: beside CONFIG,
    /// under its name without the ending]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Rounds, whatever the configuration says
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Matches side by side; never more than have cores of their own
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Stop as soon as it is known whether the first of two players is at least ELO1 or at most
    /// ELO0 stronger; errors have these probabilities
    #[arg(
        long,
        num_args = 4,
        value_names = ["ELO0", "ELO1", "ALPHA", "BETA"],
        allow_negative_numbers = true
    )]
    sprt: Option<Vec<f64>>,
    /// Only show what has been played
    #[arg(long)]
    report: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// Plays what is missing and prints the results. The exit code is 0 if everything has been played,
/// or the question answered, else 1.
///
/// # Errors
/// If the tournament makes no sense, or its folder cannot be used.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    wall::stop_on_interrupt(&stop)?;
    let mut config = Config::read(&args.config)?;
    if let Some(rounds) = args.rounds {
        config.rounds = rounds;
    }
    if let Some(concurrency) = args.concurrency {
        config.concurrency = concurrency;
    }
    if let Some(&[elo0, elo1, alpha, beta]) = args.sprt.as_deref() {
        config.sprt = Some(Bounds {
            elo0,
            elo1,
            alpha,
            beta,
        });
    }
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| args.config.with_extension(""));
    anyhow::ensure!(
        folder != args.config,
        "say with --out where records are to go"
    );
    let arena = Arena::open(config, &folder)?;
    let results = match args.report {
        true => arena.results()?,
        false => {
            let bar = Bar::new(args.quiet);
            let results = arena.run(&stop, &bar)?;
            bar.0.finish_and_clear();
            results
        }
    };
    print!("{}", results.table());
    println!("\nrecords and results are in {}", folder.display());
    Ok(ExitCode::from(u8::from(!results.is_over())))
}

/// A bar with an estimate of the time left; nothing where nobody is looking.
struct Bar(ProgressBar);

impl Bar {
    fn new(quiet: bool) -> Self {
        match quiet {
            true => Bar(ProgressBar::hidden()),
            false => Bar(ProgressBar::no_length()),
        }
    }
}

impl Progress for Bar {
    fn began(&self, results: &Results, side_by_side: usize) {
        let style = ProgressStyle::with_template(
            "{bar:30} {pos} of {len} matches, {eta} left{prefix}: {msg}",
        );
        // The template is ours, and right.
        self.0
            .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.0.set_length(results.scheduled as u64);
        self.0.set_position(results.played.len() as u64);
        // The estimate is of what is played now, not of what was found.
        self.0.reset_eta();
        if side_by_side > 1 {
            self.0.set_prefix(format!(", {side_by_side} side by side"));
        }
        self.0.tick();
    }

    fn played(&self, _: &Played, results: &Results) {
        self.0.set_position(results.played.len() as u64);
        self.0.set_message(results.line());
    }
}
