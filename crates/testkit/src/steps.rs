//! A budget of looks at the clock, so that what fits into it is the same on every machine.

use budget::{Budget, Clock};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that moves on by a millisecond whenever it is read.
#[derive(Debug, Default)]
pub struct StepClock {
    readings: AtomicU64,
}

impl Clock for StepClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.readings.fetch_add(1, Ordering::Relaxed))
    }
}

/// A budget that ends after so many looks at its clock.
pub fn steps(looks: u64) -> Budget {
    Budget::unlimited(Arc::new(StepClock::default())).with_timeout(Duration::from_millis(looks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_ends_after_so_many_looks() {
        let budget = steps(10);
        let looks = (0..100).take_while(|_| budget.check().is_ok()).count();
        assert_eq!(looks, 9, "one look sets the deadline");
    }
}
