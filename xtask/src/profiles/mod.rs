//! `cargo xtask profiles`: measures the profiles of games.
//!
//! Every game is profiled within a time limit, and the times of all analyses are reported. Time
//! is wall time, as for a player, so a busy machine makes it longer.

mod compare;
mod table;

use crate::games;
use anyhow::ensure;
use budget::Budget;
use compare::Comparison;
use compile::Compiled;
use datalog::Program;
use profile::{Profile, Stage};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Folders of rulesheets [default: fixtures and corpus]
    #[arg(long, value_name = "DIR")]
    games: Vec<PathBuf>,
    /// Only these games
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Time limit of each profile, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    seconds: f64,
    /// Time limit for building each network, in seconds; it is not part of the profile
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    build_time: f64,
    /// Memory limit of network and profile, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory_mib: usize,
    /// Compare with this table of another program's results, and profile only its games
    #[arg(long, value_name = "CSV")]
    compare: Option<PathBuf>,
}

/// The times of the profile of a game.
struct Timed {
    game: String,
    /// The time of the whole profile.
    time: Duration,
    stages: Vec<Stage>,
}

/// Profiles all games. Returns `false` if one exceeded its time limit, or differs from the
/// table without a reason.
///
/// # Errors
/// Fails if there is no such game, or no such table.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let mut games = games::all(&options.games);
    let wanted = |game: &games::Game| options.only.iter().any(|name| game.is(name));
    games.retain(|game| options.only.is_empty() || wanted(game));
    let mut comparison = match &options.compare {
        Some(table) => Comparison::read(table)?,
        None => Comparison::default(),
    };
    games.retain(|game| options.compare.is_none() || comparison.has(&game.name));
    ensure!(!games.is_empty(), "no such game");
    let mut all = Vec::new();
    for game in games {
        match profile(&game.path, options) {
            Ok((time, profile)) => {
                comparison.add(&game.name, &profile);
                let timed = Timed {
                    game: game.name,
                    time,
                    stages: profile.stages,
                };
                println!("{}", table::line(&timed));
                all.push(timed);
            }
            Err(error) => println!("{:<32} {error:#}", game.name),
        }
    }
    print!("{}", table::summary(&all));
    if options.compare.is_some() {
        print!("{}", comparison.text());
    }
    // The deadline may be exceeded by the grace of a clock.
    let limit = Duration::from_secs_f64(options.seconds) + Duration::from_millis(200);
    Ok(all.iter().all(|timed| timed.time <= limit) && comparison.is_explained())
}

fn profile(path: &Path, options: &Options) -> anyhow::Result<(Duration, Profile)> {
    let text = std::fs::read(path)?;
    let text = String::from_utf8_lossy(&text);
    let sheet = gdl_parse::parse(&text, &gdl_parse::ParseOptions::default()).sheet;
    let budget = Budget::system().with_memory(options.memory_mib << 20);
    let building = budget
        .clone()
        .with_timeout(Duration::from_secs_f64(options.build_time));
    let compiled = Compiled::of_program(&Program::from_sheet(&sheet), &building)?;
    let begun = Instant::now();
    let budget = budget.with_timeout(Duration::from_secs_f64(options.seconds));
    let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
    Ok((begun.elapsed(), profile))
}
