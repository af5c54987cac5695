//! Which results there are, and how those of the roles go together.

use analysis::Evidence;
use analysis::observe::Observed;
use analysis::sums::{Sum, possible, together};
use budget::Budget;
use invariants::Groups;
use netlist::{GameLogic, Lit};
use std::collections::BTreeSet;
use std::time::Duration;

/// Time for the proof at most, among others.
const PROOF: Duration = Duration::from_millis(250);

/// The results of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleGoals {
    /// The values that the rules have, ascending, without those that are never reached for a reason
    /// that the network shows.
    pub values: Vec<u8>,
    /// Those of them that were seen at the end of play.
    pub seen: Vec<u8>,
}

/// Which results there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goals {
    /// For each role.
    pub roles: Vec<RoleGoals>,
    /// How they go together.
    pub sum: Sum,
    /// How sure that is. [`Sum::Various`] is seen, and so proved.
    pub evidence: Evidence,
}

impl Goals {
    /// Finds out.
    pub(super) fn find(
        logic: &GameLogic,
        groups: &Groups,
        observed: &Observed,
        budget: &Budget,
    ) -> Goals {
        let role = |(role, row): (usize, &Vec<(u8, Lit)>)| {
            let values: BTreeSet<u8> = possible(row).map(|goal| goal.0).collect();
            let seen: BTreeSet<u8> = observed
                .results
                .keys()
                .filter_map(|results| results[role])
                .collect();
            RoleGoals {
                values: values.into_iter().collect(),
                seen: seen.into_iter().collect(),
            }
        };
        let roles = logic.goals.iter().enumerate().map(role).collect();
        let short = budget.clone().with_timeout(PROOF);
        let (sum, evidence) = together(logic, groups, observed, &short);
        Goals {
            roles,
            sum,
            evidence,
        }
    }
}
