//! Best-first searches: one frontier, whose order makes the method.

use crate::estimate::{Estimate, Far};
use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::novelty::{Novelty, Width};
use crate::problem::Problem;
use crate::space::{Brood, Space};
use crate::table::{Inserted, Table};
use budget::Budget;
use game::{EngineError, MoveId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// States expanded in one go: enough to fill lanes, few enough to keep the order.
const BATCH: usize = 16;

/// Children between two looks at the clock: estimates take long where results are large circuits.
const CHECK: usize = 32;

/// Which state is expanded next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The one that seems nearest to the result.
    Greedy,
    /// The one with the least plies so far plus those expected, which count this many times.
    Weighted(u64),
    /// First those with a fact that no state as near had before, then the nearest (BFWS).
    NewFirst,
    /// The oldest, and only those with as many facts as this that no state had together (IW).
    Narrow(Width),
}

/// A best-first search.
pub(crate) struct Ordered {
    problem: Arc<Problem>,
    space: Box<dyn Space>,
    order: Order,
    bytes: usize,
    /// `None` before the first slice.
    search: Option<Search>,
    brood: Brood,
    expanded: u64,
}

struct Search {
    table: Table,
    depths: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    novelty: Novelty,
    estimate: Estimate,
    scratch: Vec<[Far; 2]>,
    /// The result that estimates are about.
    result: u8,
}

impl Ordered {
    pub fn new(
        problem: Arc<Problem>,
        space: Box<dyn Space>,
        order: Order,
        bytes: usize,
    ) -> Ordered {
        Ordered {
            problem,
            space,
            order,
            bytes,
            search: None,
            brood: Brood::default(),
            expanded: 0,
        }
    }

    /// A search for the greatest result that is not excluded.
    fn begin(&self, result: u8) -> Option<Search> {
        let known = self.problem.known.as_ref()?;
        // Half for the frontier and what is new.
        let mut search = Search {
            table: Table::new(self.problem.packing.clone(), true, self.bytes / 2),
            depths: Vec::new(),
            open: BinaryHeap::new(),
            novelty: Novelty::new(known.logic.facts.len(), &known.time.facts, self.bytes / 4),
            estimate: Estimate::new(
                known.logic.clone(),
                known.ladders.clone(),
                known.end(result),
            ),
            scratch: Vec::new(),
            result,
        };
        search.insert(
            self.problem.start.words(),
            0,
            MoveId(0),
            0,
            self.order,
            None,
        );
        Some(search)
    }
}

impl Search {
    /// Adds a state, unless it is known or not worth it. Returns whether there is room.
    fn insert(
        &mut self,
        state: &[u64],
        parent: u32,
        mv: MoveId,
        depth: u32,
        order: Order,
        horizon: Option<usize>,
    ) -> bool {
        let number = match self.table.insert(state, parent, mv) {
            Inserted::New(number) => number,
            Inserted::Known => return true,
            Inserted::Full => return false,
        };
        self.depths.push(depth);
        let key = match order {
            Order::Narrow(width) => {
                if number > 0 && !self.novelty.is_new(state, 0, width) {
                    return true;
                }
                u64::from(number)
            }
            _ => {
                let far = self.estimate.far(state, &mut self.scratch);
                let late = horizon.is_some_and(|last| depth as usize + far.least as usize > last);
                if far.is_hopeless() || late {
                    return true;
                }
                let sum = u64::from(far.sum);
                match order {
                    Order::Greedy => sum,
                    Order::Weighted(weight) => u64::from(depth) + weight * sum,
                    _ => {
                        let new = self.novelty.is_new(state, far.sum, Width::One);
                        (u64::from(!new) << 32) + sum
                    }
                }
            }
        };
        self.open.push(Reverse((key, number)));
        true
    }
}

impl Method for Ordered {
    fn name(&self) -> &'static str {
        match self.order {
            Order::Greedy => "greedy best-first",
            Order::Weighted(1) => "A*",
            Order::Weighted(_) => "weighted A*",
            Order::NewFirst => "best-first width",
            Order::Narrow(Width::One) => "width 1",
            Order::Narrow(Width::Two) => "width 2",
        }
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        let name = self.name();
        let about = |search: &Option<Search>| search.as_ref().map(|search| search.result);
        if about(&self.search) != Some(board.bound()) {
            self.search = self.begin(board.bound());
        }
        let horizon = self.problem.horizon;
        let Some(search) = &mut self.search else {
            return Status::Over;
        };
        while budget.check().is_ok() {
            let mut numbers = Vec::with_capacity(BATCH);
            while let Some(Reverse((_, number))) = search.open.pop() {
                numbers.push(number);
                if numbers.len() == BATCH {
                    break;
                }
            }
            if numbers.is_empty() {
                return Status::Over;
            }
            let states: Vec<_> = numbers.iter().map(|&at| search.table.state(at)).collect();
            match self.space.expand(&states, &mut self.brood, budget) {
                Ok(()) => {}
                Err(EngineError::Exhausted(_)) => {
                    let back = numbers.iter().map(|&number| Reverse((0, number)));
                    search.open.extend(back);
                    return Status::Open;
                }
                Err(_) => return Status::Over,
            }
            self.expanded += states.len() as u64;
            for child in 0..self.brood.len() {
                if child % CHECK == 0 && budget.check().is_err() {
                    // They come again, and their children that are known by then do not.
                    let back = numbers.iter().map(|&number| Reverse((0, number)));
                    search.open.extend(back);
                    return Status::Open;
                }
                let parent = numbers[self.brood.parents[child] as usize];
                let mv = self.brood.moves[child];
                if self.brood.over[child] {
                    let result = self.brood.results[child];
                    let wanted = board.wanted();
                    if result.is_some_and(|result| wanted.is_some_and(|least| result >= least)) {
                        let mut line = search.table.line(parent);
                        line.push(mv);
                        board.offer(&line, name);
                        if board.found().is_best() {
                            return Status::Over;
                        }
                    }
                    continue;
                }
                let depth = search.depths[parent as usize] + 1;
                let state = self.brood.state(child);
                if !search.insert(state, parent, mv, depth, self.order, horizon) {
                    return Status::Over;
                }
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
