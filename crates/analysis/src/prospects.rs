//! Which results each role may still come to, from all that is proved.
//!
//! A result is out of reach if latches exclude it ([`Ranges`]) or the count that it asks for cannot be
//! come to any more ([`Reach`]). What is left bounds what a role gets, whatever is played.

use crate::goals::{Goals, Reach};
use crate::latches::{Latches, Ranges};
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Lit};

/// Bounds of the results in a state, for each role.
#[derive(Debug, Clone)]
pub struct Prospects {
    ranges: Ranges,
    reach: Reach,
    /// For each role its results, ascending, and whether there is one of them at every end of play.
    roles: Vec<(Vec<u8>, bool)>,
}

impl Prospects {
    /// Finds out what can be told within the budget; `None` if nothing is ever excluded. The seed is that of random
    /// play.
    pub fn find(
        logic: &GameLogic,
        groups: &Groups,
        seed: u64,
        budget: &Budget,
    ) -> Option<Prospects> {
        let goals = Goals::of_results(logic, groups, &budget.share(3));
        let reach = Reach::find(logic, groups, &goals, &budget.share(2));
        let ranges = Latches::find(logic, groups, seed, budget).ranges;
        if reach.is_empty() && ranges.is_open() {
            return None;
        }
        let mut prover = Prover::new(logic, groups);
        let roles = logic.goals.iter().map(|goals| {
            let mut values: Vec<u8> = goals.iter().map(|goal| goal.0).collect();
            values.sort_unstable();
            values.dedup();
            (values, always(&mut prover, logic.terminal, goals))
        });
        Some(Prospects {
            ranges,
            reach,
            roles: roles.collect(),
        })
    }

    /// The least and the greatest result that a role may still get from this state on, if it gets one; `None` if
    /// it gets none. Fact `f` is bit `f % 64` of word `f / 64`.
    pub fn of(&self, state: &[u64], role: usize) -> Option<(u8, u8)> {
        let (values, _) = self.roles.get(role)?;
        let open = |&&value: &&u8| {
            !self.ranges.is_excluded(state, role, value)
                && !self.reach.is_excluded(state, role, value)
        };
        let least = values.iter().find(open)?;
        let most = values.iter().rev().find(open)?;
        Some((*least, *most))
    }

    /// Whether it is proved that the role has a result at every end of play.
    pub fn always(&self, role: usize) -> bool {
        self.roles.get(role).is_some_and(|role| role.1)
    }
}

/// Whether one of the goals is true at every end of play.
fn always(prover: &mut Prover<'_>, terminal: Lit, goals: &[(u8, Lit)]) -> bool {
    let Some((&(_, last), rest)) = goals.split_last() else {
        return false;
    };
    let mut given = vec![terminal];
    given.extend(rest.iter().map(|&(_, goal)| !goal));
    prover
        .under(&given, false, |prover| prover.never(!last))
        .unwrap_or(true)
}
