//! `rocinante doctor`: what this machine has, how well it suits play, and what to do.

use crate::progress::Working;
use crate::terminal::wrapped;
use crate::{interrupt, options, source};
use budget::{Budget, Stop};
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The port that the player is going to listen on
    #[arg(long, default_value_t = 9147)]
    port: u16,
    /// Duration of each of about ten measurements, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.5", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Examines the machine and prints what was found. The exit code is 1 if play would fail as it
/// is, otherwise 0. Interrupted, it prints what it has.
///
/// # Errors
/// Fails if our own rules cannot be played.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let (working, budget) = Working::on("doctor", &Budget::system().with_stop(stop));
    let options = ::doctor::Options {
        port: args.port,
        time: args.seconds,
    };
    let report = ::doctor::examine(&options, &budget)?;
    drop(working);
    source::print(&match args.json {
        true => serde_json::to_string_pretty(&report)? + "\n",
        false => report
            .to_string()
            .lines()
            .map(|line| wrapped(line) + "\n")
            .collect(),
    })?;
    Ok(ExitCode::from(u8::from(report.has_problems())))
}
