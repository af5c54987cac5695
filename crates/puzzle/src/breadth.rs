//! Breadth-first search: every state once, so that its end is a proof.

use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::problem::Problem;
use crate::space::{Brood, Space};
use crate::table::{Inserted, Table};
use budget::Budget;
use game::MoveId;
use std::sync::Arc;

/// States expanded in one go.
const BATCH: u32 = 64;

/// Breadth-first search.
pub(crate) struct Breadth {
    space: Box<dyn Space>,
    table: Table,
    /// The first state that was not expanded.
    next: u32,
    brood: Brood,
    full: bool,
}

impl Breadth {
    pub fn new(problem: &Arc<Problem>, space: Box<dyn Space>, bytes: usize) -> Breadth {
        let mut table = Table::new(problem.packing.clone(), false, bytes);
        table.insert(problem.start.words(), 0, MoveId(0));
        Breadth {
            space,
            table,
            next: 0,
            brood: Brood::default(),
            full: false,
        }
    }
}

impl Method for Breadth {
    fn name(&self) -> &'static str {
        "breadth-first"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        while budget.check().is_ok() {
            let last = (self.next + BATCH).min(self.table.len() as u32);
            if self.next == last {
                board.close(self.name());
                return Status::Over;
            }
            let states: Vec<_> = (self.next..last).map(|at| self.table.state(at)).collect();
            match self.space.expand(&states, &mut self.brood, budget) {
                Ok(()) => {}
                Err(game::EngineError::Exhausted(_)) => return Status::Open,
                Err(_) => return Status::Over,
            }
            for child in 0..self.brood.len() {
                let parent = self.next + self.brood.parents[child];
                let mv = self.brood.moves[child];
                if self.brood.over[child] {
                    let result = self.brood.results[child];
                    let wanted = board.wanted();
                    if result.is_some_and(|result| wanted.is_some_and(|least| result >= least)) {
                        let mut line = self.table.line(parent);
                        line.push(mv);
                        board.offer(&line, self.name());
                        if board.found().is_best() {
                            return Status::Over;
                        }
                    }
                    continue;
                }
                let state = self.brood.state(child);
                if let Inserted::Full = self.table.insert(state, parent, mv) {
                    self.full = true;
                    return Status::Over;
                }
            }
            self.next = last;
        }
        Status::Open
    }

    fn done(&self) -> Work {
        Work {
            count: u64::from(self.next),
            unit: if self.full {
                "states, all that memory holds"
            } else {
                "states"
            },
        }
    }
}
