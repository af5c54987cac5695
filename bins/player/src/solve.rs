//! `rocinante solve`: what can be proved of a game or a state.

use crate::{forced, options};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// Find a forced result of one role, whatever the others do
    #[arg(long, required = true)]
    forced: bool,
    #[command(flatten)]
    question: forced::Question,
    /// Time limit in seconds, including the construction of the network
    #[arg(long, value_name = "SECONDS", default_value = "30", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(1024), value_parser = options::memory)]
    memory_mib: usize,
    /// Seed of the play that suggests what to prove
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Solves what is asked. The exit code is 0 if there is a proof, otherwise 1.
///
/// # Errors
/// Fails if something cannot be read, or does not suit the search.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let within = forced::Within {
        time: args.seconds,
        memory: args.memory_mib << 20,
        seed: args.seed,
    };
    forced::run(
        &args.game,
        &args.question,
        within,
        args.fold_case,
        args.json,
    )
}
