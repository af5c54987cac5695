//! How much memory this process has, where the system tells it.

use budget::Clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The value of a line `NAME:  N kB` of a process's status, in bytes.
fn status(process: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number = line.trim_start_matches(':').trim().strip_suffix("kB")?;
    Some(number.trim().parse::<u64>().ok()? * 1024)
}

/// Most bytes that were ever resident.
pub fn peak() -> Option<u64> {
    status("self", "VmHWM")
}

/// Bytes that are resident now.
pub fn resident() -> Option<u64> {
    status("self", "VmRSS")
}

/// Bytes of another process that are resident now.
pub fn resident_of(process: u32) -> Option<u64> {
    status(&process.to_string(), "VmRSS")
}

/// Time that another process has been on a processor.
///
/// The system counts in ticks, of which it has a hundred a second wherever programs can see them.
pub fn processor_time_of(process: u32) -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let numbers = text.rsplit_once(')')?.1;
    let mut numbers = numbers.split_whitespace().skip(11);
    let mut ticks = || numbers.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()? + ticks()?))
}

/// How often memory is looked at. Stages shorter than this are hit or missed by chance; the peak of
/// the whole process is exact in any case.
const INTERVAL: Duration = Duration::from_millis(1);

/// Looks at the memory again and again until told to stop: when it was, and how much.
pub fn watch(clock: &dyn Clock, stop: &AtomicBool) -> Vec<(Duration, u64)> {
    let mut seen = Vec::new();
    while let Some(bytes) = resident() {
        seen.push((clock.now(), bytes));
        if stop.load(Ordering::Acquire) {
            break;
        }
        std::thread::sleep(INTERVAL);
    }
    seen
}

/// The most that was seen between two times, and in the nearest looks before and after.
pub fn most_between(seen: &[(Duration, u64)], from: Duration, to: Duration) -> Option<u64> {
    let first = seen
        .partition_point(|look| look.0 <= from)
        .saturating_sub(1);
    let last = (seen.partition_point(|look| look.0 < to) + 1).min(seen.len());
    seen.get(first..last)?.iter().map(|look| look.1).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_is_used_is_seen() {
        let before = peak().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = peak().unwrap();
        // Other tests run in this process; whatever they do, the peak does not sink.
        assert!(after >= before);
        assert!(after >= block.len() as u64);
        assert!(resident().unwrap() <= peak().unwrap());
    }

    #[test]
    fn stages_get_what_was_seen_while_they_ran() {
        let at = |millis| Duration::from_millis(millis);
        let seen = [(at(0), 10), (at(10), 50), (at(20), 30), (at(30), 90)];
        assert_eq!(most_between(&seen, at(0), at(9)), Some(50));
        assert_eq!(most_between(&seen, at(12), at(18)), Some(50));
        assert_eq!(most_between(&seen, at(20), at(20)), Some(30));
        assert_eq!(most_between(&seen, at(21), at(40)), Some(90));
        assert_eq!(most_between(&[], at(0), at(40)), None);
    }
}
