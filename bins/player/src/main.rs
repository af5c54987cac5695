//! The command line of Rocinante. Each subcommand is a module that contains only argument
//! parsing, configuration and wiring.

mod analyze;
mod archive;
mod arena;
mod check;
mod config;
mod doctor;
mod forced;
mod ground;
mod heap;
mod human;
mod interrupt;
mod learn;
mod logging;
mod match_;
mod options;
mod pages;
mod paper;
mod perf;
mod plan;
mod progress;
mod replay;
mod scramble;
mod seen;
mod serve;
mod simulate;
mod solve;
mod source;
mod store;
mod summary;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod wall;
mod who;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What the exit code of each command says. `docs/guide/exit-codes.md` has the same table.
const EXIT_CODES: &str = "\
Exit codes:
  0    all is well; for check: nothing found
  1    done, but something is not as it should be:
         match     a match did not reach its end, or a move was replaced
         arena     matches are still to be played
         replay    a record does not hold against its rules
         check     warnings
         solve     the best line, or what can be forced, is not proved
         doctor    play would fail on this machine as it is
  2    not done: wrong arguments, unreadable files, rules that cannot be played, a port that is
       taken; for check: errors
  130  interrupted twice (Ctrl-C), so that nothing more was written";

/// A general game player: rules in, play out.
#[derive(Debug, Parser)]
#[command(name = "rocinante", version, about, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run as a player for match servers (the GGP protocol over HTTP).
    Serve(Box<serve::Args>),
    /// Play matches between any players and watch them.
    Match(Box<match_::Args>),
    /// Play, watch and understand games in a browser.
    Table(table::Args),
    /// Play or continue a tournament.
    Arena(arena::Args),
    /// Show a match record state by state, or only check it against the rules.
    Replay(replay::Args),
    /// Run random playouts and print their statistics.
    Simulate(simulate::Args),
    /// Check rulesheets, and with --play also by playing them.
    Check(check::Args),
    /// Replace the names in a rulesheet, and optionally shuffle it.
    Scramble(scramble::Args),
    /// Analyse the structure of a game: latches, independent subgames, heuristics.
    Analyze(analyze::Args),
    /// Run the start clock of a match and print the resulting plan.
    Plan(plan::Args),
    /// Learn what positions of a game are worth, and keep it for matches.
    Learn(learn::Args),
    /// List, show, export or prune what is kept of games.
    #[command(subcommand)]
    Store(store::Command),
    /// Build the propositional network of a game; print its statistics or draw it.
    Ground(ground::Args),
    /// Solve games of one role, or prove what a role can force, with the line of play.
    Solve(Box<solve::Args>),
    /// Measure random playouts for the framework gdl-perf.
    Perf(perf::Args),
    /// Examine this machine: what it has, how well it suits play, and what to do about it.
    Doctor(doctor::Args),
    /// Print a script with which a shell completes commands and options.
    Completions(paper::Completions),
    /// Print the manual page; read it with `rocinante man | man -l -`.
    Man,
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Check(args) => check::run(args),
            Command::Scramble(args) => scramble::run(args),
            Command::Serve(args) => serve::run(*args),
            Command::Match(args) => match_::run(&args),
            Command::Table(args) => table::run(args),
            Command::Arena(args) => arena::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Simulate(args) => simulate::run(&args),
            Command::Analyze(args) => analyze::run(&args),
            Command::Solve(args) => solve::run(&args),
            Command::Plan(args) => plan::run(&args),
            Command::Learn(args) => learn::run(&args),
            Command::Store(command) => store::run(&command),
            Command::Ground(args) => ground::run(&args),
            Command::Perf(args) => perf::run(&args),
            Command::Doctor(args) => doctor::run(&args),
            Command::Completions(args) => paper::completions(&args),
            Command::Man => paper::man(),
        }
    }
}

fn main() -> ExitCode {
    // If the setting is not accepted, the only effect is more memory.
    heap::give_back();
    // Subcommands define their own exit codes. An error outside of them is always 2, as it is
    // for clap.
    let result = Cli::parse().command.run();
    result.unwrap_or_else(|error| source::fail(&error))
}
