//! How late timers ring, on an idle machine and under load.

use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long each nap is meant to be.
const NAP: Duration = Duration::from_millis(1);

/// How late a thread is when it wants to wake up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timers {
    /// With nothing else to do.
    pub idle: Lateness,
    /// While as many threads as there are cores compute, as in a search.
    pub loaded: Lateness,
}

/// Some measured delays, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lateness {
    /// The middle one.
    pub median_ms: f64,
    /// Of a hundred, one is longer.
    pub hundredth_ms: f64,
    /// The longest.
    pub worst_ms: f64,
    /// How many were measured.
    pub naps: usize,
}

impl Timers {
    /// Measures for twice this long, with load from `cores` threads in the second half.
    pub fn measure(cores: usize, time: Duration) -> Timers {
        let idle = Lateness::measure(time);
        let over = AtomicBool::new(false);
        let loaded = std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    let mut number = 1u64;
                    while !over.load(Ordering::Relaxed) {
                        for _ in 0..1000 {
                            number = std::hint::black_box(number.wrapping_mul(5).wrapping_add(1));
                        }
                    }
                });
            }
            let loaded = Lateness::measure(time);
            over.store(true, Ordering::Relaxed);
            loaded
        });
        Timers { idle, loaded }
    }
}

impl Lateness {
    fn measure(time: Duration) -> Lateness {
        let end = Instant::now() + time;
        let mut late = Vec::new();
        while late.is_empty() || Instant::now() < end {
            let began = Instant::now();
            std::thread::sleep(NAP);
            late.push(began.elapsed().saturating_sub(NAP));
        }
        Lateness::of(late)
    }

    /// The figures of these delays, of which there is at least one.
    fn of(mut late: Vec<Duration>) -> Lateness {
        late.sort();
        let at = |part: f64| {
            let index = (late.len() as f64 * part) as usize;
            let delay = late.get(index.min(late.len().saturating_sub(1)));
            delay.map_or(0.0, |delay| delay.as_secs_f64() * 1000.0)
        };
        Lateness {
            median_ms: at(0.5),
            hundredth_ms: at(0.99),
            worst_ms: at(1.0),
            naps: late.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_sorted_delays() {
        let late = Lateness::of((1..=200).rev().map(Duration::from_millis).collect());
        assert_eq!((late.median_ms, late.hundredth_ms), (101.0, 199.0));
        assert_eq!((late.worst_ms, late.naps), (200.0, 200));
    }

    #[test]
    fn both_halves_are_measured() {
        let timers = Timers::measure(1, Duration::from_millis(5));
        for late in [timers.idle, timers.loaded] {
            assert!(late.naps > 0 && late.median_ms <= late.worst_ms);
        }
    }
}
