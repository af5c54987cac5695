//! Beam search: ply by ply, the states that seem nearest to the result; then again, wider.

use crate::estimate::{Estimate, Far};
use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::problem::Problem;
use crate::space::{Brood, Space};
use crate::table::{Inserted, Table};
use budget::Budget;
use game::{EngineError, MoveId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// States expanded in one go.
const BATCH: usize = 64;
/// Children between two looks at the clock.
const CHECK: usize = 32;
/// The width of the first beam.
const FIRST: usize = 64;

/// Beam search, wider with every round.
pub(crate) struct Beam {
    problem: Arc<Problem>,
    space: Box<dyn Space>,
    bytes: usize,
    rng: Xoshiro256PlusPlus,
    width: usize,
    round: Option<Round>,
    brood: Brood,
    expanded: u64,
}

/// One beam.
struct Round {
    table: Table,
    /// The states of the ply, and how many of them were expanded.
    ply: Vec<u32>,
    expanded: usize,
    /// The states of the next ply with how far they seem.
    next: Vec<(u64, u32)>,
    estimate: Estimate,
    result: u8,
    /// Whether a state was left out.
    cut: bool,
}

impl Beam {
    pub fn new(problem: Arc<Problem>, space: Box<dyn Space>, seed: u64, bytes: usize) -> Beam {
        Beam {
            problem,
            space,
            bytes,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            width: FIRST,
            round: None,
            brood: Brood::default(),
            expanded: 0,
        }
    }

    fn begin(&self, result: u8) -> Option<Round> {
        let known = self.problem.known.as_ref()?;
        let mut table = Table::new(self.problem.packing.clone(), true, self.bytes);
        table.insert(self.problem.start.words(), 0, MoveId(0));
        Some(Round {
            table,
            ply: vec![0],
            expanded: 0,
            next: Vec::new(),
            estimate: Estimate::new(
                known.logic.clone(),
                known.ladders.clone(),
                known.end(result),
            ),
            result,
            cut: false,
        })
    }
}

impl Method for Beam {
    fn name(&self) -> &'static str {
        "beam"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        let mut scratch: Vec<[Far; 2]> = Vec::new();
        while budget.check().is_ok() {
            let result = board.bound();
            if self
                .round
                .as_ref()
                .is_none_or(|round| round.result != result)
            {
                self.round = self.begin(result);
            }
            let Some(round) = &mut self.round else {
                return Status::Over;
            };
            if round.expanded == round.ply.len() {
                round.next.sort_unstable();
                round.cut |= round.next.len() > self.width;
                round.next.truncate(self.width);
                round.ply = round.next.drain(..).map(|(_, number)| number).collect();
                round.expanded = 0;
                if round.ply.is_empty() {
                    if !round.cut {
                        return Status::Over;
                    }
                    self.width *= 2;
                    self.round = None;
                }
                continue;
            }
            let last = (round.expanded + BATCH).min(round.ply.len());
            let numbers = &round.ply[round.expanded..last];
            let states: Vec<_> = numbers.iter().map(|&at| round.table.state(at)).collect();
            match self.space.expand(&states, &mut self.brood, budget) {
                Ok(()) => {}
                Err(EngineError::Exhausted(_)) => return Status::Open,
                Err(_) => return Status::Over,
            }
            self.expanded += states.len() as u64;
            for child in 0..self.brood.len() {
                if child % CHECK == 0 && budget.check().is_err() {
                    return Status::Open;
                }
                let parent = numbers[self.brood.parents[child] as usize];
                let mv = self.brood.moves[child];
                if self.brood.over[child] {
                    let result = self.brood.results[child];
                    let wanted = board.wanted();
                    if result.is_some_and(|result| wanted.is_some_and(|least| result >= least)) {
                        let mut line = round.table.line(parent);
                        line.push(mv);
                        board.offer(&line, "beam");
                    }
                    continue;
                }
                let state = self.brood.state(child);
                match round.table.insert(state, parent, mv) {
                    Inserted::New(number) => {
                        let far = round.estimate.far(state, &mut scratch);
                        // Among equals any is as good.
                        let any = self.rng.random::<u64>() >> 40;
                        round.next.push(((u64::from(far.sum) << 24) + any, number));
                    }
                    Inserted::Known => {}
                    Inserted::Full => {
                        return Status::Over;
                    }
                }
            }
            round.expanded = last;
            if board.found().is_best() {
                return Status::Over;
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
