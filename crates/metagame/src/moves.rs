//! Evaluating all moves of a state side by side.

use crate::timetable::{Stage, StartClock};
use compile::Compiled;
use game::{Engine, Fans};
use prepare::fans_beside;

/// An evaluator of all moves of a state side by side, if that is faster.
pub(crate) fn moves(
    engine: &dyn Engine,
    compiled: &Compiled,
    seed: u64,
    foresee: bool,
    clock: &mut StartClock,
) -> Option<Box<dyn Fans>> {
    let budget = clock.begin(Stage::Moves);
    let Some(made) = fans_beside(engine, compiled, seed, foresee, &budget) else {
        clock.decide(Stage::Moves, "looked at one by one", "it is faster");
        return None;
    };
    let [together, one] = [made.together, made.one].map(|seconds| seconds * 1e6);
    let mut decided = format!("looked at together, from {} on", made.fans.least());
    let mut why = format!("all of a state take {together:.1} µs, one by itself {one:.2} µs");
    let mut numbers = vec![("together_us", together), ("one_us", one)];
    if let Some(ahead) = made.ahead.map(|seconds| seconds * 1e6) {
        decided = "looked at together, and wins are foreseen".into();
        why += &format!(", all with what is foreseen {ahead:.1} µs");
        numbers.push(("ahead_us", ahead));
    }
    clock.measured(Stage::Moves, decided, why, numbers);
    Some(made.fans)
}
