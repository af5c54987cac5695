//! Time that a thread or this process really ran, or time on the wall.
//!
//! On a shared machine only processor time says how fast something is: time on the wall also counts
//! what the neighbours do. On a quiet machine the two agree, and only time on the wall sees threads
//! that wait for each other.

use budget::Clock;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Time {
    /// Time on a processor; where the system does not tell it, time on the wall.
    #[default]
    Processor,
    /// Time on the wall.
    Wall,
}

impl Time {
    /// What is measured, in a few words.
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

/// Time that this thread has been on a processor.
fn thread_time() -> Option<Duration> {
    #[cfg(unix)]
    return cpu_time(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    None
}

/// Time that the threads of this process have been on processors, all together.
fn process_time() -> Option<Duration> {
    #[cfg(unix)]
    return cpu_time(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    None
}

/// Measures one thread, the one that starts and reads it.
pub struct Stopwatch {
    since: Instant,
    ran: Option<Duration>,
}

impl Stopwatch {
    /// Begins to count.
    pub fn start(time: Time) -> Self {
        Stopwatch {
            since: Instant::now(),
            ran: (time == Time::Processor).then(thread_time).flatten(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        let elapsed = match (self.ran, thread_time()) {
            (Some(then), Some(now)) => now.saturating_sub(then),
            _ => self.since.elapsed(),
        };
        elapsed.as_secs_f64()
    }
}

/// A clock for budgets on which deadlines and stages of preparation are counted, for all threads of
/// the process together.
pub struct ProcessClock {
    origin: Instant,
    time: Time,
}

impl ProcessClock {
    /// A clock that counts that time.
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
    fn sleeping_is_not_running() {
        let (wall, ran) = (
            Stopwatch::start(Time::Wall),
            Stopwatch::start(Time::Processor),
        );
        std::thread::sleep(Duration::from_millis(50));
        assert!(wall.seconds() >= 0.05);
        assert!(ran.seconds() < 0.04, "{}", ran.seconds());
    }

    #[test]
    fn clocks_move_with_work() {
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
