//! The possible results, and the relation between the results of the roles.

use analysis::Evidence;
use analysis::observe::Observed;
use analysis::sums::{Sum, possible, together};
use budget::Budget;
use invariants::Groups;
use netlist::{GameLogic, Lit};
use std::collections::BTreeSet;
use std::time::Duration;

/// Maximum time for the proof, among other parts.
const PROOF: Duration = Duration::from_millis(250);

/// The results of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleGoals {
    /// The values in the rules, ascending, without those whose goals are constantly false in the
    /// network.
    pub values: Vec<u8>,
    /// The values that occurred at the end of play.
    pub seen: Vec<u8>,
}

/// The results of all roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goals {
    /// For each role.
    pub roles: Vec<RoleGoals>,
    /// The relation between their results.
    pub sum: Sum,
    /// The evidence for it. [`Sum::Various`] is observed, and so proved.
    pub evidence: Evidence,
}

impl Goals {
    /// Computes the results.
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
