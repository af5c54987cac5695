//! What a player knows from the parts of a game that falls apart.

use crate::Setup;
use budget::Budget;
use factored::{Parts, Plan};
use game::{MoveId, State};
use mcts::Report;
use prepare::logic_of;
use std::time::Duration;

/// The part of the start clock that may be spent on it.
const SHARE: u32 = 4;
/// The most time that is spent on it.
const LONGEST: Duration = Duration::from_secs(10);

/// What is known from the parts of a game; nothing of most games.
#[derive(Default)]
pub(crate) struct ByParts {
    plan: Option<Plan>,
}

impl ByParts {
    /// Looks for parts, and for a way through them if a single role plays.
    pub fn find(setup: &Setup, budget: &Budget) -> Self {
        let nothing = ByParts::default();
        if setup.engine.roles().len() != 1 {
            return nothing;
        }
        let share = budget.remaining().map(|left| left / SHARE);
        let share = share.map_or(LONGEST, |share| share.min(LONGEST));
        let budget = budget.clone().with_timeout(share);
        let Some(logic) = logic_of(&*setup.engine) else {
            return nothing;
        };
        let Some(parts) = Parts::find(logic, setup.seed, &budget) else {
            return nothing;
        };
        let mut engine = setup.engine.fork();
        let start = engine.initial();
        ByParts {
            plan: factored::plan(&parts, &mut *engine, &start, &budget),
        }
    }

    /// Whether there is a way to the end to which there is nothing better.
    pub fn are_settled(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.best)
    }

    /// The move of the best way there is, if that is known, and why.
    pub fn settled(&self, state: &State) -> Option<(MoveId, String)> {
        let plan = self.plan.as_ref().filter(|plan| plan.best)?;
        said(plan, state)
    }

    /// The move of a way that brings more than a search is sure of.
    pub fn better(&self, state: &State, report: &Report) -> Option<(MoveId, String)> {
        let sure = report.candidate.map_or(0, |candidate| candidate.bounds.low);
        let plan = self.plan.as_ref().filter(|plan| plan.result > sure)?;
        said(plan, state)
    }
}

fn said(plan: &Plan, state: &State) -> Option<(MoveId, String)> {
    let (mv, left) = plan.at(state)?;
    let proved = if plan.best { " proved" } else { "" };
    let moves = if left == 1 { "move" } else { "moves" };
    let why = format!(
        "{}{proved} by its parts, in {left} {moves}; {} positions of parts",
        plan.result, plan.positions
    );
    Some((mv, why))
}
