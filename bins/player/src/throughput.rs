//! How many random playouts an evaluator makes in a given time.

use budget::Budget;
use game::{EngineError, Pace, Start};
use prepare::Simulator;
use std::time::Duration;

/// A measurement may take this part of its time longer, so that the playouts begun are finished:
/// where some are broken off, short ones are over-represented.
const OVERTIME: u32 = 10;

/// Counts of playouts.
#[derive(Debug, Default)]
pub struct Played {
    /// The time that they took.
    pub time: Duration,
    /// The number of joint moves played.
    pub steps: u64,
    /// The number of playouts that reached a terminal state.
    pub finished: u64,
    /// The number of playouts that were cut, because they were too long or a role had no move.
    pub cut: u64,
}

/// Makes playouts from the initial state for `total` time, at most `most` of them. `progress` is
/// told after each batch how it stands. Ends early, with what there is, if `budget` does.
///
/// # Errors
/// If the rules could not be evaluated.
pub fn measure(
    simulator: &mut Simulator,
    total: Duration,
    most: u64,
    budget: &Budget,
    progress: &mut dyn FnMut(&Played),
) -> Result<Played, EngineError> {
    let playouts = &mut simulator.playouts;
    let clock = budget.clock().clone();
    let (began, seconds) = (clock.now(), total.as_secs_f64());
    let late = budget.clone().with_timeout(total + total / OVERTIME);
    let (mut pace, mut tallies, mut played) = (Pace::default(), Vec::new(), Played::default());
    while let Some(count) = pace.playouts(
        playouts.width(),
        seconds,
        seconds - played.time.as_secs_f64(),
    ) {
        let count = count.min(most - played.finished - played.cut);
        if count == 0 {
            break;
        }
        let start = Start {
            state: &simulator.initial,
            playouts: count,
        };
        let before = played.time;
        let done = playouts.run(&[start], &mut tallies, &late);
        played.time = clock.now().saturating_sub(began);
        for tally in &tallies {
            played.steps += tally.steps;
            played.finished += tally.finished;
            played.cut += tally.cut;
        }
        if late.check().is_err() {
            break;
        }
        done?;
        pace.note(count, (played.time - before).as_secs_f64());
        progress(&played);
    }
    Ok(played)
}
