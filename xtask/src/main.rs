//! Development tasks: `cargo xtask TASK`.

mod conformance;

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
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Conformance(options) => conformance::run(&options),
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
