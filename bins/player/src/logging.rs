//! Setup of logging.

use anyhow::Context;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Writes log lines of `filter` to the standard error stream, coloured on a terminal. `filter`
/// is a level such as `info`, or directives such as `info,serve=debug`.
///
/// # Errors
/// Fails if `filter` is invalid, or logging has been set up before.
pub fn init(filter: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::builder()
        .parse(filter)
        .with_context(|| format!("log level {filter:?} is not understood"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .compact()
        .try_init()
        .map_err(|error| anyhow::anyhow!("logging could not be set up: {error}"))?;
    // Panics are caught where they do no harm. Their messages are logged like other lines.
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    Ok(())
}
