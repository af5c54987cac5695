//! Measuring how fast an engine is.

use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// Steps between two readings of the clock.
const STRIDE: usize = 8;
/// The clock is read at every one of the first steps: one of a slow engine may take as long as
/// the whole trial.
const FEW: usize = 64;
/// The first 1 / `WARM_UP` of the time is not counted, while engines fill their tables.
const WARM_UP: u32 = 2;

/// Steps of random play per second; 0 if the engine fails. The first half of `time` is not
/// counted.
pub(crate) fn rate(engine: &mut dyn Engine, time: Duration, budget: &Budget) -> f64 {
    let clock = budget.clock().clone();
    let begin = clock.now();
    let mut walk = Walk::new(engine);
    let (mut all, mut steps, mut counted_from) = (0usize, 0usize, None);
    loop {
        let stride = if all < FEW { 1 } else { STRIDE };
        for _ in 0..stride {
            if walk.step(engine).is_err() {
                return 0.0;
            }
        }
        all += stride;
        let spent = clock.now().saturating_sub(begin);
        match counted_from {
            None if spent >= time / WARM_UP => counted_from = Some(spent),
            None => {}
            Some(from) => {
                steps += stride;
                if spent >= time {
                    return steps as f64 / spent.saturating_sub(from).as_secs_f64().max(1e-9);
                }
            }
        }
    }
}

/// States per second of engines with these names.
pub(crate) fn in_words(rates: impl IntoIterator<Item = (&'static str, f64)>) -> String {
    let each = rates.into_iter().map(|(name, rate)| match rate {
        1e6.. => format!("{name} {:.1} million states/s", rate / 1e6),
        1e3.. => format!("{name} {:.1} thousand states/s", rate / 1e3),
        _ => format!("{name} {rate:.0} states/s"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Random play that restarts when it is over.
struct Walk {
    rng: Xoshiro256PlusPlus,
    here: State,
    next: State,
    moves: Vec<MoveId>,
    joint: Vec<MoveId>,
}

impl Walk {
    fn new(engine: &dyn Engine) -> Walk {
        Walk {
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            here: engine.initial(),
            next: State::default(),
            moves: Vec::new(),
            joint: Vec::new(),
        }
    }

    /// Makes a random joint move, or returns to the initial state.
    fn step(&mut self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        let roles = engine.roles().len();
        self.joint.clear();
        if !engine.terminal(&self.here)? {
            for role in (0..roles).map(RoleId) {
                let random = self.rng.next_u64();
                match engine.pick(&self.here, role, random, &mut self.moves)? {
                    Some(mv) => self.joint.push(mv),
                    None => break,
                }
            }
        }
        if self.joint.len() < roles {
            self.here = engine.initial();
            return Ok(());
        }
        engine.next(&self.here, &self.joint, &mut self.next)?;
        std::mem::swap(&mut self.here, &mut self.next);
        Ok(())
    }
}
