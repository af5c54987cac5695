//! Play by the independent parts of a game.

mod apart;
mod passing;
mod urgency;

use crate::thought::Teller;
use crate::{BestMove, Thought};
pub(crate) use apart::Apart;
use budget::Budget;
use factored::Solution;
use game::{MoveId, State};
use mcts::{Bounds, Limits, Report};
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

    /// The move and what is known of it, if it can be found without searching the whole. `whole`
    /// knows its terms.
    pub fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
        whole: &Teller<'_>,
    ) -> Option<(MoveId, Option<Thought>)> {
        match self {
            ByParts::Solution(solution) if solution.best => {
                let (mv, thought) = next(solution, state, whole)?;
                best.publish(mv);
                Some((mv, Some(thought)))
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
    pub fn better(
        &self,
        state: &State,
        report: &Report,
        whole: &Teller<'_>,
    ) -> Option<(MoveId, Thought)> {
        let sure = report.candidate.map_or(0, |candidate| candidate.bounds.low);
        match self {
            ByParts::Solution(solution) if solution.result > sure => next(solution, state, whole),
            _ => None,
        }
    }
}

/// The move of a solution in a state of its line, and what is known of it.
fn next(solution: &Solution, state: &State, whole: &Teller<'_>) -> Option<(MoveId, Thought)> {
    let (mv, left) = solution.at(state)?;
    let high = if solution.best { solution.result } else { 100 };
    let moves = if left == 1 { "move" } else { "moves" };
    let thought = Thought {
        value: Some(solution.result.into()),
        bounds: Bounds {
            low: solution.result,
            high,
        },
        plies: u16::try_from(left).ok(),
        part: format!(
            "by its parts, in {left} {moves}; {} positions of parts",
            solution.positions
        ),
        ..Thought::of(whole.term(mv))
    };
    Some((mv, thought))
}
