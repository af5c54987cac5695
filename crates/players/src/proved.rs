//! What is proved of the results before the first move.

use crate::Setup;
use crate::grapher::Profile;
use analysis::structure::Goals;
use budget::Budget;
use game::RoleId;
use invariants::Groups;
use mcts::{Bounds, Prospects};
use netlist::GameLogic;
use prepare::logic_of;
use std::sync::Arc;
use std::time::Duration;

/// The part of the start clock that may be spent on facts that exclude each other, and on each of the
/// others.
const SHARE: u32 = 16;
/// The most time that is spent on each.
const LONGEST: Duration = Duration::from_millis(2500);

/// What is proved of the results; nothing of many games.
#[derive(Default)]
pub(crate) struct Proved {
    /// What the results of two roles add up to in every end of play.
    ///
    /// A search that knows it proves much more: a role that is sure of its part bounds the other, whatever
    /// moves are still open.
    pub sum: Option<u16>,
    /// Which results the facts of a state have put out of reach.
    pub prospects: Option<Arc<dyn Prospects>>,
}

impl Proved {
    /// Proves what it can within its parts of the budget, of what the profile asks for.
    pub fn find(setup: &Setup, profile: &Profile, budget: &Budget) -> Proved {
        let of_sum = profile.sum && setup.engine.roles().len() == 2;
        let of_ranges = profile.ranges && profile.config.solve;
        let logic = logic_of(&*setup.engine).filter(|_| of_sum || of_ranges);
        let Some(logic) = logic else {
            return Proved::default();
        };
        let share = || budget.share(SHARE).with_timeout(LONGEST);
        let groups = Groups::find(&logic, setup.seed, &share());
        let sum = match of_sum {
            true => Goals::proved_sum(&logic, &groups, setup.seed, &share()),
            false => None,
        };
        let prospects = match of_ranges {
            true => Ranges::find(&logic, &groups, setup, profile, &share()),
            false => None,
        };
        Proved {
            sum: sum.and_then(|sum| u16::try_from(sum).ok()),
            prospects,
        }
    }
}

/// Results that are not out of reach, for the search.
struct Ranges {
    of: analysis::prospects::Prospects,
    /// The result of a role for which the end of play defines none, where that may be.
    missing: u8,
}

impl Ranges {
    fn find(
        logic: &GameLogic,
        groups: &Groups,
        setup: &Setup,
        profile: &Profile,
        budget: &Budget,
    ) -> Option<Arc<dyn Prospects>> {
        let of = analysis::prospects::Prospects::find(logic, groups, setup.seed, budget)?;
        let missing = profile.config.missing_goal;
        Some(Arc::new(Ranges { of, missing }))
    }
}

impl Prospects for Ranges {
    fn bounds(&self, bits: &[u64], role: RoleId) -> Bounds {
        let missing = Bounds::exactly(self.missing);
        let Some((low, high)) = self.of.of(bits, role.0) else {
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
