//! Keeps the work within its budget.

use crate::error::{GroundError, Report, Stage};
use budget::{Budget, Exhausted};
use std::time::Duration;

/// Number of steps between two checks of the clock.
const PERIOD: u64 = 1024;

/// Counts steps, checks the budget at intervals, and maintains the report.
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    pub(crate) report: Report,
    began: Duration,
    next_look: u64,
}

impl<'a> Meter<'a> {
    /// Creates a meter in the first stage.
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Meter {
            budget,
            report: Report::default(),
            began: budget.clock().now(),
            next_look: PERIOD,
        }
    }

    /// Starts a stage.
    pub(crate) fn enter(&mut self, stage: Stage) {
        self.end_stage();
        self.report.stage = stage;
    }

    /// Records how long the current stage took.
    pub(crate) fn end_stage(&mut self) {
        let now = self.budget.clock().now();
        let stage = self.report.stage;
        self.report
            .timings
            .push((stage, now.saturating_sub(self.began)));
        self.began = now;
    }

    /// Counts a step. Returns true when [`Meter::look`] is due.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.report.steps += 1;
        self.report.steps >= self.next_look
    }

    /// Counts several steps. Returns true when [`Meter::look`] is due.
    pub(crate) fn steps(&mut self, steps: usize) -> bool {
        self.report.steps += steps as u64;
        self.report.steps >= self.next_look
    }

    /// Checks the budget, with `bytes` held now. Fails if it is exhausted.
    pub(crate) fn look(&mut self, bytes: usize) -> Result<(), GroundError> {
        self.next_look = self.report.steps + PERIOD;
        self.report.peak_bytes = self.report.peak_bytes.max(bytes);
        self.budget
            .check()
            .and_then(|()| self.budget.check_memory(bytes))
            .map_err(|cause| self.exhausted(cause))
    }

    /// Counts a step of work during which about `held` bytes are held.
    ///
    /// # Errors
    /// If the budget is exhausted.
    #[inline]
    pub(crate) fn watch(&mut self, held: usize) -> Result<(), GroundError> {
        if self.step() { self.look(held) } else { Ok(()) }
    }

    fn exhausted(&mut self, cause: Exhausted) -> GroundError {
        self.end_stage();
        GroundError::Budget {
            cause,
            report: Box::new(self.report.clone()),
        }
    }
}
