//! `cargo xtask growth`: how the cost of building grows with the size of a game.
//!
//! Families of games that differ only in size ([`rulesheets`]) are built in separate processes,
//! in rounds. Time and memory are reported per ground rule and stage ([`figures`]), so a cost
//! that grows linearly is a flat line.

mod figures;
pub mod rulesheets;

use crate::files;
use crate::machine::Machine;
use crate::stopwatch::Time;
use crate::worker::{Build, Built, Worker};
use anyhow::ensure;
use figures::Figures;
use prepare::Evaluator;
use rulesheets::{Family, Size};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// The evaluator to build
    #[arg(long, value_name = "NAME", default_value = "lanes", value_parser = prepare::evaluator)]
    engine: Evaluator,
    /// Builds of each game; medians are reported
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// Only boards of at most this number of cells
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    cells: usize,
    /// The kind of time that is measured
    #[arg(long, value_enum, default_value_t)]
    time: Time,
    /// Time limit of a build, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    timeout: f64,
    /// Memory limit of a build, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory_mib: usize,
    /// Write the figures as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the figures
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the rulesheets into this folder, and measure nothing
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
}

/// Measures the families and prints the figures.
///
/// # Errors
/// Fails if no process can be started or a file cannot be written.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let games: Vec<(Family, Size)> = Family::ALL
        .into_iter()
        .flat_map(|family| family.sizes().iter().map(move |&size| (family, size)))
        .filter(|(_, size)| size.0 * size.1 <= options.cells)
        .collect();
    ensure!(!games.is_empty(), "no board is that small");
    if let Some(folder) = &options.rules {
        for (family, (columns, rows)) in games {
            let path = folder.join(format!("{}_{columns}x{rows}.gdl", family.name()));
            files::write(&path, family.rules((columns, rows)))?;
        }
        return Ok(true);
    }
    println!("{}; {}", Machine::here(), options.time.describe());
    let mut builds: Vec<Vec<Built>> = vec![Vec::new(); games.len()];
    let mut passed = true;
    for round in 0..options.rounds.max(1) {
        for (at, &(family, size)) in games.iter().enumerate() {
            // Only the first failure is reported.
            if builds[at].len() < round {
                continue;
            }
            match build(family, size, options) {
                Ok(built) => builds[at].push(built),
                Err(error) => {
                    println!("{} {size:?}: {error:#}", family.name());
                    passed = false;
                }
            }
        }
    }
    let figures: Vec<Figures> = games
        .iter()
        .zip(&builds)
        .filter_map(|(&(family, size), builds)| Figures::of(family.name(), size, builds))
        .collect();
    ensure!(
        !figures.is_empty(),
        "{} did not ground any game",
        options.engine.name()
    );
    print!("{}", figures::table(&figures));
    for (path, text) in [
        (&options.csv, figures::csv(&figures)),
        (&options.svg, figures::chart(&figures).svg()),
    ] {
        if let Some(path) = path {
            files::write(path, text)?;
        }
    }
    Ok(passed)
}

fn build(family: Family, size: Size, options: &Options) -> anyhow::Result<Built> {
    let build = Build {
        source: family.rules(size),
        evaluator: options.engine.name().to_owned(),
        seed: 1,
        max_steps: 1,
        timeout: options.timeout,
        memory: options.memory_mib.saturating_mul(1 << 20),
        time: options.time,
        watch_memory: true,
    };
    Ok(Worker::build(None, &build)?.1)
}
