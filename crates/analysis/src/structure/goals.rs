//! Which results there are, and how those of the roles go together.

use super::observe::Observed;
use super::sums;
use crate::Evidence;
use budget::Budget;
use invariants::Groups;
use netlist::{GameLogic, Lit};
use std::collections::BTreeSet;
use std::time::Duration;

/// Time for the proof at most, among others.
const PROOF: Duration = Duration::from_millis(250);

/// How the results of the roles go together at the end of play, wherever each has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// There is one role.
    Alone,
    /// They always have this sum, so that what one gets the others lose. With two roles that is
    /// zero-sum.
    Constant(u32),
    /// All roles always get the same: they are partners.
    Same,
    /// Neither.
    Various,
    /// No end of play was seen.
    Unknown,
}

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
    /// What the results of all roles add up to in every end of play, if that is proved within the
    /// budget and no end without a result was seen: alone, for whoever needs nothing else of the
    /// structure. The seed is that of random play.
    pub fn proved_sum(
        logic: &GameLogic,
        groups: &Groups,
        seed: u64,
        budget: &Budget,
    ) -> Option<u32> {
        let (observed, _) = super::observe::observe(logic, seed, &budget.share(super::SHARE));
        let results = || observed.results.keys().flatten();
        if results().any(Option::is_none) {
            return None;
        }
        match together(logic, groups, &observed, budget) {
            (Sum::Constant(sum), Evidence::Proved) => Some(sum),
            _ => None,
        }
    }

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

/// The goals that may be true at all.
pub(super) fn possible(row: &[(u8, Lit)]) -> impl Iterator<Item = (u8, Lit)> + '_ {
    row.iter().copied().filter(|goal| goal.1 != Lit::FALSE)
}

fn together(
    logic: &GameLogic,
    groups: &Groups,
    observed: &Observed,
    budget: &Budget,
) -> (Sum, Evidence) {
    if logic.roles() < 2 {
        return (Sum::Alone, Evidence::Proved);
    }
    let whole = observed.results.iter().filter_map(|(results, &count)| {
        let results: Option<Vec<u8>> = results.iter().copied().collect();
        Some((results?, count))
    });
    let whole: Vec<(Vec<u8>, u64)> = whole.collect();
    let Some((first, _)) = whole.first() else {
        return (Sum::Unknown, Evidence::Unknown);
    };
    let sum = |results: &[u8]| results.iter().map(|&value| u32::from(value)).sum::<u32>();
    let same = |results: &[u8]| results.iter().all(|&value| value == results[0]);
    let all = |so: &dyn Fn(&[u8]) -> bool| whole.iter().all(|(results, _)| so(results));
    let constant = sum(first);
    let found = if all(&|results| sum(results) == constant) {
        Sum::Constant(constant)
    } else if all(&same) {
        Sum::Same
    } else {
        return (Sum::Various, Evidence::Proved);
    };
    let fits = |results: &[u8]| match found {
        Sum::Constant(constant) => sum(results) == constant,
        _ => same(results),
    };
    let samples = whole.iter().map(|(_, count)| count).sum();
    match sums::proved(logic, groups, &fits, budget) {
        Some(true) => (found, Evidence::Proved),
        _ => (found, Evidence::Observed { samples }),
    }
}
