//! `cargo xtask bench`: build time, memory and speed of random playouts, game by game.
//!
//! It measures the table `prepare::EVALUATORS`, the search of the player `default`, and
//! proof-number search alone; the searches begin at the first state with a choice. The games
//! are fixtures and corpus. [`mod@measure`] runs the measurement, and [`results`] holds the
//! figures. They are shown as text by [`table`], [`compare`] and [`plot`], and exported as JSON
//! and [`csv`].

mod baseline;
mod compare;
mod csv;
mod measure;
mod peak;
mod plot;
mod results;
pub mod signature;
mod table;

use crate::files;
use crate::games::{self, Game};
use crate::machine::Machine;
use crate::stopwatch::Time;
use crate::worker::{PROOFS, SEARCH};
use anyhow::{Context, ensure};
use baseline::Baseline;
use measure::{Bounds, Contender, measure};
use prepare::EVALUATORS;
use results::{Conditions, Run};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Only this game; may be repeated
    #[arg(long, value_name = "GAME")]
    only: Vec<String>,
    /// Folder of rulesheets; may be repeated [default: fixtures and games/ of the corpus]
    #[arg(long, value_name = "DIR")]
    games: Vec<PathBuf>,
    /// Only games with a figure of Sancho's in the corpus
    #[arg(long)]
    sancho_only: bool,
    /// Only this evaluator; or `search`, the search of the player `default` from the first
    /// choice; or `proofs`, proof-number search from there, which counts questions of 10 000
    /// states instead of playouts; may be repeated [default: all but auto]
    #[arg(long, value_name = "NAME", value_parser = contender)]
    engine: Vec<&'static str>,
    /// Seconds of playouts in each round
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    seconds: f64,
    /// Seconds of playouts before the first round
    #[arg(long, value_name = "SECONDS", default_value_t = 0.2)]
    warm_up: f64,
    /// Rounds, in which all evaluators take turns; medians are reported
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Builds of each evaluator, each in a new process; the median is reported
    #[arg(long, value_name = "N", default_value_t = 1)]
    builds: usize,
    /// Seed of the moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Numbers of threads, each with its own row: 1,2 for example
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1")]
    threads: Vec<usize>,
    /// Number of joint moves after which a playout is cut off
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_steps: usize,
    /// Kind of time; on a quiet machine wall time is better for several threads
    #[arg(long, value_enum, default_value_t)]
    time: Time,
    /// Time limit of a build, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    timeout: f64,
    /// Memory limit of a build, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory_mib: usize,
    /// Column of the published table to compare with
    #[arg(
        long,
        value_name = "NAME",
        default_value = "GGP_BASE_PROVER:2015-04-26"
    )]
    column: String,
    /// Write the figures as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Save the run, with machine and conditions, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the figures
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Compare with a run that was saved with --json
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Another build of xtask, measured in turns with this one and compared
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// Show a saved run instead of measuring
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Print one hash of the play of all engines, and measure nothing
    #[arg(long)]
    signature: bool,
}

/// Measures the evaluators and prints the figures.
///
/// # Errors
/// Fails if there is nothing to measure, or a file cannot be read or written.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    if options.signature {
        return signature::run(options.seed);
    }
    let baselines = match testkit::corpus() {
        Some(corpus) => baseline::of_corpus(&corpus, &options.column)?,
        None => Vec::new(),
    };
    // Read before the measurement: the new run may replace the file, and a missing file is
    // reported at once.
    let old = options.compare.as_deref().map(Run::read).transpose()?;
    let run = match &options.from {
        Some(path) => shown(Run::read(path)?, &baselines),
        None => measured(options, &baselines)?,
    };
    print!("{}", table::summary(&run, &baselines));
    print!("{}", peak::table(&run));
    let within = compare::compare_within(&run);
    if !within.is_empty() {
        print!("\nbeside the other build, in turns:\n{within}");
    }
    if let (Some(path), Some(old)) = (&options.compare, &old) {
        println!("\nbeside {}, of {}:", path.display(), old.machine);
        print!("{}", compare::compare(&run, old));
    }
    if let Some(path) = &options.csv {
        files::write(path, csv::csv(&run, &baselines)?)?;
    }
    if let Some(path) = &options.svg {
        // The first baseline that contains any of these games.
        let known = |baseline: &&Baseline| {
            run.rows
                .iter()
                .any(|row| table::ratio(row, baseline).is_some())
        };
        let chart = plot::chart(&run, baselines.iter().find(known));
        files::write(path, chart.svg())?;
    }
    Ok(true)
}

/// Prints a saved run as when it was measured.
fn shown(run: Run, baselines: &[Baseline]) -> Run {
    println!("{}", run.machine);
    println!("{}", table::header(baselines));
    for row in &run.rows {
        println!("{}", table::line(row, baselines));
    }
    run
}

fn measured(options: &Options, baselines: &[Baseline]) -> anyhow::Result<Run> {
    let games = games(options, baselines)?;
    let contenders = contenders(options);
    ensure!(
        options.threads.iter().all(|&threads| threads > 0),
        "no threads, no playouts"
    );
    for seconds in [options.seconds, options.warm_up, options.timeout] {
        ensure!(
            (0.0..1e6).contains(&seconds),
            "{seconds} s cannot be waited for"
        );
    }
    ensure!(options.seconds > 0.0, "in no time nothing is played");
    let bounds = Bounds {
        timeout: options.timeout,
        memory: options.memory_mib.saturating_mul(1 << 20),
    };
    let mut run = Run {
        machine: Machine::here(),
        conditions: Conditions {
            time: options.time,
            seconds: options.seconds,
            warm_up: options.warm_up,
            rounds: options.rounds.max(1),
            builds: options.builds.max(1),
            seed: options.seed,
            max_steps: options.max_steps,
        },
        peaks: peak::measured(options.time),
        rows: Vec::new(),
    };
    println!("{}; {}", run.machine, options.time.describe());
    println!("{}", table::header(baselines));
    for game in &games {
        let bytes = std::fs::read(&game.path)
            .with_context(|| format!("cannot read {}", game.path.display()))?;
        let source = String::from_utf8_lossy(&bytes);
        let rows = measure(
            &game.name,
            &source,
            &contenders,
            &options.threads,
            &run.conditions,
            bounds,
        );
        for row in &rows {
            println!("{}", table::line(row, baselines));
        }
        run.rows.extend(rows);
        // Saved after every game, so that an interrupted run is not lost.
        if let Some(path) = &options.json {
            run.write(path)?;
        }
    }
    Ok(run)
}

fn games(options: &Options, baselines: &[Baseline]) -> anyhow::Result<Vec<Game>> {
    let mut games = games::all(&options.games);
    if options.sancho_only {
        let sancho = baselines.iter().find(|baseline| baseline.name == "sancho");
        let sancho = sancho.context("the corpus has no figures of Sancho's")?;
        games.retain(|game| sancho.games.contains_key(&game.name));
    }
    for name in &options.only {
        ensure!(
            games.iter().any(|game| game.is(name)),
            "no game is called {name}"
        );
    }
    games.retain(|game| options.only.is_empty() || options.only.iter().any(|name| game.is(name)));
    ensure!(!games.is_empty(), "there are no games");
    Ok(games)
}

/// An evaluator by its name, or one of the searches.
fn contender(name: &str) -> Result<&'static str, String> {
    match name {
        SEARCH => Ok(SEARCH),
        PROOFS => Ok(PROOFS),
        name => prepare::evaluator(name).map(|evaluator| evaluator.name()),
    }
}

fn contenders(options: &Options) -> Vec<Contender> {
    let all = EVALUATORS.iter().filter(|evaluator| !evaluator.chooses());
    let chosen: Vec<&str> = match options.engine.as_slice() {
        [] => all
            .map(|evaluator| evaluator.name())
            .chain([SEARCH, PROOFS])
            .collect(),
        some => some.to_vec(),
    };
    let mut contenders = Vec::new();
    for name in chosen {
        contenders.push(Contender {
            label: name.to_owned(),
            evaluator: name.to_owned(),
            program: None,
        });
        if let Some(program) = &options.against {
            contenders.push(Contender {
                label: format!("{}{name}", compare::OLD),
                evaluator: name.to_owned(),
                program: Some(program.clone()),
            });
        }
    }
    contenders
}
