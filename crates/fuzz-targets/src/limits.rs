//! The time and memory that one input may take.

use budget::{Budget, Clock};
use std::sync::Arc;
use std::time::Duration;

/// The processor time that an input may take.
const MOST: Duration = Duration::from_secs(1);

/// The part of it that budgets allow. The rest is for what heeds no budget, and for builds that
/// are slowed down by checks.
const ALLOWED: Duration = Duration::from_millis(200);

/// The memory that budgets allow, in bytes. The fuzzer bounds the whole process.
const MEMORY: usize = 64 << 20;

/// The processor time of the thread that looks at it, so that other programs on the machine do
/// not matter.
struct ProcessorClock;

impl Clock for ProcessorClock {
    #[cfg(unix)]
    fn now(&self) -> Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }

    #[cfg(not(unix))]
    fn now(&self) -> Duration {
        use std::sync::OnceLock;
        static CLOCK: OnceLock<budget::SystemClock> = OnceLock::new();
        CLOCK.get_or_init(Default::default).now()
    }
}

/// The budget of everything that is done with an input.
pub(crate) fn budget() -> Budget {
    Budget::unlimited(Arc::new(ProcessorClock))
        .with_timeout(ALLOWED)
        .with_memory(MEMORY)
}

/// Runs `check`, which must not take too long.
pub(crate) fn timed(check: impl FnOnce()) {
    let since = ProcessorClock.now();
    check();
    let took = ProcessorClock.now() - since;
    assert!(took < MOST, "an input took {took:?}, more than {MOST:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_found() {
        let long = || {
            timed(|| {
                let since = ProcessorClock.now();
                while ProcessorClock.now() - since < MOST {}
            });
        };
        assert!(std::panic::catch_unwind(long).is_err());
        timed(|| ());
    }
}
