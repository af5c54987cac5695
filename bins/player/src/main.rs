//! The command line of Rocinante: one module for each subcommand, and nothing but argument
//! parsing, configuration and wiring in any of them.

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
    /// Wait for match servers and play what they ask for (the GGP protocol over HTTP).
    Serve(serve::Args),
    /// Play matches between any players and watch them.
    Match(match_::Args),
    /// Play a tournament, or go on with it.
    Arena(arena::Args),
    /// Show a match record state by state, or only check it against the rules.
    Replay(replay::Args),
    /// Play at random and see what kind of game it is.
    Simulate(simulate::Args),
    /// Say what is wrong with rulesheets. Exits with 0 if nothing is, 1 for warnings, 2 for errors.
    Check(check::Args),
    /// Hide what a rulesheet means: other names, and if wanted another order.
    Scramble(scramble::Args),
    /// Find out what kind of game it is: what can no longer change, what falls apart, who has more.
    Analyze(analyze::Args),
    /// Prepare for a match, and say what was decided about the game and why.
    Plan(plan::Args),
    /// Build the network of a game and show its figures, or draw it.
    Ground(ground::Args),
    /// Measure random play in the contract of the framework gdl-perf.
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
    // If it cannot be told, it costs memory and nothing else.
    heap::give_back();
    // Exit codes of the subcommands are their own; what went wrong outside of them is always 2, as
    // it is for clap.
    Cli::parse().command.run().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
