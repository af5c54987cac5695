//! Edges where one role chooses.

use super::{NodeRef, Snapshot};
use crate::Bounds;
use crate::amaf::{Fact, NO_FACT};

/// What a move leads to.
///
/// Everything that is compared when a move is selected is copied here from the child, if that has
/// a node, whenever a sample is backpropagated. So selection does not read the children, which are
/// spread over the memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub child: Option<NodeRef>,
    /// Visits, pending ones included.
    pub visits: u32,
    /// Visits that were not backpropagated yet. Each counts as a virtual loss.
    pub pending: u32,
    /// The chooser's mean result after the move, 0 to 1, clamped to the bounds.
    pub mean: f32,
    /// The variance of the chooser's results.
    pub variance: f32,
    /// Bounds of the chooser's result.
    pub bounds: Bounds,
    /// Whether the results of all roles are proved.
    pub solved: bool,
    /// Whether the mean is the sample of a leaf that has no node.
    pub sampled: bool,
    /// The predicted change of the chooser's result by the move, -1 to 1, from learnt values of
    /// states.
    pub prior: f32,
    /// The same from playouts that ended with the fact that the move adds.
    pub amaf: f32,
    /// The value of `amaf` when the move was tried for the first time.
    pub tried_amaf: f32,
    /// The fact that the move adds and the fewest other moves do.
    pub fact: Fact,
}

impl Edge {
    pub const NEW: Edge = Edge {
        child: None,
        visits: 0,
        pending: 0,
        mean: 0.0,
        variance: 0.25,
        bounds: Bounds::OPEN,
        solved: false,
        sampled: false,
        prior: 0.0,
        amaf: 0.0,
        tried_amaf: 0.0,
        fact: NO_FACT,
    };

    /// Copies the statistics of the child for a role.
    #[inline]
    pub fn update(&mut self, child: &Snapshot, role: usize) {
        let role_stats = &child.stats[role];
        self.mean = role_stats.value(child.samples) as f32;
        self.variance = role_stats.variance() as f32;
        self.bounds = role_stats.bounds;
        self.solved = child.is_solved();
    }

    /// Stores a result that is proved without a child.
    pub fn solve(&mut self, bounds: Bounds) {
        (self.mean, self.variance) = (f32::from(bounds.low) / 100.0, 0.0);
        (self.bounds, self.solved) = (bounds, true);
    }

    /// Whether the result is proved, and there is no child.
    pub fn is_foreseen(&self) -> bool {
        self.solved && self.child.is_none()
    }

    /// Whether the bounds of the child differ from those stored here.
    #[inline]
    pub fn is_stale(&self, child: &Snapshot, role: usize) -> bool {
        self.bounds != child.stats[role].bounds || self.solved != child.is_solved()
    }

    /// Counts visits of a descent, each with a virtual loss. Returns the child, if there was one.
    #[inline]
    pub fn visit(&mut self, visits: u32) -> Option<NodeRef> {
        if self.visits == 0 {
            self.tried_amaf = self.amaf;
        }
        self.visits += visits;
        self.pending += visits;
        self.child
    }

    /// Whether the move was never tried, so that the state after it needs no node yet.
    #[inline]
    pub fn is_new(&self) -> bool {
        self.visits == 0 && self.child.is_none()
    }

    /// The number of samples.
    #[inline]
    pub fn samples(&self) -> u32 {
        self.visits.saturating_sub(self.pending)
    }

    /// Stores the sample of a leaf without a node, the first one of the move.
    pub fn sample(&mut self, value: f64) {
        (self.mean, self.variance) = (self.bounds.clamp(value) as f32, 0.0);
        self.sampled = true;
    }

    /// Replaces the visits that a descent counted, and their virtual losses, by the number of its
    /// samples.
    #[inline]
    pub fn finish_visit(&mut self, visits: u32, samples: u32) {
        self.pending = self.pending.saturating_sub(visits);
        self.visits = self.visits.saturating_sub(visits).saturating_add(samples);
    }
}
