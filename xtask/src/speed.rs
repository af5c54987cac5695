//! States per second in random playouts, beside published figures.
//!
//! Our seconds are processor time. The published figures are of another machine, so the ratio says
//! how far apart two programs are only as far as the machines are alike.

use anyhow::Context;
use budget::Budget;
use game::playout;
use prepare::{EngineChoice, Options as Prepare, prepare};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::stopwatch::Stopwatch;

#[derive(clap::Args)]
pub struct Options {
    /// Folder of rulesheets [default: games/ of the corpus]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Which engine: reasoner or propnet
    #[arg(long, value_name = "NAME", default_value = "reasoner")]
    engine: EngineChoice,
    /// Only this game
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds of playouts for each game
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    seconds: f64,
    /// Column of the published table to compare with
    #[arg(
        long,
        value_name = "NAME",
        default_value = "GGP_BASE_PROVER:2015-04-26"
    )]
    column: String,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Longest playout; games that go on are counted up to here.
const MAX_STEPS: usize = 1000;
const STATES_BETWEEN_READINGS: usize = 50;

pub fn run(options: &Options) -> anyhow::Result<bool> {
    let corpus = testkit::corpus();
    let games = options
        .games
        .clone()
        .or_else(|| Some(corpus.as_ref()?.join("games")));
    let games = games.context("no folder of games")?;
    let published = match &corpus {
        Some(corpus) => read_column(&corpus.join("baselines/published-gdl-perf.csv"), options)?,
        None => BTreeMap::new(),
    };
    let mut paths = testkit::files(&games, "kif");
    paths.extend(testkit::files(&games, "gdl"));
    println!(
        "{:<36} {:>9} {:>12} {:>12} {:>8}",
        "game", "build s", "states/s", "published", "ratio"
    );
    let (mut log_ratios, mut count) = (0.0, 0);
    for path in paths {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if options.only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let Some((build, speed)) = measure(&path, options)? else {
            println!("{name:<36} not built");
            continue;
        };
        print!("{name:<36} {build:>9.3} {speed:>12.0}");
        match published.get(&name) {
            Some(&theirs) => {
                println!(" {theirs:>12.0} {:>8.1}", speed / theirs);
                log_ratios += (speed / theirs).ln();
                count += 1;
            }
            None => println!(),
        }
    }
    if count > 0 {
        let mean = (log_ratios / f64::from(count)).exp();
        println!(
            "geometric mean of the ratio to {} over {count} games, by {}: {mean:.1}",
            options.column,
            Stopwatch::kind()
        );
    }
    Ok(true)
}

/// Seconds to build, and states per second.
fn measure(path: &Path, options: &Options) -> anyhow::Result<Option<(f64, f64)>> {
    let source = std::fs::read_to_string(path)?;
    let budget = Budget::system()
        .with_timeout(Duration::from_secs(10))
        .with_memory(2 << 30);
    let watch = Stopwatch::start();
    let choice = Prepare {
        engine: options.engine,
        ..Prepare::default()
    };
    let Ok(mut prepared) = prepare(&source, &choice, &budget) else {
        return Ok(None);
    };
    let build = watch.seconds();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let engine = &mut *prepared.engine;
    let initial = engine.initial();
    let watch = Stopwatch::start();
    let mut states = 0;
    // Reading the time costs as much as some states: it is done once in a while. At least one
    // whole playout is made, so that the first tables are paid for.
    while states == 0 || watch.seconds() < options.seconds {
        let pause = states + STATES_BETWEEN_READINGS;
        while states < pause {
            states += playout(engine, &initial, &mut rng, MAX_STEPS)?.steps.max(1);
        }
    }
    Ok(Some((build, states as f64 / watch.seconds())))
}

/// The figures of a column, by game; games without a figure are left out.
fn read_column(path: &Path, options: &Options) -> anyhow::Result<BTreeMap<String, f64>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = header
        .iter()
        .position(|&name| name == options.column)
        .with_context(|| format!("no column {} in {}", options.column, path.display()))?;
    // Texts that say how an engine failed may hold commas: count from the end where they do.
    Ok(lines
        .filter_map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let figure = (cells.len() == header.len()).then(|| cells[column].parse().ok())??;
            Some((cells[0].to_owned(), figure))
        })
        .collect())
}
