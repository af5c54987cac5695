//! What a piece of work is doing, for a progress display.

use std::sync::{Arc, Mutex, PoisonError};

/// What a piece of work is doing. Clones share it: the work writes, who waits for it reads.
#[derive(Debug, Clone, Default)]
pub struct Watch(Arc<Mutex<&'static str>>);

impl Watch {
    /// A step of the work begins now.
    pub fn begins(&self, what: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    /// The step that began last; empty before the first one.
    pub fn step(&self) -> &'static str {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use std::time::Duration;

    #[test]
    fn shares_of_a_budget_tell_the_same_watch() {
        let watch = Watch::default();
        let budget = Budget::system().with_watch(watch.clone());
        assert_eq!(watch.step(), "");
        budget.begins("ground");
        assert_eq!(watch.step(), "ground");
        let share = budget.with_timeout(Duration::from_secs(1)).share(2);
        share.begins("network");
        assert_eq!(watch.step(), "network");
        // Nobody watches.
        Budget::system().begins("search");
    }
}
