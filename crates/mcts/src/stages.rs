//! Where the time of a search goes.

use budget::Budget;
use std::time::Duration;

/// What a search does, from the root to the leaf and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// From the root to a leaf: selection, and waiting for nodes.
    Selection,
    /// All moves of a node are tried, when it is visited again.
    LookAhead,
    /// A state becomes a node.
    Expansion,
    /// Playouts from the leaves.
    Playouts,
    /// Samples and bounds on the way back, and learnt values of leaves.
    Backpropagation,
    /// What samples teach the priors of untried moves.
    Learning,
    /// Proof searches, and questions about the root.
    Proofs,
}

impl Stage {
    /// All stages, in the order of a visit.
    pub const ALL: [Stage; 7] = [
        Stage::Selection,
        Stage::LookAhead,
        Stage::Expansion,
        Stage::Playouts,
        Stage::Backpropagation,
        Stage::Learning,
        Stage::Proofs,
    ];

    /// The name of the stage, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Selection => "selection",
            Stage::LookAhead => "look-ahead",
            Stage::Expansion => "expansion",
            Stage::Playouts => "playouts",
            Stage::Backpropagation => "backpropagation",
            Stage::Learning => "learning",
            Stage::Proofs => "proofs",
        }
    }
}

/// The time that the first thread of a search spent in each stage.
///
/// Two readings of the clock for each stage of a visit are part of it.
#[derive(Debug, Clone, Default)]
pub struct StageTimes {
    on: bool,
    times: [Duration; Stage::ALL.len()],
}

impl StageTimes {
    /// The time in a stage.
    pub fn of(&self, stage: Stage) -> Duration {
        self.times[stage as usize]
    }

    /// The time in all stages.
    pub fn sum(&self) -> Duration {
        self.times.iter().sum()
    }

    pub(crate) fn measured() -> StageTimes {
        StageTimes {
            on: true,
            ..StageTimes::default()
        }
    }

    /// The time now, if stages are measured.
    #[inline]
    pub(crate) fn begin(&self, budget: &Budget) -> Duration {
        match self.on {
            true => budget.clock().now(),
            false => Duration::ZERO,
        }
    }

    /// Adds the time since a stage began.
    #[inline]
    pub(crate) fn end(&mut self, stage: Stage, since: Duration, budget: &Budget) {
        if self.on {
            self.times[stage as usize] += budget.clock().now().saturating_sub(since);
        }
    }

    /// The same for selection, in which stages of their own began and ended.
    pub(crate) fn end_descent(&mut self, since: Duration, before: Duration, budget: &Budget) {
        if self.on {
            let all = budget.clock().now().saturating_sub(since);
            let inner = self.sum().saturating_sub(before);
            self.times[Stage::Selection as usize] += all.saturating_sub(inner);
        }
    }
}
