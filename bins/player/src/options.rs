//! Values of options that are checked against this machine.

use crate::wall;
use std::time::Duration;

/// The longest clock, in seconds.
const LONGEST: u64 = 1_000_000;
/// The least memory that a search or a preparation can be of use in, in MiB.
const LEAST_MIB: usize = 16;
/// The most threads for each core. Beyond that they only wait for each other.
const THREADS_PER_CORE: usize = 4;

/// Parses a time in seconds, with an optional fraction.
///
/// # Errors
/// A sentence, if it is no number, or no time that can be waited for.
pub fn seconds(text: &str) -> Result<Duration, String> {
    time(text)?.ok_or_else(|| format!("it must be 0 or more seconds, and less than {LONGEST}"))
}

/// Parses a clock in seconds, more than 0.
///
/// # Errors
/// As [`seconds`].
pub fn clock(text: &str) -> Result<Duration, String> {
    let clock = time(text)?.filter(|clock| !clock.is_zero());
    clock.ok_or_else(|| format!("it must be more than 0 seconds, and less than {LONGEST}"))
}

/// The time that a number of seconds stands for, if it is one that can be waited for.
fn time(text: &str) -> Result<Option<Duration>, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    let time = Duration::try_from_secs_f64(seconds).ok();
    Ok(time.filter(|time| time.as_secs() < LONGEST))
}

/// Parses a span of time above 0 with its unit, such as `90s`, `10m`, `1h 30m` or `30d`.
///
/// # Errors
/// A sentence.
pub fn span(text: &str) -> Result<Duration, String> {
    let span = humantime::parse_duration(text);
    match span.map_err(|_| format!("{text:?} is no time; write it as 90s, 10m, 2h or 30d"))? {
        Duration::ZERO => Err("it must be more than nothing".to_owned()),
        span => Ok(span),
    }
}

/// Parses a number of threads, at least 1 and not far beyond what the cores can run.
///
/// # Errors
/// A sentence.
pub fn threads(text: &str) -> Result<usize, String> {
    let threads = text
        .parse()
        .map_err(|_| format!("{text:?} is no whole number"))?;
    check_threads(threads).map(|()| threads)
}

/// Checks a number of threads.
///
/// # Errors
/// A sentence.
pub fn check_threads(threads: usize) -> Result<(), String> {
    let cores = wall::cores();
    let most = cores * THREADS_PER_CORE;
    match threads {
        0 => Err("it takes at least 1 thread".to_owned()),
        _ if threads > most => Err(format!(
            "at most {most} threads are of use here ({THREADS_PER_CORE} for each of {})",
            gdl_parse::diagnostic::count(cores, "core"),
        )),
        _ => Ok(()),
    }
}

/// Parses a bound of memory in MiB, no more than this machine has.
///
/// # Errors
/// A sentence.
pub fn memory(text: &str) -> Result<usize, String> {
    let mib = text
        .parse()
        .map_err(|_| format!("{text:?} is no whole number"))?;
    check_memory(mib).map(|()| mib)
}

/// A default bound of memory in MiB: so much, or what this machine has.
pub fn mib(usual: usize) -> usize {
    let most = wall::memory().map_or(usual, |bytes| (bytes >> 20) as usize);
    usual.min(most).max(LEAST_MIB)
}

/// Checks a bound of memory in MiB.
///
/// # Errors
/// A sentence.
pub fn check_memory(mib: usize) -> Result<(), String> {
    let most = wall::memory().map(|bytes| (bytes >> 20) as usize);
    match most {
        _ if mib < LEAST_MIB => Err(format!("it takes at least {LEAST_MIB} MiB")),
        Some(most) if mib > most => Err(format!("this machine has {most} MiB")),
        // Where the system does not tell, at least no number of bytes can overflow.
        None if mib > usize::MAX >> 21 => Err("no machine has that much".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_seconds_above_zero() {
        assert_eq!(clock("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        for text in ["0", "-1", "nan", "inf", "1e300", "1000000", "soon", ""] {
            assert!(clock(text).is_err(), "{text}");
        }
        for text in ["-1", "nan", "inf", "1e300", "1000000", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spans_have_units() {
        assert_eq!(span("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(span("1h 30m"), Ok(Duration::from_secs(5400)));
        for text in ["", "0s", "10", "-1m", "soon"] {
            assert!(span(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bounds_go_by_the_machine() {
        assert_eq!(threads("1"), Ok(1));
        assert_eq!(threads(&wall::cores().to_string()), Ok(wall::cores()));
        assert_eq!(memory("64"), Ok(64));
        for text in ["0", "5000000", "-1", "1.5", "many"] {
            assert!(threads(text).is_err(), "{text}");
        }
        for text in ["0", "15", "99999999999", "18446744073709551615", "-1", "1G"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn messages_say_what_would_do() {
        assert_eq!(memory("0"), Err("it takes at least 16 MiB".into()));
        let few = threads("999999").expect_err("too many");
        assert!(few.starts_with("at most ") && few.ends_with(")"), "{few}");
        assert_eq!(
            clock("-0"),
            Err(format!(
                "it must be more than 0 seconds, and less than {LONGEST}"
            ))
        );
    }
}
