//! What all methods know of a puzzle.

use crate::estimate::Ladders;
use crate::packing::Packing;
use crate::time::Time;
use budget::Budget;
use compile::Proved;
use game::State;
use netlist::{GameLogic, Lit};
use std::sync::Arc;

/// The logic of a puzzle with what was found out about it.
pub(crate) struct Known {
    pub logic: Arc<GameLogic>,
    pub proved: Proved,
    pub time: Time,
    pub ladders: Arc<Ladders>,
}

/// A puzzle in the form of its space.
pub(crate) struct Problem {
    /// The state from which it is solved.
    pub start: State,
    pub packing: Arc<Packing>,
    /// `None` where only an engine knows the game.
    pub known: Option<Arc<Known>>,
    /// The plies after which play is over at the latest, if time alone ends it.
    pub horizon: Option<usize>,
}

impl Known {
    pub fn find(proved: &Proved, budget: &Budget) -> Known {
        let logic = proved.compiled.logic.clone();
        let time = Time::of(&logic);
        let ladders = Ladders::find(&logic, &proved.groups, &time, &budget.share(8));
        Known {
            ladders: Arc::new(ladders),
            time,
            proved: proved.clone(),
            logic,
        }
    }

    /// The results that the rules know and the greatest of them first.
    pub fn results(&self) -> Vec<u8> {
        let goals = self.logic.goals[0].iter();
        let can = goals.filter(|goal| goal.1 != Lit::FALSE);
        let mut results: Vec<u8> = can.map(|goal| goal.0).collect();
        results.sort_unstable_by_key(|&result| std::cmp::Reverse(result));
        results.dedup();
        results
    }

    /// What must be true at an end with this result.
    pub fn end(&self, result: u8) -> Vec<Lit> {
        let goals = self.logic.goals[0].iter();
        let goals = goals.filter(|goal| goal.0 == result).map(|goal| goal.1);
        goals.chain([self.logic.terminal]).collect()
    }
}
