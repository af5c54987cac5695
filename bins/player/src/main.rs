//! The command line of Rocinante. Each subcommand is a module that contains only argument
//! parsing, configuration and wiring.

mod analyze;
mod arena;
mod check;
mod config;
mod ground;
mod heap;
mod human;
mod logging;
mod match_;
mod pages;
mod perf;
mod plan;
mod plans;
mod replay;
mod scramble;
mod serve;
mod simulate;
mod source;
mod terminal;
mod throughput;
mod wall;
mod who;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A general game player: rules in, play out.
#[derive(Debug, Parser)]
#[command(name = "rocinante", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run as a player for match servers (the GGP protocol over HTTP).
    Serve(serve::Args),
    /// Play matches between any players and watch them.
    Match(match_::Args),
    /// Play or continue a tournament.
    Arena(arena::Args),
    /// Show a match record state by state, or only check it against the rules.
    Replay(replay::Args),
    /// Run random playouts and print their statistics.
    Simulate(simulate::Args),
    /// Check rulesheets. Exits with 0 without diagnostics, 1 with warnings, 2 with errors.
    Check(check::Args),
    /// Replace the names in a rulesheet, and optionally shuffle it.
    Scramble(scramble::Args),
    /// Analyse the structure of a game: latches, independent subgames, heuristics.
    Analyze(analyze::Args),
    /// Run the start clock of a match and print the resulting plan.
    Plan(plan::Args),
    /// Build the propositional network of a game; print its statistics or draw it.
    Ground(ground::Args),
    /// Measure random playouts for the framework gdl-perf.
    Perf(perf::Args),
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Check(args) => check::run(args),
            Command::Scramble(args) => scramble::run(args),
            Command::Serve(args) => serve::run(args),
            Command::Match(args) => match_::run(&args),
            Command::Arena(args) => arena::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Simulate(args) => simulate::run(&args),
            Command::Analyze(args) => analyze::run(&args),
            Command::Plan(args) => plan::run(&args),
            Command::Ground(args) => ground::run(&args),
            Command::Perf(args) => perf::run(&args),
        }
    }
}

fn main() -> ExitCode {
    // If the setting is not accepted, the only effect is more memory.
    heap::give_back();
    // Subcommands define their own exit codes. An error outside of them is always 2, as it is
    // for clap.
    Cli::parse().command.run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
