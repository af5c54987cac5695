//! One move of one role where several choose, and selection among the moves of a role.

use crate::select::ucb_width;
use crate::{Bounds, Config};
use game::MoveId;
use rand::{Rng, RngExt};

/// One move of one role. Two of them fill a cache line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arm {
    pub mv: MoveId,
    /// Visits, pending ones included.
    pub visits: u32,
    /// The mean result of the role, 0 to 1.
    pub mean: f32,
    /// The mean of the squares of its results.
    pub(super) square: f32,
    pub(super) regret: f32,
    /// The sum of the chances of the move in all rounds of regret matching, weighted by the
    /// round.
    pub(super) weight: f32,
    /// The number of moves of the role, which divides the list of all roles' moves.
    pub(super) of: u32,
    /// Visits that were not backpropagated yet.
    pub(super) pending: u16,
    /// Bounds of the role's result, whatever the others play.
    pub bounds: Bounds,
}

impl Arm {
    /// A move that was never visited, one of so many of its role.
    pub(super) fn new(mv: MoveId, of: u32) -> Arm {
        Arm {
            mv,
            visits: 0,
            mean: 0.0,
            square: 0.0,
            regret: 0.0,
            weight: 0.0,
            of,
            pending: 0,
            bounds: Bounds::OPEN,
        }
    }

    /// The number of visits that were backpropagated.
    #[inline]
    pub fn samples(&self) -> u32 {
        self.visits.saturating_sub(u32::from(self.pending))
    }

    #[inline]
    pub(super) fn begin_visit(&mut self) {
        self.visits += 1;
        self.pending = self.pending.saturating_add(1);
    }

    pub(super) fn undo_visit(&mut self) {
        self.visits = self.visits.saturating_sub(1);
        self.pending = self.pending.saturating_sub(1);
    }

    /// Whether the move is not dominated by a move that guarantees `guaranteed`.
    pub fn is_undominated(&self, guaranteed: u8) -> bool {
        self.bounds.high > guaranteed || self.bounds.low == guaranteed
    }
}

/// The result that one of the moves guarantees its role, whatever the others play.
pub(crate) fn guaranteed(arms: &[Arm]) -> u8 {
    arms.iter().map(|arm| arm.bounds.low).max().unwrap_or(0)
}

/// The move with the highest upper confidence bound; unvisited ones first, in random order.
/// Pending visits count as virtual losses.
pub(super) fn best_ucb(arms: &[Arm], visits: u32, config: &Config, rng: &mut impl Rng) -> usize {
    let log = (visits.max(2) as f32).ln();
    let guaranteed = guaranteed(arms);
    let (mut pick, mut top, mut unvisited) = (0, f32::NEG_INFINITY, 0);
    for (at, arm) in arms.iter().enumerate() {
        if !arm.is_undominated(guaranteed) {
            continue;
        }
        if arm.visits == 0 {
            unvisited += 1;
            if rng.random_range(0..unvisited) == 0 {
                pick = at;
            }
            continue;
        }
        if unvisited > 0 {
            continue;
        }
        let variance = (arm.square - arm.mean * arm.mean).max(0.0);
        let visits = arm.visits as f32;
        let back = arm.samples() as f32 / visits;
        let bound = arm.mean * back + config.exploration as f32 * ucb_width(variance, log, visits);
        if bound > top {
            (pick, top) = (at, bound);
        }
    }
    pick
}

/// Draws an index by chances that add up to 1.
pub(crate) fn draw(chances: &[f64], rng: &mut impl Rng) -> usize {
    let mut left: f64 = rng.random();
    for (at, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return at;
        }
    }
    // Rounding may leave a remainder.
    chances
        .iter()
        .rposition(|&chance| chance > 0.0)
        .unwrap_or(0)
}
