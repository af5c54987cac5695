//! Development tasks: `cargo xtask TASK`.

mod bench;
mod blunders;
mod conformance;
mod endurance;
mod files;
mod forced;
mod fuzz;
mod games;
mod growth;
mod machine;
mod own_matches;
mod perft;
mod profiles;
mod stage;
mod stages;
mod statistics;
mod stopwatch;
mod strength;
mod tactics;
mod tidy;
mod worker;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Development tasks")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Play default against itself without a feature, over the standing suite; or list the
    /// features.
    Ablate(strength::Ablation),
    /// Measure building, memory and random playouts of all evaluators, beside other programs.
    Bench(Box<bench::Options>),
    /// Count how often a player gives away what it could force, or find such positions.
    Blunders(Box<blunders::Options>),
    /// Replay golden traces of correct play on the engines.
    Conformance(conformance::Options),
    /// Check that memory stays within its limit in a long search, and over hundreds of matches.
    Endurance(endurance::Options),
    /// Measure how deep proof cubes see, and whether players play the wins that are there.
    Forced(Box<forced::Options>),
    /// Search for inputs that are handled wrongly.
    Fuzz(fuzz::Options),
    /// Measure how the cost of building grows with the size of a game.
    Growth(growth::Options),
    /// Count move paths and states of the fixtures by depth.
    Perft(perft::Options),
    /// Measure the profiles of games.
    Profiles(profiles::Options),
    /// Measure where the time of a search goes, game by game.
    Stages(stages::Options),
    /// Play one player against another, default against baseline, over the standing suite.
    Strength(strength::Comparison),
    /// Let a player solve the tactical positions, prove their claims, or mine more.
    Tactics(Box<tactics::Options>),
    /// Check walls between crates, lengths of files, documentation and leftovers.
    Tidy,
    /// A process that measures for another.
    #[command(hide = true)]
    Worker,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Ablate(ablation) => strength::ablate(&ablation),
        Task::Bench(options) => bench::run(&options),
        Task::Blunders(options) => blunders::run(&options),
        Task::Conformance(options) => conformance::run(&options),
        Task::Endurance(options) => endurance::run(&options),
        Task::Forced(options) => forced::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Growth(options) => growth::run(&options),
        Task::Perft(options) => perft::run(&options),
        Task::Profiles(options) => profiles::run(&options),
        Task::Stages(options) => stages::run(&options),
        Task::Strength(options) => strength::run(&options),
        Task::Tactics(options) => tactics::run(&options),
        Task::Tidy => tidy::run(),
        Task::Worker => worker::serve(),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
