//! What the results of the roles add up to.

use crate::Setup;
use analysis::structure::Goals;
use budget::Budget;
use invariants::Groups;
use prepare::logic_of;
use std::time::Duration;

/// The part of the start clock that may be spent on it, half of that on facts that exclude each other.
const SHARE: u32 = 8;
/// The most time that is spent on it.
const LONGEST: Duration = Duration::from_secs(5);

/// What the results of two roles add up to in every end of play, if that can be proved.
///
/// A search that knows it proves much more: a role that is sure of its part bounds the other, whatever
/// moves are still open.
pub(crate) fn proved_sum(setup: &Setup, budget: &Budget) -> Option<u16> {
    if setup.engine.roles().len() != 2 {
        return None;
    }
    let logic = logic_of(&*setup.engine)?;
    let budget = budget.share(SHARE).with_timeout(LONGEST);
    let groups = Groups::find(&logic, setup.seed, &budget.share(2));
    let sum = Goals::proved_sum(&logic, &groups, setup.seed, &budget)?;
    u16::try_from(sum).ok()
}
