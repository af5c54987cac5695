//! `cargo xtask strength` and `cargo xtask ablate`: measures playing strength, on one page.
//!
//! Two players meet at all games of the standing suite from all seats. They are `default` and
//! the frozen `baseline` by default, or `default` with and without one of its features.

mod page;
mod suite;

use anyhow::{Context, ensure};
use arena::{Arena, Bounds, Config, Entry, Played, Progress, Results};
use budget::Stop;
use players::{FEATURES, Spec};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How the suite is played.
#[derive(clap::Args)]
pub struct Options {
    /// Number of rounds; each plays every game from every seat
    #[arg(long, value_name = "N", default_value_t = 2)]
    rounds: usize,
    /// Start clock in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    start_clock: f64,
    /// Play clock in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.2)]
    play_clock: f64,
    /// A fixed number of playouts for each move instead of clocks, which makes the matches
    /// repeat
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Only these games of the suite, by name
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Sequential test: stop when ELO0 or ELO1 is accepted, with these error rates
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Vec<f64>,
    /// Seed of all matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Maximum number of matches side by side [default: as many as the cores allow]
    #[arg(long, value_name = "N", default_value_t = 0)]
    concurrency: usize,
    /// Keep the records in this folder, and continue what is there [default: a temporary
    /// folder]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Arguments of `cargo xtask strength`.
#[derive(clap::Args)]
pub struct Comparison {
    /// The first player
    #[arg(long, value_name = "PLAYER", default_value = "default")]
    player: Spec,
    /// The second player
    #[arg(long, value_name = "PLAYER", default_value = "baseline")]
    against: Spec,
    #[command(flatten)]
    options: Options,
}

/// Arguments of `cargo xtask ablate`.
#[derive(clap::Args)]
pub struct Ablation {
    /// The feature to play without; if it is missing, the features are listed
    feature: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// Plays one player against another. Returns `false` if there were faults or unfinished
/// matches.
///
/// # Errors
/// Fails if the suite could not be played.
pub fn run(comparison: &Comparison) -> anyhow::Result<bool> {
    let Comparison {
        player,
        against,
        options,
    } = comparison;
    compare("strength", player, against, options)
}

/// Plays `default` against itself without a feature, or lists the features.
///
/// # Errors
/// Fails if there is no such feature, or the suite could not be played.
pub fn ablate(ablation: &Ablation) -> anyhow::Result<bool> {
    let Some(feature) = &ablation.feature else {
        for feature in FEATURES {
            println!("{:<10} {}", feature.name, feature.what);
        }
        return Ok(true);
    };
    let without = Spec::default().with(&format!("no-{feature}"))?;
    compare(
        &format!("without-{feature}"),
        &Spec::default(),
        &without,
        &ablation.options,
    )
}

fn compare(name: &str, ours: &Spec, theirs: &Spec, options: &Options) -> anyhow::Result<bool> {
    let games = suite::games(&options.only)?;
    let config = config(name, ours, theirs, options, &games)?;
    // Dropped at the end of the function, which removes the folder and the records in it.
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let folder = options.folder.as_deref().unwrap_or(temporary.path());
    let since = Instant::now();
    let arena = Arena::open(config, folder)?;
    let results = arena.run(&Stop::default(), &Watch::default())?;
    let listed: Vec<suite::Listed> = games.into_iter().map(|(game, _)| game).collect();
    print!("{}", page::page(&results, &listed));
    println!("{:.0} seconds", since.elapsed().as_secs_f64());
    let clean = results
        .conduct()
        .iter()
        .all(|conduct| conduct.late + conduct.failed + conduct.illegal == 0);
    Ok(clean && results.unfinished() == 0)
}

/// The tournament that plays the suite.
fn config(
    name: &str,
    ours: &Spec,
    theirs: &Spec,
    options: &Options,
    games: &[(suite::Listed, PathBuf)],
) -> anyhow::Result<Config> {
    let sprt = match options.sprt[..] {
        [elo0, elo1, alpha, beta] => Some(Bounds {
            elo0,
            elo1,
            alpha,
            beta,
        }),
        _ => None,
    };
    let entry = |spec: &Spec| -> anyhow::Result<Entry> {
        let spec = match options.playouts {
            Some(playouts) if spec.searches() => {
                spec.clone().with(&format!("playouts={playouts}"))?
            }
            _ => spec.clone(),
        };
        Ok(Entry {
            name: spec.to_string(),
            is: spec.to_string(),
            threads: 1,
            memory_mib: 256,
        })
    };
    ensure!(options.rounds > 0, "at least one round must be played");
    Ok(Config {
        name: name.into(),
        games: games.iter().map(|(_, path)| path.clone()).collect(),
        format: arena::Format::RoundRobin,
        seats: arena::Seats::Each,
        rounds: options.rounds,
        start_clock: options.start_clock,
        play_clock: options.play_clock,
        grace: 1.0,
        max_steps: 1000,
        seed: options.seed,
        scramble: false,
        engine: "auto".into(),
        concurrency: options.concurrency,
        sprt,
        players: vec![entry(ours)?, entry(theirs)?],
    })
}

/// Reports the progress on the standard error, at intervals.
#[derive(Default)]
struct Watch {
    /// When play began, with how many matches, and when the last line was printed.
    began: Mutex<Option<(Instant, usize, Instant)>>,
}

impl Progress for Watch {
    fn began(&self, results: &Results, side_by_side: usize) {
        let (done, all) = (results.played.len(), results.scheduled);
        eprintln!("{} matches, {side_by_side} side by side", all - done);
        if let Ok(mut began) = self.began.lock() {
            *began = Some((Instant::now(), done, Instant::now()));
        }
    }

    fn played(&self, _: &Played, results: &Results) {
        let Ok(mut began) = self.began.lock() else {
            return;
        };
        let Some((since, before, said)) = &mut *began else {
            return;
        };
        if said.elapsed() < Duration::from_secs(20) {
            return;
        }
        *said = Instant::now();
        let (done, all) = (results.played.len(), results.scheduled);
        let each = since.elapsed().as_secs_f64() / (done - *before).max(1) as f64;
        eprintln!(
            "{done} of {all}, {:.0} minutes left: {}",
            (each * (all - done) as f64 / 60.0).ceil(),
            results.line()
        );
    }
}
