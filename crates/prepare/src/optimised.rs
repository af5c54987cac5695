//! The logic of a game, made as small as proofs and passes make it.

use budget::Budget;
use invariants::{Exclusion, Groups};
use netlist::passes::Shrunk;
use netlist::{GameLogic, Phased};
use std::time::Duration;

/// How long proofs may take, of what excludes each other.
const PROOFS: Duration = Duration::from_millis(500);
/// How long the logic may be optimised.
const OPTIMISE: Duration = Duration::from_secs(2);

/// The logic of a game, made as small as proofs and passes make it, and what they found.
#[derive(Debug)]
pub struct Optimised {
    /// The logic of each phase of the game.
    pub phased: Phased,
    /// What is known of the facts.
    pub groups: Groups,
    /// Which moves are never legal together.
    pub exclusion: Exclusion,
    /// For each phase, what passes did.
    pub shrunk: Vec<Vec<Shrunk>>,
}

/// Proves what can be proved of a game, and makes its logic smaller by it: for so long, or for a
/// quarter of the time that is left. The logic should be as it was lowered, for proofs are easier
/// there than after gates have been factored and shared. The seed is that of the random play that
/// suggests what to prove.
pub fn optimised(logic: &GameLogic, seed: u64, budget: &Budget) -> Optimised {
    let at_most = |time: Duration| {
        let left = budget.remaining();
        (budget.clone()).with_timeout(left.map_or(time, |left| time.min(left / 4)))
    };
    let groups = Groups::find(logic, seed, &at_most(PROOFS));
    let exclusion = invariants::exclusion(logic, &groups, &at_most(PROOFS));
    let mut phased = Phased::new(logic);
    let shrunk = phased.optimise(&groups.known(), &at_most(OPTIMISE));
    Optimised {
        phased,
        groups,
        exclusion,
        shrunk,
    }
}
