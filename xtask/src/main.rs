//! Development tasks: `cargo xtask TASK`.

mod conformance;
mod perft;
mod speed;
mod stopwatch;
mod tidy;
mod versus;

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
    /// Replay golden traces of correct play on the engines.
    Conformance(conformance::Options),
    /// Count move paths and states of the fixtures by depth.
    Perft(perft::Options),
    /// Measure states per second in random playouts beside published figures.
    Speed(speed::Options),
    /// Check walls between crates, lengths of files, documentation and leftovers.
    Tidy,
    /// Play baseline against random from every seat.
    Versus(versus::Options),
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Conformance(options) => conformance::run(&options),
        Task::Perft(options) => perft::run(&options),
        Task::Speed(options) => speed::run(&options),
        Task::Tidy => tidy::run(),
        Task::Versus(options) => versus::run(&options),
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
