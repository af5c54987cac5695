//! Proofs about results before the first move.

use crate::setup::Switches;
use crate::timetable::{Stage, StartClock};
use analysis::sums::proved_sum;
use budget::Budget;
use compile::Proved;
use game::RoleId;
use mcts::{Bounds, Prospects};
use netlist::GameLogic;
use provers::Results;
use std::sync::Arc;

/// The constant sum of the results of two roles in every terminal state, if that is proved.
///
/// A search that knows it proves much more: a proved bound for one role also bounds the other,
/// whatever moves are still unsolved.
pub(crate) fn sum(proved: &Proved, seed: u64, clock: &mut StartClock) -> Option<u16> {
    let budget = clock.begin(Stage::Sum);
    let sum = proved_sum(&proved.compiled.logic, &proved.groups, seed, &budget);
    let sum = sum.and_then(|sum| u16::try_from(sum).ok());
    match sum {
        Some(sum) => clock.decide(
            Stage::Sum,
            format!("results add up to {sum}"),
            "it is proved",
        ),
        None => clock.decide(Stage::Sum, "nothing is known of it", "no proof was found"),
    }
    sum
}

/// The results that a role can have: those of its rules, and `missing` where these define none.
pub(crate) fn results(logic: &GameLogic, role: RoleId, missing: u8) -> Results {
    logic.results(role.0).chain([missing]).collect()
}

/// The results that the facts of a state put out of reach, if anything is proved of that.
pub(crate) fn ranges(
    proved: &Proved,
    profile: &Switches,
    seed: u64,
    clock: &mut StartClock,
) -> Option<Arc<dyn Prospects>> {
    let budget = clock.begin(Stage::Ranges);
    let ranges = Ranges::find(proved, profile.config.missing_goal, seed, &budget)?;
    clock.decide(
        Stage::Ranges,
        "results that are out of reach bound what is searched",
        "latches, or counts that cannot go back, are proved",
    );
    Some(Arc::new(ranges))
}

/// The results that are still possible, for the search.
struct Ranges {
    of: analysis::prospects::Prospects,
    /// The result of a role for which a terminal state defines none, where that may be.
    missing: u8,
}

impl Ranges {
    fn find(proved: &Proved, missing: u8, seed: u64, budget: &Budget) -> Option<Ranges> {
        let logic = &proved.compiled.logic;
        let of = analysis::prospects::Prospects::find(logic, &proved.groups, seed, budget)?;
        Some(Ranges { of, missing })
    }
}

impl Prospects for Ranges {
    fn bounds(&self, bits: &[u64], role: RoleId, within: Bounds) -> Bounds {
        let missing = Bounds::exactly(self.missing);
        let Some((low, high)) = self.of.of_next(bits, role.0, (within.low, within.high)) else {
            return missing;
        };
        let found = Bounds { low, high };
        match self.of.always(role.0) {
            true => found,
            false => Bounds {
                low: low.min(self.missing),
                high: high.max(self.missing),
            },
        }
    }
}
