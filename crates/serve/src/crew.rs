//! Counts the workers of all matches.
//!
//! The work of a match that was called off takes a moment to end. Many matches in a row must not
//! pile up workers and their memory, so that a new match waits until few are left.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::Duration;

/// The workers that have not ended. Clones count together.
#[derive(Clone, Default)]
pub(crate) struct Crew(Arc<Count>);

#[derive(Default)]
struct Count {
    members: Mutex<usize>,
    changed: Condvar,
}

/// A worker; it has ended when this is dropped.
pub(crate) struct Member(Crew);

impl Crew {
    pub(crate) fn join(&self) -> Member {
        *self.0.members.lock() += 1;
        Member(self.clone())
    }

    /// Waits until there are at most `most` workers, but no longer than `patience`. Returns
    /// whether that was so.
    pub(crate) fn wait_for(&self, most: usize, patience: Duration) -> bool {
        let mut members = self.0.members.lock();
        let crowded = |members: &mut usize| *members > most;
        let waited = self
            .0
            .changed
            .wait_while_for(&mut members, crowded, patience);
        !waited.timed_out() || *members <= most
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        *self.0.0.members.lock() -= 1;
        self.0.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crew_is_waited_for_but_not_for_ever() {
        let crew = Crew::default();
        let (first, second) = (crew.join(), crew.join());
        assert!(crew.wait_for(2, Duration::ZERO));
        assert!(!crew.wait_for(1, Duration::from_millis(1)));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| crew.wait_for(0, Duration::from_secs(60)));
            drop(first);
            drop(second);
            assert!(waiting.join().expect("no panic"));
        });
    }
}
