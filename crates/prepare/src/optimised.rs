//! The logic of a game, made as small as proofs and passes make it.

use analysis::goals::{Emulated, Goals};
use budget::Budget;
use invariants::{Exclusion, Groups};
use lanes::Choice;
use netlist::passes::Shrunk;
use netlist::{GameLogic, Phased};
use std::fmt;
use std::time::Duration;

/// How long each kind of proof may take.
const PROOFS: Duration = Duration::from_millis(300);
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

/// What was proved of a game.
#[derive(Debug)]
pub struct Proofs {
    /// What is known of the facts.
    pub groups: Groups,
    /// Which moves are never legal together.
    pub exclusion: Exclusion,
}

impl Proofs {
    /// Proves what can be proved, for 0.3 seconds each or a part of the time that is left. The
    /// logic should be as it was lowered: proofs are easier there than after gates have been
    /// factored and shared. The seed is that of the random play that suggests what to prove.
    pub fn find(logic: &GameLogic, seed: u64, budget: &Budget) -> Proofs {
        let groups = Groups::find(logic, seed, &at_most(PROOFS, budget));
        let exclusion = invariants::exclusion(logic, &groups, &at_most(PROOFS, budget));
        Proofs { groups, exclusion }
    }

    /// How moves are chosen by what was proved.
    pub fn choices(&self) -> Vec<Choice> {
        let choice = |choice: &invariants::Choice| Choice {
            leaves: choice.leaves.clone(),
            forced: choice.forced.clone(),
        };
        self.exclusion.choices.iter().map(choice).collect()
    }
}

impl fmt::Display for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} groups of facts that exclude each other, {} constant facts, {} like others; \
             {} leaves in {} choices, {} moves forced",
            self.groups.groups.len(),
            self.groups.constants.len(),
            self.groups.equal.len(),
            self.exclusion.leaves(),
            self.exclusion.choices.len(),
            self.exclusion.forced()
        )?;
        match self.groups.report.exhausted.or(self.exclusion.exhausted) {
            Some(why) => write!(f, " (given up: {why})"),
            None => Ok(()),
        }
    }
}

/// The game with goals that count written as adders and comparisons, for 0.7 seconds or a part of
/// the time that is left, and what became of them; `None` if that is not proved, not smaller, or not
/// worth the time. The goals may be those of the game in final states alone.
pub fn emulated(logic: &GameLogic, proofs: &Proofs, budget: &Budget) -> Option<Emulated> {
    let sizes = logic.sizes();
    if (sizes.all - sizes.step) * WORTHWHILE < sizes.step {
        return None;
    }
    let goals = Goals::of_results(logic, &proofs.groups, &at_most(GOALS, budget));
    let emulated = goals.emulated(logic)?;
    ((emulated.before - emulated.after) * WORTHWHILE >= sizes.step).then_some(emulated)
}

/// The logic of every phase of a game, made smaller by what was proved, for 0.7 seconds or a part of
/// the time that is left; and for each phase, what the passes did.
pub fn shrunk(logic: &GameLogic, proofs: &Proofs, budget: &Budget) -> (Phased, Vec<Vec<Shrunk>>) {
    let mut phased = Phased::new(logic);
    let shrunk = phased.optimise(&proofs.groups.known(), &at_most(PASSES, budget));
    (phased, shrunk)
}
