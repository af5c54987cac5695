//! Processor time of a thread or of this process, or wall time.
//!
//! On a shared machine only processor time measures speed, since wall time includes the work of
//! other programs. On a quiet machine the two agree, and only wall time includes threads that
//! wait for each other.

use budget::Clock;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The kind of time that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Time {
    /// Processor time; wall time where the system does not report it.
    #[default]
    Processor,
    /// Wall time.
    Wall,
}

impl Time {
    /// A short description of the measured time.
    pub fn describe(self) -> &'static str {
        match self {
            Time::Processor if thread_time().is_some() => "processor time",
            _ => "time on the wall",
        }
    }
}

#[cfg(unix)]
fn cpu_time(clock: rustix::time::ClockId) -> Option<Duration> {
    let now = rustix::time::clock_gettime(clock);
    Some(Duration::new(
        now.tv_sec.try_into().ok()?,
        now.tv_nsec.try_into().ok()?,
    ))
}

/// The processor time of this thread.
fn thread_time() -> Option<Duration> {
    #[cfg(unix)]
    return cpu_time(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    None
}

/// The processor time of this process, over all threads.
fn process_time() -> Option<Duration> {
    #[cfg(unix)]
    return cpu_time(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    None
}

/// Measures one thread, which must be the one that starts and reads it.
pub struct Stopwatch {
    since: Instant,
    ran: Option<Duration>,
}

impl Stopwatch {
    /// Starts the stopwatch.
    pub fn start(time: Time) -> Self {
        Stopwatch {
            since: Instant::now(),
            ran: (time == Time::Processor).then(thread_time).flatten(),
        }
    }

    /// The seconds since the start.
    pub fn seconds(&self) -> f64 {
        let elapsed = match (self.ran, thread_time()) {
            (Some(then), Some(now)) => now.saturating_sub(then),
            _ => self.since.elapsed(),
        };
        elapsed.as_secs_f64()
    }
}

/// A clock for budgets, which measures the deadlines and stages of preparation over all threads
/// of the process.
pub struct ProcessClock {
    origin: Instant,
    time: Time,
}

impl ProcessClock {
    /// A clock for this kind of time.
    pub fn new(time: Time) -> Self {
        ProcessClock {
            origin: Instant::now(),
            time,
        }
    }
}

impl Clock for ProcessClock {
    fn now(&self) -> Duration {
        let ran = (self.time == Time::Processor).then(process_time).flatten();
        ran.unwrap_or_else(|| self.origin.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn sleeping_takes_no_processor_time() {
        let (wall, ran) = (
            Stopwatch::start(Time::Wall),
            Stopwatch::start(Time::Processor),
        );
        std::thread::sleep(Duration::from_millis(50));
        assert!(wall.seconds() >= 0.05);
        assert!(ran.seconds() < 0.04, "{}", ran.seconds());
    }

    #[test]
    fn work_advances_the_clocks() {
        for time in [Time::Processor, Time::Wall] {
            let (clock, watch) = (ProcessClock::new(time), Stopwatch::start(time));
            let before = clock.now();
            let mut sum = 0u64;
            while watch.seconds() < 0.02 {
                sum = std::hint::black_box(sum + 1);
            }
            assert!(clock.now() > before + Duration::from_millis(19));
        }
    }
}
