//! Rewrites that make the logic of a game smaller and leave play as it is.
//!
//! Each pass is one idea in one module with one function, `run`, which makes the logic anew. A pass
//! that runs out of budget is given up and the logic stays as it was, so that it is correct however
//! early optimising ends.
//!
//! What passes make is right for the states that play reaches, as far as [`Known`] tells them of
//! these, for legal moves, and for transitions where play goes on.

pub mod context;
pub mod equal;
pub mod factor;
mod implied;
pub mod share;
mod wide;

use crate::{GameLogic, Known, Sizes};
use budget::{Budget, Exhausted};
use std::fmt;
use std::time::Duration;

/// What a pass did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The pass.
    pub pass: &'static str,
    /// Sizes before it ran.
    pub before: Sizes,
    /// Sizes after it ran.
    pub after: Sizes,
    /// How long it took.
    pub time: Duration,
    /// Why the pass was given up, if it was; the logic is then unchanged.
    pub stopped: Option<Exhausted>,
}

impl fmt::Display for Shrunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10} {}", self.pass, self.after)?;
        match self.stopped {
            Some(why) => write!(f, " (given up: {why})"),
            None => Ok(()),
        }
    }
}

/// A pass: the logic made anew within a budget, or why not.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Its name in reports.
    pub name: &'static str,
    /// Makes the logic anew, for the states of which `Known` is true.
    pub run: fn(&GameLogic, &Known, &Budget) -> Result<GameLogic, Exhausted>,
}

/// All passes.
pub const ALL: [Pass; 4] = [
    Pass {
        name: "equal",
        run: equal::run,
    },
    Pass {
        name: "factor",
        run: factor::run,
    },
    Pass {
        name: "context",
        run: context::run,
    },
    Pass {
        name: "share",
        run: share::run,
    },
];

impl Pass {
    /// Runs the pass; what it makes is kept if it costs no more than before.
    pub fn apply(&self, logic: &mut GameLogic, known: &Known, budget: &Budget) -> Shrunk {
        let start = budget.clock().now();
        let before = logic.sizes();
        let result = (self.run)(logic, known, budget);
        let mut after = before;
        let stopped = match result {
            Ok(better) => {
                let sizes = better.sizes();
                if sizes.cost() <= before.cost() {
                    after = sizes;
                    *logic = better;
                }
                None
            }
            Err(why) => Some(why),
        };
        Shrunk {
            pass: self.name,
            before,
            after,
            time: budget.clock().now().saturating_sub(start),
            stopped,
        }
    }
}

/// Runs all passes in rounds, a few at most, until a round removes next to nothing or the budget
/// ends. The report has an entry for each run of a pass.
pub fn optimise(logic: &mut GameLogic, known: &Known, budget: &Budget) -> Vec<Shrunk> {
    const ROUNDS: usize = 4;
    // Another round is worth its time if this one has removed more than a part in so many.
    const WORTHWHILE: usize = 100;
    let mut report = Vec::new();
    for _ in 0..ROUNDS {
        let before = logic.sizes().cost();
        for pass in ALL {
            let shrunk = pass.apply(logic, known, budget);
            let stopped = shrunk.stopped.is_some();
            report.push(shrunk);
            if stopped {
                return report;
            }
        }
        let after = logic.sizes().cost();
        if before - after <= after / WORTHWHILE {
            break;
        }
    }
    report
}

/// Reads the clock of a budget now and then, not at every step of a hot loop.
struct Meter<'a> {
    budget: &'a Budget,
    left: usize,
}

impl<'a> Meter<'a> {
    const STEPS: usize = 4096;

    fn new(budget: &'a Budget) -> Self {
        Meter { budget, left: 0 }
    }

    /// Counts so many steps, each of some ten nanoseconds.
    fn steps(&mut self, count: usize) -> Result<(), Exhausted> {
        if self.left <= count {
            self.left = Self::STEPS;
            return self.budget.check();
        }
        self.left -= count;
        Ok(())
    }
}
