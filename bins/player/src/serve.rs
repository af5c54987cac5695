//! `rocinante serve`: the player as an HTTP service.

use crate::config::{Config, Settings};
use crate::logging;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `rocinante serve` may be told.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Read settings from this file; flags go before it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print all settings as a commented file, and stop
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    settings: Settings,
}

/// Serves until it is interrupted.
///
/// # Errors
/// If the settings make no sense or the address cannot be listened on.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let file = match &args.config {
        Some(path) => Settings::read(path)?,
        None => Settings::default(),
    };
    let config = Config::new(args.settings.over(file))?;
    if args.print_config {
        print!("{config}");
        return Ok(ExitCode::SUCCESS);
    }
    logging::init(&config.log)?;
    anyhow::bail!("only --print-config is there so far")
}
