//! A game with the parts that it falls apart into.

use analysis::factors::{Factor, Factors};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;
use std::sync::Arc;

/// The part of the time for what is known of facts that exclude each other.
const GROUPS: u32 = 4;

/// A game that falls apart.
pub struct Parts {
    /// The logic of the whole.
    pub logic: Arc<GameLogic>,
    /// Its factors, at least one of which matters.
    pub factors: Factors,
}

impl Parts {
    /// The parts of a game; `None` if it does not fall apart, or that cannot be told within the
    /// budget. The seed is that of random play.
    pub fn find(logic: Arc<GameLogic>, seed: u64, budget: &Budget) -> Option<Parts> {
        let share = budget.remaining().map(|left| left / GROUPS);
        let share = share.map_or(budget.clone(), |share| budget.clone().with_timeout(share));
        let groups = Groups::find(&logic, seed, &share);
        let factors = Factors::find(&logic, &groups, seed, budget);
        let matter = factors.factors.iter().any(|factor| factor.relevant);
        matter.then_some(Parts { logic, factors })
    }

    /// The factors that goals or the end depend on, with their numbers.
    pub fn relevant(&self) -> impl Iterator<Item = (usize, &Factor)> {
        let all = self.factors.factors.iter().enumerate();
        all.filter(|factor| factor.1.relevant)
    }
}
