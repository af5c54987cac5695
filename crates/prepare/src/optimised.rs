//! The logic of a game, made as small as proofs and passes allow.

use analysis::goals::{Emulated, Goals};
use budget::Budget;
use compile::{Compiled, Proved};
use lanes::Choice;
use netlist::passes::Shrunk;
use netlist::{GameLogic, Phased};
use std::sync::Arc;
use std::time::Duration;

/// The most time for proofs, and more for each gate: one sweep over a large network takes as long.
const PROOFS: Duration = Duration::from_millis(600);
const PROOFS_OF_A_GATE: Duration = Duration::from_nanos(500);
/// The most time for finding what goals count.
const GOALS: Duration = Duration::from_millis(700);
/// Emulated goals are used if they save at least 1 / `WORTHWHILE` of the gates of a step.
const WORTHWHILE: usize = 2;
/// The most time for the passes.
const PASSES: Duration = Duration::from_millis(700);

/// A share of the budget: `time`, or a quarter of what is left if that is less.
fn at_most(time: Duration, budget: &Budget) -> Budget {
    budget.share(4).with_timeout(time)
}

/// Proves what can be proved of a game without a timetable, in 0.6 seconds and half of one more
/// for a million gates, or in half of the time that is left.
pub fn proved(compiled: Arc<Compiled>, seed: u64, budget: &Budget) -> Proved {
    let gates = u32::try_from(compiled.logic.net.len()).unwrap_or(u32::MAX);
    let most = PROOFS + PROOFS_OF_A_GATE * gates;
    Proved::find(compiled, seed, &budget.share(2).with_timeout(most))
}

/// The choices of lanes, from what was proved.
pub fn choices(proved: &Proved) -> Vec<Choice> {
    let choice = |choice: &invariants::ExclusiveMoves| Choice {
        leaves: choice.leaves.clone(),
        forced: choice.forced.clone(),
        scan_from: lanes::SCAN_FROM,
    };
    proved.exclusion.choices.iter().map(choice).collect()
}

/// Builds goals that count as adders and comparisons, in 0.7 seconds or a part of the time that
/// is left.
///
/// `None` if that is not proved, not smaller, or does not save enough. The goals may equal
/// those of the game in terminal states alone.
pub fn emulated(proved: &Proved, budget: &Budget) -> Option<Emulated> {
    let logic = &proved.compiled.logic;
    let sizes = logic.sizes();
    if (sizes.all - sizes.step) * WORTHWHILE < sizes.step {
        return None;
    }
    let goals = Goals::of_results(logic, &proved.groups, &at_most(GOALS, budget));
    let emulated = goals.emulated(logic)?;
    ((emulated.before - emulated.after) * WORTHWHILE >= sizes.step).then_some(emulated)
}

/// The logic of every phase, made smaller by what was proved, in 0.7 seconds or a part of the
/// time that is left. Also returns for each phase what the passes did.
///
/// `other` replaces the logic of the game, as by one with emulated goals.
pub fn shrunk(
    proved: &Proved,
    other: Option<&GameLogic>,
    budget: &Budget,
) -> (Phased, Vec<Vec<Shrunk>>) {
    let mut phased = match other {
        Some(logic) => proved.compiled.phased.of(logic),
        None => proved.compiled.phased.clone(),
    };
    let shrunk = phased.optimise(&proved.groups.known(), &at_most(PASSES, budget));
    (phased, shrunk)
}
