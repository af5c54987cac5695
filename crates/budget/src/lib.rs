//! Deadlines, stop signals and memory bounds, passed in and never looked up.
//!
//! Everything below the binaries that can run long takes a [`Budget`]: it says when to stop (a
//! deadline on a [`Clock`] that the caller chose), which signals abort it ([`Stop`]), and how
//! much memory may be used. No crate reads the wall clock by itself, so the same code runs
//! under a simulated clock in tests.
//!
//! ```
//! use budget::{Budget, ManualClock};
//! use std::{sync::Arc, time::Duration};
//!
//! let clock = Arc::new(ManualClock::default());
//! let budget = Budget::unlimited(clock.clone()).with_timeout(Duration::from_secs(1));
//! assert!(budget.check().is_ok());
//! clock.advance(Duration::from_secs(2));
//! assert!(budget.check().is_err());
//! ```

mod checks;
mod watch;

pub use checks::Checks;
pub use watch::Watch;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A source of time that never goes backwards, counted from an origin of its own.
pub trait Clock: Send + Sync {
    /// Time since the clock's origin.
    fn now(&self) -> Duration;
}

/// The monotonic clock of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    origin: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        SystemClock {
            origin: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }
}

/// A clock that moves only by [`ManualClock::advance`], for tests.
#[derive(Debug, Default)]
pub struct ManualClock {
    nanos: AtomicU64,
}

impl ManualClock {
    /// Moves the clock forward by `by`.
    pub fn advance(&self, by: Duration) {
        self.nanos.fetch_add(by.as_nanos() as u64, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::SeqCst))
    }
}

/// A signal that aborts work. Clones share the signal.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Sends the signal. It cannot be undone.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the signal was sent.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Why work stopped before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exhausted {
    /// The deadline passed.
    Deadline,
    /// [`Stop::stop`] was called.
    Stopped,
    /// More memory would have been needed than allowed.
    Memory,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Deadline => "the deadline passed",
            Exhausted::Stopped => "the work was called off",
            Exhausted::Memory => "the memory bound was reached",
        })
    }
}

impl std::error::Error for Exhausted {}

/// What a piece of work may use. Cheap to clone; clones share the clock and the stop signals.
#[derive(Clone)]
pub struct Budget {
    clock: Arc<dyn Clock>,
    deadline: Option<Duration>,
    stops: Vec<Stop>,
    max_bytes: usize,
    watch: Option<Watch>,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("remaining", &self.remaining())
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

impl Budget {
    /// A budget on `clock` without deadline, stop signal or memory bound.
    pub fn unlimited(clock: Arc<dyn Clock>) -> Self {
        Budget {
            clock,
            deadline: None,
            stops: Vec::new(),
            max_bytes: usize::MAX,
            watch: None,
        }
    }

    /// An unlimited budget on the system clock; for tools and tests.
    pub fn system() -> Self {
        Budget::unlimited(Arc::new(SystemClock::default()))
    }

    /// The same budget, ending at most `timeout` from now.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        let at = self.clock.now().saturating_add(timeout);
        self.with_deadline(at)
    }

    /// The same budget, ending at the latest when the clock reads `deadline`.
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(self.deadline.map_or(deadline, |d| d.min(deadline)));
        self
    }

    /// The same budget without its deadline, for what must be known even late.
    pub fn without_deadline(mut self) -> Self {
        self.deadline = None;
        self
    }

    /// The same budget, ending after one of `parts` equal parts of the time left (0 is taken
    /// for 1).
    ///
    /// Unchanged without a deadline, since there is nothing to divide.
    pub fn share(&self, parts: u32) -> Self {
        let budget = self.clone();
        match self.remaining() {
            Some(left) => budget.with_timeout(left / parts.max(1)),
            None => budget,
        }
    }

    /// The same budget, also aborted by `stop`.
    pub fn with_stop(mut self, stop: Stop) -> Self {
        self.stops.push(stop);
        self
    }

    /// The same budget, allowed at most `bytes` of memory.
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.max_bytes = self.max_bytes.min(bytes);
        self
    }

    /// The same budget, whose work tells `watch` what it does.
    pub fn with_watch(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Tells the watcher that this work begins now, in a word or two.
    pub fn begins(&self, what: &'static str) {
        if let Some(watch) = &self.watch {
            watch.begins(what);
        }
    }

    /// The clock that the deadline is read on.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// When the work must end, as a reading of [`Budget::clock`].
    pub fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// Time left; `None` without a deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_sub(self.clock.now()))
    }

    /// Bytes that the work may hold at most; `usize::MAX` without a bound.
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Fails if the deadline has passed or a stop signal was sent.
    ///
    /// A call reads the clock, which takes tens of nanoseconds. In a hot loop, call it every
    /// few hundred steps.
    ///
    /// # Errors
    /// [`Exhausted::Stopped`] or [`Exhausted::Deadline`].
    pub fn check(&self) -> Result<(), Exhausted> {
        self.check_at(|| self.clock.now())
    }

    /// Like [`Budget::check`], with a time that may have been read already.
    fn check_at(&self, now: impl FnOnce() -> Duration) -> Result<(), Exhausted> {
        if self.stops.iter().any(Stop::is_stopped) {
            return Err(Exhausted::Stopped);
        }
        match self.deadline {
            Some(deadline) if now() >= deadline => Err(Exhausted::Deadline),
            _ => Ok(()),
        }
    }

    /// Fails if `bytes` exceed the bound.
    ///
    /// # Errors
    /// [`Exhausted::Memory`].
    pub fn check_memory(&self, bytes: usize) -> Result<(), Exhausted> {
        if bytes > self.max_bytes {
            Err(Exhausted::Memory)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_deadline_wins() {
        let clock = Arc::new(ManualClock::default());
        let budget = Budget::unlimited(clock.clone())
            .with_timeout(Duration::from_secs(5))
            .with_timeout(Duration::from_secs(9));
        assert_eq!(budget.remaining(), Some(Duration::from_secs(5)));
        clock.advance(Duration::from_secs(5));
        assert_eq!(budget.check(), Err(Exhausted::Deadline));
    }

    #[test]
    fn a_share_is_a_part_of_what_is_left() {
        let clock = Arc::new(ManualClock::default());
        let budget = Budget::unlimited(clock.clone());
        assert_eq!(budget.share(3).remaining(), None);
        let budget = budget.with_timeout(Duration::from_secs(9));
        clock.advance(Duration::from_secs(3));
        let share = budget.share(3);
        assert_eq!(share.remaining(), Some(Duration::from_secs(2)));
        assert_eq!(budget.share(0).remaining(), Some(Duration::from_secs(6)));
        clock.advance(Duration::from_secs(2));
        assert_eq!(share.check(), Err(Exhausted::Deadline));
        assert_eq!(budget.check(), Ok(()));
        clock.advance(Duration::from_secs(9));
        assert_eq!(budget.share(3).check(), Err(Exhausted::Deadline));
    }

    #[test]
    fn a_share_keeps_stop_signal_and_memory_bound() {
        let stop = Stop::default();
        let budget = Budget::system().with_stop(stop.clone()).with_memory(100);
        let share = budget.share(2);
        assert_eq!(share.max_bytes(), 100);
        stop.stop();
        assert_eq!(share.check(), Err(Exhausted::Stopped));
    }

    #[test]
    fn without_a_deadline_only_stop_signals_end_the_work() {
        let (clock, stop) = (Arc::new(ManualClock::default()), Stop::default());
        let budget = Budget::unlimited(clock.clone()).with_stop(stop.clone());
        let late = budget.with_timeout(Duration::ZERO).without_deadline();
        assert_eq!(late.check(), Ok(()));
        stop.stop();
        assert_eq!(late.check(), Err(Exhausted::Stopped));
    }

    #[test]
    fn any_stop_signal_ends_the_work() {
        let (a, b) = (Stop::default(), Stop::default());
        let budget = Budget::system().with_stop(a).with_stop(b.clone());
        assert_eq!(budget.check(), Ok(()));
        b.stop();
        assert_eq!(budget.check(), Err(Exhausted::Stopped));
    }

    #[test]
    fn memory_is_a_bound_not_a_counter() {
        let budget = Budget::system().with_memory(100);
        assert_eq!(budget.check_memory(100), Ok(()));
        assert_eq!(budget.check_memory(101), Err(Exhausted::Memory));
    }
}
