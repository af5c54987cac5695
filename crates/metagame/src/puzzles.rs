//! Games of one role: the best line, found before play and bettered in it.

use crate::timetable::{Stage, StartClock};
use crate::{Setup, Switches};
use compile::Proved;
use puzzle::Portfolio;

/// The methods take this part of the memory, 1 / `MEMORY`; the search of the whole has the rest.
const MEMORY: usize = 2;

/// Solves a game of one role, as far as the stage's share of the clock allows. `None` in games
/// of more roles, which cost nothing here.
pub(crate) fn solve(
    setup: &Setup,
    proved: Option<&Proved>,
    profile: &Switches,
    clock: &mut StartClock,
) -> Option<Portfolio> {
    let engine = &*setup.playable.engine;
    if !profile.puzzles || engine.roles().len() != 1 {
        return None;
    }
    let budget = clock.begin(Stage::Puzzle);
    let bytes = setup.memory / MEMORY;
    let portfolio = Portfolio::new(engine, proved, setup.seed, bytes, &budget)?;
    portfolio.work(setup.threads, &budget);
    let found = portfolio.found();
    let (decided, why) = match &found.line {
        None => (
            "no line was found".to_owned(),
            "none of the methods reached an end".to_owned(),
        ),
        Some(line) => (
            format!(
                "a line of {} moves with the result {}",
                line.steps.len(),
                line.result
            ),
            match found.is_best() {
                true => format!("by {}; it is the best there is", line.method),
                false => format!("by {}; up to {} is not excluded", line.method, found.bound),
            },
        ),
    };
    clock.decide(Stage::Puzzle, decided, why);
    Some(portfolio)
}
