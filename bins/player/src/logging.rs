//! Setup of logging.

use anyhow::{Context, bail};
use std::io::IsTerminal;
use std::str::FromStr;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// The levels, from the one that says nothing on.
const LEVELS: &str = "off, error, warn, info, debug, trace";
/// The parts of the program that log.
const PARTS: [&str; 2] = ["serve", "rocinante"];

/// Writes log lines of `filter` to the standard error stream, coloured on a terminal. `filter`
/// is a level such as `info`, or directives such as `info,serve=debug`.
///
/// # Errors
/// Fails if `filter` is invalid, or logging has been set up before.
pub fn init(filter: &str) -> anyhow::Result<()> {
    check(filter)?;
    let directives: Vec<&str> = filter.split(',').map(str::trim).collect();
    let filter = EnvFilter::builder()
        .parse(directives.join(","))
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

/// Whether every directive names a level, and a part of the program if it names one. Otherwise
/// a slip would silence the log: any word can be the name of a part.
fn check(filter: &str) -> anyhow::Result<()> {
    for directive in filter.split(',') {
        let (part, level) = match directive.split_once('=') {
            Some((part, level)) => (Some(part.trim()), level),
            None => (None, directive),
        };
        if LevelFilter::from_str(level.trim()).is_err() || level.trim().is_empty() {
            bail!(
                "log level {:?} is not understood; levels are {LEVELS}, and \"info,serve=debug\" \
                 sets one part of the program apart",
                level.trim()
            );
        }
        let known = |part: &str| PARTS.contains(&part.split("::").next().unwrap_or(part));
        if let Some(part) = part.filter(|part| !known(part)) {
            bail!(
                "log level for {part:?}: no part of the program that logs is called so; there are {}",
                PARTS.join(" and ")
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_in_filters_are_errors_that_name_the_levels() {
        for filter in [
            "info",
            "DEBUG",
            "off",
            "info,serve=debug",
            "warn,rocinante=trace",
            "error,serve::live=trace",
        ] {
            assert!(check(filter).is_ok(), "{filter}");
            assert!(EnvFilter::builder().parse(filter).is_ok(), "{filter}");
        }
        for (filter, word) in [
            ("loud", "\"loud\""),
            ("", "\"\""),
            ("info,", "\"\""),
            ("serve", "\"serve\""),
            ("info,serve=loud", "\"loud\""),
            ("serve=", "\"\""),
            ("info,sevre=debug", "\"sevre\""),
        ] {
            let error = check(filter).expect_err(filter).to_string();
            assert!(error.contains(word), "{error}");
            let names = error.contains(LEVELS) || error.contains("serve and rocinante");
            assert!(names, "{error}");
        }
    }
}
