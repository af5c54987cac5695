//! The best move of a player so far, and what it thinks of it.

use crate::Thought;
use game::MoveId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// No move has been published. Moves are 32 bits wide, so this value is no move.
const NONE: u64 = u64::MAX;

/// A shared cell for the best move so far. Clones share the cell.
///
/// The player publishes while it thinks, and the caller that watches the clock reads. So there
/// is an answer even if the search does not return in time.
///
/// A caller that shows what the player thinks asks for that ([`BestMove::ask`]) and finds it a
/// little later ([`BestMove::thought`]). To put a thought into words takes microseconds, so
/// players do it only when they are asked.
#[derive(Debug, Clone)]
pub struct BestMove(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    mv: AtomicU64,
    asked: AtomicBool,
    thought: Mutex<Option<Thought>>,
}

impl Default for BestMove {
    fn default() -> Self {
        BestMove(Arc::new(Shared {
            mv: AtomicU64::new(NONE),
            asked: AtomicBool::new(false),
            thought: Mutex::new(None),
        }))
    }
}

impl BestMove {
    /// Replaces the best move so far.
    pub fn publish(&self, mv: MoveId) {
        self.0.mv.store(u64::from(mv.0), Ordering::Release);
    }

    /// The best move so far; `None` before the first was published.
    pub fn get(&self) -> Option<MoveId> {
        match self.0.mv.load(Ordering::Acquire) {
            NONE => None,
            mv => Some(MoveId(mv as u32)),
        }
    }

    /// Asks the player what it thinks.
    pub fn ask(&self) {
        self.0.asked.store(true, Ordering::Release);
    }

    /// The answer to the last question, once; `None` if there is none yet.
    pub fn thought(&self) -> Option<Thought> {
        let mut thought = self
            .0
            .thought
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        thought.take()
    }

    /// Answers a question, if there was one. `thought` is called only then.
    pub fn answer(&self, thought: impl FnOnce() -> Option<Thought>) {
        if self.0.asked.load(Ordering::Relaxed) && self.0.asked.swap(false, Ordering::AcqRel) {
            let thought = thought();
            *self
                .0
                .thought
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = thought;
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

    #[test]
    fn a_thought_is_made_for_each_question_and_read_once() {
        let best = BestMove::default();
        let seen = best.clone();
        best.answer(|| unreachable!("nobody asked"));
        let pass = || Thought::of("pass".parse().expect("a term"));
        for _ in 0..2 {
            seen.ask();
            assert_eq!(seen.thought(), None);
            best.answer(|| Some(pass()));
            best.answer(|| unreachable!("it has been answered"));
            assert_eq!(seen.thought(), Some(pass()));
            assert_eq!(seen.thought(), None);
        }
    }
}
