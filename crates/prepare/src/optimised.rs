//! The logic of a game, made as small as proofs and passes make it.

use analysis::goals::{Emulated, Goals};
use budget::Budget;
use compile::{Compiled, Proved};
use lanes::Choice;
use netlist::passes::Shrunk;
use netlist::{GameLogic, Phased};
use std::sync::Arc;
use std::time::Duration;

/// How long proofs may take.
const PROOFS: Duration = Duration::from_millis(600);
/// How long the search for what goals count may take.
const GOALS: Duration = Duration::from_millis(700);
/// Gates saved matter if they are this part of what a step takes, or more.
const WORTHWHILE: usize = 2;
/// How long the passes may take.
const PASSES: Duration = Duration::from_millis(700);

/// A share of the budget: so much time, or a quarter of what is left.
fn at_most(time: Duration, budget: &Budget) -> Budget {
    budget.share(4).with_timeout(time)
}

/// Proves what can be proved of a game for which nobody has a timetable, in 0.6 seconds or half of
/// the time that is left.
pub fn proved(compiled: Arc<Compiled>, seed: u64, budget: &Budget) -> Proved {
    Proved::find(compiled, seed, &budget.share(2).with_timeout(PROOFS))
}

/// How lanes choose moves by what was proved.
pub fn choices(proved: &Proved) -> Vec<Choice> {
    let choice = |choice: &invariants::ExclusiveMoves| Choice {
        leaves: choice.leaves.clone(),
        forced: choice.forced.clone(),
    };
    proved.exclusion.choices.iter().map(choice).collect()
}

/// The game with goals that count written as adders and comparisons, for 0.7 seconds or a part of
/// the time that is left, and what became of them; `None` if that is not proved, not smaller, or not
/// worth the time. The goals may be those of the game in final states alone.
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

/// The logic of every phase of a game, made smaller by what was proved, for 0.7 seconds or a part of
/// the time that is left; and for each phase, what the passes did.
///
/// With another logic than that of the game, such as one with emulated goals, that is made smaller.
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
