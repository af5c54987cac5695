//! `rocinante arena`: plays a tournament.

use crate::{interrupt, source};
use ::arena::{Arena, Bounds, Config, Played, Progress, Results};
use anyhow::Context;
use budget::Stop;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use parking_lot::Mutex;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Arguments of `rocinante arena`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The tournament, as a TOML file; `-` is the standard input
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// Folder of records and results; recorded matches are not played again [default: beside
    /// CONFIG, under its name without the extension]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of rounds; overrides the configuration
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Maximum number of matches side by side; each match needs its own cores
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Sequential test: stop as soon as the first of two players is known to be at least ELO1
    /// or at most ELO0 stronger, with these error rates
    #[arg(
        long,
        num_args = 4,
        value_names = ["ELO0", "ELO1", "ALPHA", "BETA"],
        allow_negative_numbers = true
    )]
    sprt: Option<Vec<f64>>,
    /// Only show the results so far
    #[arg(long)]
    report: bool,
    /// Only show the results so far, after checking every record against its rules with the
    /// reasoner
    #[arg(long)]
    check: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// Plays the missing matches and prints the results. The exit code is 0 if all matches have
/// been played or the sequential test has decided, otherwise 1.
///
/// # Errors
/// Fails if the tournament is invalid, or its folder cannot be used.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let mut config = config(&args.config)?;
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
    let beside = (!source::is_standard(&args.config)).then(|| args.config.with_extension(""));
    let folder = args.out.clone().or(beside);
    let folder = folder
        .filter(|folder| *folder != args.config)
        .context("say with --out where records are to go")?;
    let arena = Arena::open(config, &folder)?;
    if args.check {
        let right = match arena.validate()? {
            1 => "1 record is right".to_owned(),
            records => format!("{records} records are right"),
        };
        source::print(&(right + "\n\n"))?;
    }
    let results = match args.report || args.check {
        true => arena.results()?,
        false => {
            let bar = Bar::new(args.quiet);
            let results = arena.run(&stop, &bar)?;
            bar.bar.finish_and_clear();
            results
        }
    };
    let table = results.table();
    let folder = folder.display();
    source::print(&format!("{table}\nrecords and results are in {folder}\n"))?;
    Ok(ExitCode::from(u8::from(!results.is_over())))
}

/// The tournament in a file, or in the standard input. Paths in a file are relative to its folder.
fn config(path: &Path) -> anyhow::Result<Config> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let config = Config::parse(&source::text(path)?, folder);
    config.with_context(|| format!("in {}", source::name(path)))
}

/// The minimum interval between progress lines in a log.
const PAUSE: Duration = Duration::from_secs(30);

/// A progress bar with the estimated time left; in a log, an occasional line.
struct Bar {
    bar: ProgressBar,
    log: bool,
    told: Mutex<Instant>,
}

impl Bar {
    fn new(quiet: bool) -> Self {
        let log = !std::io::stderr().is_terminal();
        Bar {
            bar: match quiet || log {
                true => ProgressBar::hidden(),
                false => ProgressBar::no_length(),
            },
            log: log && !quiet,
            told: Mutex::new(Instant::now()),
        }
    }
}

/// The estimated time left, behind a comma; nothing if there is no estimate.
fn left(time: Duration) -> String {
    match time.as_secs() {
        0 => String::new(),
        _ => format!(", {} left", HumanDuration(time)),
    }
}

impl Progress for Bar {
    fn began(&self, results: &Results, side_by_side: usize) {
        let style =
            ProgressStyle::with_template("{bar:30} {pos} of {len} matches{left}{prefix}: {msg}");
        // The template is constant and valid.
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let time = |state: &ProgressState, out: &mut dyn Write| {
            // A line that cannot be drawn is not missed.
            let _ = out.write_str(&left(state.eta()));
        };
        self.bar.set_style(style.with_key("left", time));
        self.bar.set_length(results.scheduled as u64);
        self.bar.set_position(results.played.len() as u64);
        // The estimate must not include the matches that were already recorded.
        self.bar.reset_eta();
        if side_by_side > 1 {
            self.bar
                .set_prefix(format!(", {side_by_side} side by side"));
        }
        self.bar.tick();
    }

    fn played(&self, _: &Played, results: &Results) {
        self.bar.set_position(results.played.len() as u64);
        self.bar.set_message(results.line());
        // A log does not show the bar, so it gets an occasional line.
        let mut told = self.told.lock();
        if self.log && told.elapsed() >= PAUSE {
            *told = Instant::now();
            let (played, all) = (results.played.len(), results.scheduled);
            let left = left(self.bar.eta());
            let line = results.line();
            source::note(&format!("{played} of {all} matches{left}: {line}"));
        }
    }
}
