//! When to look at the clock.

use crate::{Budget, Exhausted};
use std::time::Duration;

/// The time between two looks is about this long at most, however slow a unit of work is.
const CLOSE: Duration = Duration::from_millis(2);
/// Looks that follow each other faster than this become rarer.
const DENSE: Duration = Duration::from_micros(200);

/// Checks a budget now and then in a loop whose steps take nanoseconds in one game and
/// milliseconds in another.
///
/// It looks after the first unit of work, then half or twice as often, depending on how long it
/// was since the last look.
///
/// ```
/// use budget::{Budget, Checks};
///
/// let (budget, mut checks) = (Budget::system(), Checks::new(64));
/// for _ in 0..1000 {
///     checks.after(1, &budget)?;
/// }
/// # Ok::<(), budget::Exhausted>(())
/// ```
#[derive(Debug, Clone)]
pub struct Checks {
    most: u64,
    every: u64,
    unchecked: u64,
    last: Option<Duration>,
}

impl Checks {
    /// Looks after at most so many units of work.
    pub fn new(most: u64) -> Checks {
        Checks {
            most: most.max(1),
            every: 1,
            unchecked: 0,
            last: None,
        }
    }

    /// Counts units of work, and checks the budget if it is time for it.
    ///
    /// # Errors
    /// What [`Budget::check`] returns.
    #[inline]
    pub fn after(&mut self, work: u64, budget: &Budget) -> Result<(), Exhausted> {
        self.unchecked += work;
        match self.unchecked >= self.every {
            true => self.look(budget),
            false => Ok(()),
        }
    }

    /// Begins to measure anew, after time that had nothing to do with the work.
    pub fn resume(&mut self, budget: &Budget) {
        self.last = Some(budget.clock().now());
    }

    #[cold]
    fn look(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let now = budget.clock().now();
        self.unchecked = 0;
        match self.last.replace(now).map(|last| now.saturating_sub(last)) {
            Some(spent) if spent > CLOSE => self.every = (self.every / 2).max(1),
            Some(spent) if spent < DENSE => self.every = (self.every * 2).min(self.most),
            _ => {}
        }
        budget.check_at(|| now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ManualClock;
    use std::sync::Arc;

    #[test]
    fn slow_work_is_checked_at_every_unit_and_fast_work_rarely() {
        let clock = Arc::new(ManualClock::default());
        let budget = Budget::unlimited(clock.clone());
        let mut checks = Checks::new(64);
        let mut work = |units: u32, each: Duration| {
            for _ in 0..units {
                clock.advance(each);
                checks.after(1, &budget).expect("there is no deadline");
            }
            checks.every
        };
        assert_eq!(work(1000, Duration::from_micros(1)), 64);
        assert_eq!(work(500, Duration::from_millis(10)), 1);
        assert_eq!(work(1000, Duration::from_micros(1)), 64);
        assert!((8..=32).contains(&work(1000, Duration::from_micros(40))));
    }

    #[test]
    fn time_between_two_pieces_of_work_does_not_count() {
        let clock = Arc::new(ManualClock::default());
        let budget = Budget::unlimited(clock.clone());
        let mut checks = Checks::new(64);
        for _ in 0..100 {
            clock.advance(Duration::from_secs(1));
            checks.resume(&budget);
            checks.after(64, &budget).expect("there is no deadline");
        }
        assert_eq!(checks.every, 64);
        // A look in each piece is enough to notice that work is slow.
        for _ in 0..10 {
            checks.resume(&budget);
            clock.advance(Duration::from_millis(500));
            checks.after(64, &budget).expect("there is no deadline");
        }
        assert_eq!(checks.every, 1);
    }

    #[test]
    fn the_end_of_the_budget_is_noticed() {
        let clock = Arc::new(ManualClock::default());
        let budget = Budget::unlimited(clock.clone()).with_timeout(Duration::from_millis(100));
        let mut checks = Checks::new(64);
        let mut done = 0;
        while checks.after(1, &budget).is_ok() {
            clock.advance(Duration::from_millis(5));
            done += 1;
        }
        assert!(done <= 22, "{done}");
    }
}
