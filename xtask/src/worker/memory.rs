//! Memory and processor time of processes, where the system reports them.

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

/// The peak resident memory of this process, in bytes.
pub fn peak() -> Option<u64> {
    status("self", "VmHWM")
}

/// The present resident memory of this process, in bytes.
pub fn resident() -> Option<u64> {
    status("self", "VmRSS")
}

/// The present resident memory of another process, in bytes.
pub fn resident_of(process: u32) -> Option<u64> {
    status(&process.to_string(), "VmRSS")
}

/// The processor time of another process.
///
/// The system counts in ticks, which programs always see as hundredths of a second.
pub fn processor_time_of(process: u32) -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program is in parentheses and may contain anything.
    let numbers = text.rsplit_once(')')?.1;
    let mut numbers = numbers.split_whitespace().skip(11);
    let mut ticks = || numbers.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()? + ticks()?))
}

/// The interval between samples of the memory. For shorter stages the samples are unreliable.
/// The peak of the whole process is exact in any case.
const INTERVAL: Duration = Duration::from_millis(1);

/// Samples the memory until `stop` is set. Returns the times and the resident bytes.
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

/// The maximum between two times, including the nearest samples before and after.
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
    fn used_memory_is_measured() {
        let before = peak().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = peak().unwrap();
        // Other tests run in this process, but the peak cannot decrease.
        assert!(after >= before);
        assert!(after >= block.len() as u64);
        assert!(resident().unwrap() <= peak().unwrap());
    }

    #[test]
    fn stages_get_the_samples_of_their_time() {
        let at = |millis| Duration::from_millis(millis);
        let seen = [(at(0), 10), (at(10), 50), (at(20), 30), (at(30), 90)];
        assert_eq!(most_between(&seen, at(0), at(9)), Some(50));
        assert_eq!(most_between(&seen, at(12), at(18)), Some(50));
        assert_eq!(most_between(&seen, at(20), at(20)), Some(30));
        assert_eq!(most_between(&seen, at(21), at(40)), Some(90));
        assert_eq!(most_between(&[], at(0), at(40)), None);
    }
}
