//! Questions for the race: positions of random play whose proofs take neither too short nor too
//! long.

use crate::local::{random_line, random_step};
use budget::Budget;
use game::{Engine, State};
use provers::{Answer, ProofSearch};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// The result that is asked for.
const BEST: u8 = 100;
/// The time that questions take the scout, who looks for them. Shorter ones say nothing about long
/// ones.
pub(super) const SHORT: Duration = Duration::from_millis(2);
const LONG: Duration = Duration::from_millis(10);
/// Moves that the scout tries from one state on.
const TRIES: u32 = 8;

/// A state whose proof takes the scout neither too short nor too long: it goes back on the line of
/// a random game to where proofs become long, and from there along other moves.
pub(super) fn question(
    scout: &mut dyn ProofSearch,
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    budget: &Budget,
) -> Option<State> {
    let line = random_line(engine, rng, budget)?;
    let (mut state, mut time) = line.into_iter().rev().find_map(|state| {
        let (_, time) = ask(scout, &state, LONG, budget);
        (time >= SHORT).then_some((state, time))
    })?;
    let mut tries = 0;
    while time >= LONG {
        if tries == TRIES || budget.check().is_err() {
            return None;
        }
        tries += 1;
        let next = random_step(engine, &state, rng)?;
        if engine.terminal(&next).ok()? {
            continue;
        }
        let (_, of_next) = ask(scout, &next, LONG, budget);
        if of_next >= SHORT {
            (state, time, tries) = (next, of_next, 0);
        }
    }
    Some(state)
}

/// Asks for so long. Returns whether there is an answer, and the time it took.
pub(super) fn ask(
    search: &mut dyn ProofSearch,
    state: &State,
    most: Duration,
    budget: &Budget,
) -> (bool, Duration) {
    let since = budget.clock().now();
    let answer = search.ask(state, BEST, u64::MAX, &budget.clone().with_timeout(most));
    let answered = matches!(answer, Ok(Answer::Yes { .. } | Answer::No { .. }));
    (answered, budget.clock().now().saturating_sub(since))
}
