//! Play by the independent parts of a game.

mod apart;
mod passing;
mod urgency;

use crate::BestMove;
pub(crate) use apart::Apart;
use budget::Budget;
use factored::Solution;
use game::{MoveId, State};
use mcts::{Limits, Report};
use metagame::Division;

/// What the parts of a game provide for play; nothing for most games.
#[derive(Default)]
pub(crate) enum ByParts {
    /// Nothing.
    #[default]
    Whole,
    /// The solution of a puzzle.
    Solution(Solution),
    /// The parts are searched one by one.
    Apart(Box<Apart>),
}

impl ByParts {
    /// Prepares play by a division. `limits` bound its searches besides the budget.
    pub fn new(division: Division, limits: Limits) -> Self {
        match division {
            Division::Whole => ByParts::Whole,
            Division::Solution(solution) => ByParts::Solution(solution),
            Division::Parts(divided) => ByParts::Apart(Box::new(Apart::new(*divided, limits))),
        }
    }

    /// Whether the whole need not be searched.
    pub fn are_enough(&self) -> bool {
        match self {
            ByParts::Whole => false,
            ByParts::Solution(solution) => solution.best,
            ByParts::Apart(_) => true,
        }
    }

    /// Discards what searches have learnt.
    pub fn forget(&mut self) {
        if let ByParts::Apart(apart) = self {
            apart.forget();
        }
    }

    /// The move and the reason, if it can be found without searching the whole.
    pub fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Option<(MoveId, Option<String>)> {
        match self {
            ByParts::Solution(solution) if solution.best => {
                let (mv, why) = said(solution, state)?;
                best.publish(mv);
                Some((mv, Some(why)))
            }
            ByParts::Apart(apart) => apart.choose(state, best, budget),
            _ => None,
        }
    }

    /// Ponders on the parts. Returns whether the whole need not be pondered on.
    pub fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) -> bool {
        if let ByParts::Apart(apart) = self {
            apart.ponder(state, own, budget);
        }
        self.are_enough()
    }

    /// The move of a solution with a greater result than a search has proved.
    pub fn better(&self, state: &State, report: &Report) -> Option<(MoveId, String)> {
        let sure = report.candidate.map_or(0, |candidate| candidate.bounds.low);
        match self {
            ByParts::Solution(solution) if solution.result > sure => said(solution, state),
            _ => None,
        }
    }
}

fn said(solution: &Solution, state: &State) -> Option<(MoveId, String)> {
    let (mv, left) = solution.at(state)?;
    let proved = if solution.best { " proved" } else { "" };
    let moves = if left == 1 { "move" } else { "moves" };
    let why = format!(
        "{}{proved} by its parts, in {left} {moves}; {} positions of parts",
        solution.result, solution.positions
    );
    Some((mv, why))
}
