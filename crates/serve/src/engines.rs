//! Hands the engines of a match from the threads that build them to the thinker.

use budget::Clock;
use compile::Playable;
use parking_lot::{Condvar, Mutex};
use std::time::Duration;

/// An engine, or why there is none.
pub(crate) type Built = Result<Playable, String>;

#[derive(Default)]
struct Slots {
    quick: Option<Built>,
    /// The newest of the better engines, unless it was taken.
    better: Option<Playable>,
    /// Whether no better engine will come.
    finished: bool,
}

/// The engines of a match: a quick one, and then better ones.
#[derive(Default)]
pub(crate) struct Engines {
    slots: Mutex<Slots>,
    changed: Condvar,
}

/// The engine that the thinker begins with.
pub(crate) struct Taken {
    /// The best engine so far, or why there is none.
    pub(crate) built: Built,
    /// Whether a better one may come.
    pub(crate) building: bool,
}

impl Engines {
    pub(crate) fn put_quick(&self, built: Built) {
        self.slots.lock().quick = Some(built);
        self.changed.notify_all();
    }

    pub(crate) fn put_better(&self, engine: Playable) {
        self.slots.lock().better = Some(engine);
        self.changed.notify_all();
    }

    /// Announces that no better engine will come.
    pub(crate) fn finish(&self) {
        self.slots.lock().finished = true;
        self.changed.notify_all();
    }

    /// Wakes all waiting threads, so that they check whether to stop.
    pub(crate) fn wake(&self) {
        // Taking the lock ensures that no thread is between its check and its wait.
        drop(self.slots.lock());
        self.changed.notify_all();
    }

    /// An engine better than those taken before, if one has come.
    pub(crate) fn take_better(&self) -> Option<Playable> {
        self.slots.lock().better.take()
    }

    /// Waits for the last engine until `until`, and then for any. `None` once `stopped` returns
    /// true.
    pub(crate) fn wait(
        &self,
        clock: &dyn Clock,
        until: Duration,
        stopped: impl Fn() -> bool,
    ) -> Option<Taken> {
        let mut slots = self.slots.lock();
        loop {
            if stopped() {
                return None;
            }
            let now = clock.now();
            if slots.finished || now >= until {
                let building = !slots.finished;
                if let Some(engine) = slots.better.take() {
                    return Some(Taken {
                        built: Ok(engine),
                        building,
                    });
                }
                match &slots.quick {
                    // Its error does not matter while another may succeed.
                    Some(Err(_)) if building => {}
                    Some(_) => {
                        return Some(Taken {
                            built: slots.quick.take()?,
                            building,
                        });
                    }
                    None => {}
                }
            }
            if now < until {
                self.changed.wait_for(&mut slots, until - now);
            } else {
                self.changed.wait(&mut slots);
            }
        }
    }
}
