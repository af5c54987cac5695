//! Access to the system: time of day, cores, interrupts. Only a binary may use it.

use anyhow::Context;
use budget::Stop;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Parses a clock in seconds, with an optional fraction.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text} is no number"))?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|clock| *clock < Duration::from_secs(1_000_000))
        .ok_or_else(|| format!("{text} is no time that can be waited for"))
}

/// Unix time in milliseconds.
pub fn unix_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// A seed from the time of day, short enough to type.
pub fn seed() -> u64 {
    unix_millis() % 1_000_000
}

/// The number of cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The name of a file without its folder and extension.
pub fn stem(path: &Path) -> String {
    let name = path
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_default()
}

/// Makes ctrl-C stop the current work. A second ctrl-C ends the process at once.
///
/// # Errors
/// Fails if the signal cannot be caught.
pub fn stop_on_interrupt(stop: &Stop) -> anyhow::Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.is_stopped() {
            std::process::exit(130);
        }
        stop.stop();
    })
    .context("cannot catch ctrl-C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        for text in ["-1", "nan", "inf", "1e300", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
