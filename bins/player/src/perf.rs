//! `rocinante perf RULES OUT SECONDS`: the speed of random playouts, for the public framework
//! gdl-perf, which compares engines.
//!
//! The framework starts one process for each game with these three arguments and reads the file
//! `OUT`. It holds a line `name=value` for each of `version`, `millisecondsTaken`,
//! `numStateChanges` and `numRollouts`, or for `version` and `errorMessage` after an error. The
//! playouts run on one thread, and the time begins when the rules have been prepared.

use crate::progress::Working;
use crate::terminal::{notice, unplayable};
use crate::{interrupt, options, source};
use anyhow::Context;
use budget::{Budget, Stop};
use prepare::{Evaluator, Played, Settings, measure};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante perf`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    rules: PathBuf,
    /// The file for the result; `-` is the standard output
    out: PathBuf,
    /// Duration of the playouts, in seconds
    #[arg(allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Evaluator of the playouts; auto chooses the one that suits the game
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = prepare::evaluator)]
    engine: Evaluator,
    /// Time limit for preparing the rules, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = options::clock)]
    prepare: Duration,
    /// Memory limit for preparing the rules, in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(4096), value_parser = options::memory)]
    memory_mib: usize,
    /// Seed of the random moves
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Maximum number of joint moves of a playout, after which it is abandoned
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_steps: usize,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Runs playouts and writes the result. An error in the rules is written to the result too.
///
/// # Errors
/// Fails if the result cannot be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let played = play(args);
    let text = result(&played);
    source::write(&args.out, text.as_bytes())?;
    match played {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error),
    }
}

/// The lines of the result file.
fn result(played: &anyhow::Result<(String, Played)>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match played {
        Ok((engine, played)) => format!(
            "version={version} {engine}\nmillisecondsTaken={}\nnumStateChanges={}\nnumRollouts={}\n",
            played.time.as_millis(),
            played.steps,
            played.finished
        ),
        Err(error) => {
            let message = format!("{error:#}");
            let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("version={version}\nerrorMessage={line}\n")
        }
    }
}

/// The name of the evaluator, and what it played.
fn play(args: &Args) -> anyhow::Result<(String, Played)> {
    let bytes = source::read(Path::new(&args.rules))?;
    let text = String::from_utf8_lossy(&bytes);
    let settings = Settings {
        fold_case: args.fold_case,
        seed: args.seed,
        max_steps: args.max_steps,
        ..Settings::default()
    };
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let unlimited = Budget::system()
        .with_stop(stop)
        .with_memory(args.memory_mib << 20);
    let budget = unlimited.clone().with_timeout(args.prepare);
    let name = args.rules.display().to_string();
    let (working, budget) = Working::on(name.clone(), &budget);
    let mut simulator = args
        .engine
        .make(&text, &settings, &budget)
        .map_err(|error| unplayable(&args.rules, &error))?;
    drop(working);
    notice(&args.rules, &simulator.report);
    let (_working, budget) = Working::on(format!("{name}: playing"), &unlimited);
    let played = measure(&mut simulator, args.seconds, u64::MAX, &budget, &mut |_| ())
        .context("the rules could not be evaluated")?;
    Ok((simulator.report.engine.to_owned(), played))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_has_the_lines_that_gdl_perf_expects() {
        let played = Played {
            time: Duration::from_micros(1_234_567),
            steps: 100,
            finished: 7,
            cut: 0,
        };
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            result(&Ok(("propnet".to_owned(), played))),
            format!(
                "version={version} propnet\nmillisecondsTaken=1234\nnumStateChanges=100\n\
                 numRollouts=7\n"
            )
        );
    }

    #[test]
    fn an_error_is_one_line() {
        let error = anyhow::anyhow!("second\nline").context("first");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            result(&Err(error)),
            format!("version={version}\nerrorMessage=first: second line\n")
        );
    }
}
