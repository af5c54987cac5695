//! Puzzles that fall apart: each part alone (crate `factored`).

use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::problem::Problem;
use budget::Budget;
use factored::Parts;
use game::{Engine, State};
use std::sync::Arc;

/// Solves the parts of a puzzle.
pub(crate) struct ByParts {
    problem: Arc<Problem>,
    engine: Box<dyn Engine>,
    start: State,
    seed: u64,
    positions: u64,
}

impl ByParts {
    /// `start` is a state of `engine`.
    pub fn new(problem: Arc<Problem>, engine: Box<dyn Engine>, start: State, seed: u64) -> ByParts {
        ByParts {
            problem,
            engine,
            start,
            seed,
            positions: 0,
        }
    }
}

impl Method for ByParts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        let Some(known) = &self.problem.known else {
            return Status::Over;
        };
        let Some(parts) = Parts::find(&known.proved, self.seed, &budget.share(2)) else {
            // Whether time was short shows in the next slice, which is longer.
            return match budget.share(2).check() {
                Ok(()) => Status::Over,
                Err(_) => Status::Open,
            };
        };
        let solution = factored::solve(&parts, &mut *self.engine, &self.start, budget);
        if let Some(solution) = solution {
            self.positions += solution.positions as u64;
            let moves: Vec<_> = solution.steps.iter().map(|step| step.1).collect();
            board.offer_moves(&moves, "parts");
            if solution.best {
                board.limit(solution.result, "parts");
                return Status::Over;
            }
        }
        match budget.check() {
            Ok(()) => Status::Over,
            Err(_) => Status::Open,
        }
    }

    fn done(&self) -> Work {
        Work {
            count: self.positions,
            unit: "positions",
        }
    }
}
