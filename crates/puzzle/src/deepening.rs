//! Iterative deepening A* (Korf 1985): depth first, with no table, on ever longer lines.

use crate::estimate::{Estimate, Far};
use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::problem::Problem;
use crate::space::{Brood, Space};
use budget::Budget;
use game::{EngineError, MoveId, State};
use std::sync::Arc;

/// Children between two looks at the clock.
const CHECK: usize = 32;

/// Iterative deepening by a bound that no line beats.
pub(crate) struct Deepening {
    problem: Arc<Problem>,
    space: Box<dyn Space>,
    estimate: Option<Estimate>,
    /// The result that the estimate is about.
    result: u8,
    /// Lines of at most this many plies are looked at, and the length of the next longer one.
    longest: u32,
    longer: u32,
    /// The states on the way that still have to be looked at, the next one last.
    open: Vec<Node>,
    /// The moves to the state that was looked at last.
    line: Vec<MoveId>,
    brood: Brood,
    expanded: u64,
}

/// A state with the move to it.
struct Node {
    state: State,
    mv: MoveId,
    depth: u32,
}

impl Deepening {
    pub fn new(problem: Arc<Problem>, space: Box<dyn Space>) -> Deepening {
        Deepening {
            problem,
            space,
            estimate: None,
            result: 0,
            longest: 0,
            longer: 0,
            open: Vec::new(),
            line: Vec::new(),
            brood: Brood::default(),
            expanded: 0,
        }
    }

    /// Begins anew, with longer lines. Returns whether there can be any.
    fn begin(&mut self) -> bool {
        if self.longer == u32::MAX {
            return false;
        }
        self.longest = self.longer;
        self.longer = u32::MAX;
        self.line.clear();
        self.open.push(Node {
            state: self.problem.start.clone(),
            mv: MoveId(0),
            depth: 0,
        });
        true
    }
}

impl Method for Deepening {
    fn name(&self) -> &'static str {
        "IDA*"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        let problem = self.problem.clone();
        let Some(known) = &problem.known else {
            return Status::Over;
        };
        let mut scratch: Vec<[Far; 2]> = Vec::new();
        while budget.check().is_ok() {
            if self.estimate.is_none() || self.result != board.bound() {
                self.result = board.bound();
                let wanted = known.end(self.result);
                let estimate = Estimate::new(known.logic.clone(), known.ladders.clone(), wanted);
                self.longer = estimate
                    .far(problem.start.words(), &mut scratch)
                    .least
                    .max(1);
                self.estimate = Some(estimate);
                self.open.clear();
            }
            let Some(estimate) = &self.estimate else {
                return Status::Over;
            };
            let Some(node) = self.open.pop() else {
                if !self.begin() {
                    return Status::Over;
                }
                continue;
            };
            let states = std::slice::from_ref(&node.state);
            match self.space.expand(states, &mut self.brood, budget) {
                Ok(()) => {}
                Err(EngineError::Exhausted(_)) => {
                    self.open.push(node);
                    return Status::Open;
                }
                Err(_) => return Status::Over,
            }
            self.expanded += 1;
            self.line.truncate((node.depth as usize).saturating_sub(1));
            if node.depth > 0 {
                self.line.push(node.mv);
            }
            let depth = node.depth + 1;
            let mut next: Vec<(u32, usize)> = Vec::new();
            for child in 0..self.brood.len() {
                if child % CHECK == 0 && budget.check().is_err() {
                    self.open.push(node);
                    return Status::Open;
                }
                if self.brood.over[child] {
                    let result = self.brood.results[child];
                    let wanted = board.wanted();
                    if result.is_some_and(|result| wanted.is_some_and(|least| result >= least)) {
                        let mut line = self.line.clone();
                        line.push(self.brood.moves[child]);
                        board.offer(&line, "IDA*");
                        if board.found().is_best() {
                            return Status::Over;
                        }
                    }
                    continue;
                }
                let far = estimate.far(self.brood.state(child), &mut scratch);
                let plies = depth + far.least.max(1);
                let late = problem.horizon.is_some_and(|last| plies as usize > last);
                if far.is_hopeless() || late {
                    continue;
                }
                match plies <= self.longest {
                    true => next.push((far.sum, child)),
                    false => self.longer = self.longer.min(plies),
                }
            }
            // The nearest is looked at first, so it is pushed last.
            next.sort_unstable_by_key(|&(sum, child)| std::cmp::Reverse((sum, child)));
            for (_, child) in next {
                self.open.push(Node {
                    state: State::from_words(self.brood.state(child).to_vec()),
                    mv: self.brood.moves[child],
                    depth,
                });
            }
        }
        Status::Open
    }

    fn done(&self) -> Work {
        Work {
            count: self.expanded,
            unit: "states",
        }
    }
}
