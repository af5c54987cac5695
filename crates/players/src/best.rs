//! The best move of a player so far.

use game::MoveId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// No move has been published. Moves are 32 bits wide, so this value is no move.
const NONE: u64 = u64::MAX;

/// A shared cell for the best move so far. Clones share the cell.
///
/// The player publishes while it thinks, and the caller that watches the clock reads. So there
/// is an answer even if the search does not return in time.
#[derive(Debug, Clone)]
pub struct BestMove(Arc<AtomicU64>);

impl Default for BestMove {
    fn default() -> Self {
        BestMove(Arc::new(AtomicU64::new(NONE)))
    }
}

impl BestMove {
    /// Replaces the best move so far.
    pub fn publish(&self, mv: MoveId) {
        self.0.store(u64::from(mv.0), Ordering::Release);
    }

    /// The best move so far; `None` before the first was published.
    pub fn get(&self) -> Option<MoveId> {
        match self.0.load(Ordering::Acquire) {
            NONE => None,
            mv => Some(MoveId(mv as u32)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_move_and_every_id_fits() {
        let best = BestMove::default();
        let seen = best.clone();
        assert_eq!(seen.get(), None);
        best.publish(MoveId(0));
        assert_eq!(seen.get(), Some(MoveId(0)));
        best.publish(MoveId(u32::MAX));
        assert_eq!(seen.get(), Some(MoveId(u32::MAX)));
    }
}
