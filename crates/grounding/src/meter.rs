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
    /// The number of steps after which the work ends, and the bytes held.
    most: u64,
    most_bytes: usize,
    gave_up: bool,
}

impl<'a> Meter<'a> {
    /// Creates a meter in the first stage.
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Meter {
            budget,
            report: Report::default(),
            began: budget.clock().now(),
            next_look: PERIOD,
            most: u64::MAX,
            most_bytes: usize::MAX,
            gave_up: false,
        }
    }

    /// A meter of the same budget with a report of its own, for work that may be given up.
    pub(crate) fn apart(&self) -> Meter<'a> {
        Meter::new(self.budget)
    }

    /// Counts the steps and bytes of work that was measured apart.
    pub(crate) fn absorb(&mut self, other: &Meter<'_>) {
        self.report.steps += other.report.steps;
        self.report.peak_bytes = self.report.peak_bytes.max(other.report.peak_bytes);
    }

    /// Ends the work once it has taken this many more steps, or holds this many bytes.
    pub(crate) fn allow(&mut self, steps: u64, bytes: usize) {
        self.most = self.report.steps.saturating_add(steps);
        self.most_bytes = bytes;
        self.gave_up = false;
        self.next_look = self.next_look.min(self.report.steps + PERIOD);
    }

    /// Whether the work ended because it took more steps or bytes than allowed.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
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
        if self.report.steps > self.most || bytes > self.most_bytes {
            self.gave_up = true;
            return Err(self.exhausted(Exhausted::Stopped));
        }
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

    /// The error of a budget that is exhausted.
    pub(crate) fn exhausted(&mut self, cause: Exhausted) -> GroundError {
        self.end_stage();
        GroundError::Budget {
            cause,
            report: Box::new(self.report.clone()),
        }
    }
}
