//! The legal moves of a role in a state, as an engine numbers them.
//!
//! There may be hundreds of thousands. So nobody makes terms of all of them: a move is spelled
//! when it is needed, on an engine that is used for nothing else, so that it is never busy.

use game::{Engine, GroundTerm, MoveId, RoleId};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Spells moves of one role, and finds them. Clones share the engine.
#[derive(Clone)]
pub(crate) struct Speller {
    engine: Arc<Mutex<Box<dyn Engine>>>,
    role: RoleId,
}

impl Speller {
    /// On a fork of the engine that numbers the moves.
    pub(crate) fn new(fork: Box<dyn Engine>, role: RoleId) -> Self {
        Speller {
            engine: Arc::new(Mutex::new(fork)),
            role,
        }
    }

    pub(crate) fn term(&self, id: MoveId) -> Option<GroundTerm> {
        let mut engine = self.engine.lock();
        catch_unwind(AssertUnwindSafe(|| engine.move_term(self.role, id))).ok()
    }

    fn find(&self, term: &GroundTerm) -> Option<MoveId> {
        let mut engine = self.engine.lock();
        catch_unwind(AssertUnwindSafe(|| engine.find_move(self.role, term))).ok()?
    }
}

/// All legal moves of a state.
pub(crate) struct LegalMoves {
    ids: Vec<MoveId>,
    speller: Speller,
}

impl LegalMoves {
    pub(crate) fn new(ids: Vec<MoveId>, speller: &Speller) -> Self {
        let moves = LegalMoves {
            ids,
            speller: speller.clone(),
        };
        // An engine may have to learn all new terms before it spells the first of them. Better
        // now than when the answer is due.
        if let Some(first) = moves.first() {
            moves.speller.find(&first);
        }
        moves
    }

    pub(crate) fn ids(&self) -> &[MoveId] {
        &self.ids
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(crate) fn first(&self) -> Option<GroundTerm> {
        self.ids.first().and_then(|&id| self.speller.term(id))
    }

    /// The term of a move, if it is one of these.
    pub(crate) fn term(&self, id: MoveId) -> Option<GroundTerm> {
        self.ids.contains(&id).then(|| self.speller.term(id))?
    }

    /// The move that a term denotes, if it is one of these.
    pub(crate) fn find(&self, term: &GroundTerm) -> Option<MoveId> {
        let id = self.speller.find(term)?;
        self.ids.contains(&id).then_some(id)
    }

    pub(crate) fn contains(&self, term: &GroundTerm) -> bool {
        self.find(term).is_some()
    }
}
