//! Passes: rewrites that make the logic of a game smaller without changing play.
//!
//! Each pass is one idea in one module with one function, `run`, which builds new logic. A pass
//! that exhausts its budget is aborted and the logic stays unchanged. The logic is therefore
//! correct however early optimisation ends.
//!
//! The results of passes are valid for the states that play reaches, as far as [`Known`]
//! describes them, for legal moves, and for transitions from non-terminal states.

pub mod context;
pub mod equal;
pub mod factor;
mod implied;
pub mod observed;
mod readers;
pub mod share;
#[cfg(test)]
mod testing;
mod wide;

use crate::{GameLogic, Known, Sizes};
use budget::{Budget, Exhausted};
use std::fmt;
use std::time::Duration;

/// The result of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The name of the pass.
    pub pass: &'static str,
    /// Sizes before the pass.
    pub before: Sizes,
    /// Sizes after the pass.
    pub after: Sizes,
    /// The time it took.
    pub time: Duration,
    /// Why the pass was aborted, if it was. The logic is then unchanged.
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

/// A pass: builds new logic within a budget, or fails.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// The name in reports.
    pub name: &'static str,
    /// Builds new logic that is valid for the states described by `Known`.
    pub run: fn(&GameLogic, &Known, &Budget) -> Result<GameLogic, Exhausted>,
}

/// All passes.
pub const ALL: [Pass; 5] = [
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
    Pass {
        name: "observed",
        run: observed::run,
    },
];

impl Pass {
    /// Runs the pass. The result is kept if it costs no more than before.
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

/// Runs all passes in rounds. It ends after a few rounds, when a round removes next to nothing,
/// or when the budget is exhausted. The report has an entry for each run of a pass.
pub fn optimise(logic: &mut GameLogic, known: &Known, budget: &Budget) -> Vec<Shrunk> {
    const ROUNDS: usize = 4;
    // Another round follows if this one removed more than one part in this many.
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

/// Checks a budget at intervals, so that a hot loop does not read the clock at every step.
struct Meter<'a> {
    budget: &'a Budget,
    left: usize,
}

impl<'a> Meter<'a> {
    const STEPS: usize = 4096;

    fn new(budget: &'a Budget) -> Self {
        Meter { budget, left: 0 }
    }

    /// Counts steps of about ten nanoseconds each, and checks the budget when a check is due.
    fn steps(&mut self, count: usize) -> Result<(), Exhausted> {
        if self.left <= count {
            self.left = Self::STEPS;
            return self.budget.check();
        }
        self.left -= count;
        Ok(())
    }
}
