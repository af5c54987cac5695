//! Engines that take time on a clock of the test.

use budget::ManualClock;
use game::{Engine, EngineError, MoveId, State};
use std::sync::Arc;
use std::time::Duration;

/// An engine whose transitions take time on a manual clock, so that tests of deadlines repeat.
pub struct Slow {
    engine: Box<dyn Engine>,
    clock: Arc<ManualClock>,
    cost: Duration,
}

impl Slow {
    /// `engine`, with transitions that take `cost` each on `clock`.
    pub fn new(engine: Box<dyn Engine>, clock: Arc<ManualClock>, cost: Duration) -> Slow {
        Slow {
            engine,
            clock,
            cost,
        }
    }
}

impl Engine for Slow {
    crate::forward!(engine: roles initial terminal legal goal terms);

    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        self.clock.advance(self.cost);
        self.engine.next(state, joint, next)
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Slow {
            engine: self.engine.fork(),
            clock: self.clock.clone(),
            cost: self.cost,
        })
    }
}
