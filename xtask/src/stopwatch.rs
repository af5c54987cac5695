//! Time that this process really ran.

use std::time::Instant;

/// Measures processor time where the system tells it, else time on the wall. On a shared machine
/// only the former says how fast something is.
pub struct Stopwatch {
    since: Instant,
    ran: Option<f64>,
}

/// Seconds that this thread has been on a processor, on Linux.
fn ran() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanos / 1e9)
}

impl Stopwatch {
    pub fn start() -> Self {
        Stopwatch {
            since: Instant::now(),
            ran: ran(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        match (self.ran, ran()) {
            (Some(then), Some(now)) => now - then,
            _ => self.since.elapsed().as_secs_f64(),
        }
    }

    /// What is measured, in a word or two.
    pub fn kind() -> &'static str {
        if ran().is_some() {
            "processor time"
        } else {
            "time on the wall"
        }
    }
}
