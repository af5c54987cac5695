//! Where engines of a match are handed from those who build them to the thinker.

use budget::Clock;
use game::Engine;
use parking_lot::{Condvar, Mutex};
use std::time::Duration;

/// An engine, or why there is none.
pub(crate) type Built = Result<Box<dyn Engine>, String>;

#[derive(Default)]
struct Slots {
    quick: Option<Built>,
    best: Option<Built>,
}

/// Both engines of a match, each put once and taken once.
#[derive(Default)]
pub(crate) struct Engines {
    slots: Mutex<Slots>,
    changed: Condvar,
}

impl Engines {
    pub(crate) fn put_quick(&self, built: Built) {
        self.slots.lock().quick = Some(built);
        self.changed.notify_all();
    }

    pub(crate) fn put_best(&self, built: Built) {
        self.slots.lock().best = Some(built);
        self.changed.notify_all();
    }

    /// Wakes whoever waits, to look whether it still should.
    pub(crate) fn wake(&self) {
        // Taking the lock makes sure that nobody is between looking and waiting.
        drop(self.slots.lock());
        self.changed.notify_all();
    }

    /// The best engine if it has come in the meantime.
    pub(crate) fn take_best(&self) -> Option<Box<dyn Engine>> {
        self.slots.lock().best.take_if(|built| built.is_ok())?.ok()
    }

    /// Waits for the best engine until `until`, then also for the quick one; the error tells why
    /// there is neither. With it comes whether the best engine may still be had later. `None` once
    /// `stopped` says so.
    pub(crate) fn wait(
        &self,
        clock: &dyn Clock,
        until: Duration,
        stopped: impl Fn() -> bool,
    ) -> Option<(Built, bool)> {
        let mut slots = self.slots.lock();
        loop {
            if stopped() {
                return None;
            }
            if let Some(best) = slots.best.take_if(|built| built.is_ok()) {
                return Some((best, false));
            }
            let now = clock.now();
            let best_failed = slots.best.is_some();
            match &slots.quick {
                Some(Ok(_)) if best_failed || now >= until => {
                    return Some((slots.quick.take()?, !best_failed));
                }
                Some(Err(error)) if best_failed => return Some((Err(error.clone()), false)),
                _ => {}
            }
            if now < until {
                self.changed.wait_for(&mut slots, until - now);
            } else {
                self.changed.wait(&mut slots);
            }
        }
    }
}
