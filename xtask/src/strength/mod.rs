//! `cargo xtask strength` and `cargo xtask ablate`: whether play became stronger, on one page.
//!
//! Two players meet at all games of the standing suite from all seats: `default` and the frozen
//! `baseline` unless told otherwise, or `default` with and without one of its features.

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
    /// How often every game is played from every seat
    #[arg(long, value_name = "N", default_value_t = 2)]
    rounds: usize,
    /// Seconds to prepare
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    start_clock: f64,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", default_value_t = 0.2)]
    play_clock: f64,
    /// A fixed number of playouts for each move instead of clocks; then everything repeats
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Only these games of the suite, by name
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Stop when it is known whether the difference is rather ELO1 than ELO0, with these error rates
    #[arg(long, num_args = 4, value_names = ["ELO0", "ELO1", "ALPHA", "BETA"], allow_negative_numbers = true)]
    sprt: Vec<f64>,
    /// Seed of all matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Matches side by side [default: as many as have cores of their own]
    #[arg(long, value_name = "N", default_value_t = 0)]
    concurrency: usize,
    /// Keep the records in this folder, and go on with what is there [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// What `cargo xtask strength` may be told.
#[derive(clap::Args)]
pub struct Comparison {
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "default")]
    player: Spec,
    /// Against whom
    #[arg(long, value_name = "PLAYER", default_value = "baseline")]
    against: Spec,
    #[command(flatten)]
    options: Options,
}

/// What `cargo xtask ablate` may be told.
#[derive(clap::Args)]
pub struct Ablation {
    /// The feature to play without; without one, all are listed
    feature: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// Plays one player against another; `false` if there were faults or matches without an end.
///
/// # Errors
/// If the suite could not be played.
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
/// If there is no such feature, or the suite could not be played.
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
    // Kept to the end of the function: with it goes the folder and the records in it.
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

/// Says on the standard error how it goes, now and then.
#[derive(Default)]
struct Watch {
    /// When play began and with how many matches, and when something was said last.
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
