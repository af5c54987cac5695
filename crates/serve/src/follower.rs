//! A match on one engine that survives panics of the engine.

use crate::legal::{LegalMoves, Speller};
use crate::live::Shared;
use crate::tracker::{Slip, Tracker};
use budget::Budget;
use compile::Playable;
use game::{EngineError, GroundTerm, RoleId};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tracing::{debug, error};

/// Runs `work`; a panic is logged and gives `None`.
pub(crate) fn guarded<T>(shared: &Shared, what: &str, work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => Some(value),
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(ToString::to_string)
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            error!(id = %shared.id, "panic while {what}: {text}");
            None
        }
    }
}

/// An engine's tracker that survives panics of the engine.
pub(crate) struct Follower {
    pristine: Playable,
    pub(crate) tracker: Tracker,
    pub(crate) me: RoleId,
    speller: Speller,
}

impl Follower {
    /// `None` if the game has no role with this name.
    pub(crate) fn new(playable: Playable, role: &GroundTerm) -> Option<Self> {
        let tracker = Tracker::new(playable.engine.fork());
        let me = tracker.role(role)?;
        Some(Follower {
            speller: Speller::new(playable.engine.fork(), me),
            pristine: playable,
            me,
            tracker,
        })
    }

    /// Runs `work` on the tracker within `budget`. After a panic it resets the tracker and tries
    /// once more. `None` if that failed or the budget ended.
    pub(crate) fn try_work<T>(
        &mut self,
        shared: &Shared,
        what: &str,
        budget: &Budget,
        work: impl Fn(&mut Tracker, RoleId) -> Result<T, EngineError>,
    ) -> Option<T> {
        for _ in 0..2 {
            let history = self.tracker.history().clone();
            let (tracker, me) = (&mut self.tracker, self.me);
            tracker.bound(budget);
            match guarded(shared, what, || work(tracker, me)) {
                Some(Ok(value)) => return Some(value),
                Some(Err(EngineError::Exhausted(why))) => {
                    debug!(id = %shared.id, "{what}: {why}");
                    return None;
                }
                Some(Err(error)) => {
                    error!(id = %shared.id, "{what}: {error}");
                    return None;
                }
                None => {
                    let engine = self.pristine.engine.fork();
                    // Without the history nothing can be said, even if it comes late.
                    let budget = budget.clone().without_deadline();
                    let replay = || Tracker::replay(engine, &history, &budget);
                    self.tracker = guarded(shared, what, replay)??;
                }
            }
        }
        None
    }

    pub(crate) fn speller(&self) -> Speller {
        self.speller.clone()
    }

    /// A fork of the game for a player.
    pub(crate) fn playable(&self) -> Playable {
        self.pristine.fork()
    }

    /// Follows the moves of a turn's message. They are compared with the legal ones until
    /// `budget` ends, and then taken as they were sent.
    pub(crate) fn follow(
        &mut self,
        shared: &Shared,
        moves: &Played,
        budget: &Budget,
    ) -> Option<Followed> {
        self.try_work(shared, "following the match", budget, |tracker, me| {
            moves.follow(tracker, me, budget)
        })
    }

    /// All legal moves of our role.
    pub(crate) fn legal(&mut self, shared: &Shared, budget: &Budget) -> Option<LegalMoves> {
        let ids = self.try_work(shared, "listing the legal moves", budget, Tracker::legal)?;
        Some(LegalMoves::new(ids, &self.speller))
    }
}

/// The moves of a message, and what we know about them.
#[derive(Debug, Clone)]
pub(crate) struct Played {
    /// The message.
    pub(crate) sent: protocol::Turn,
    /// Our answer to the turn before; `None` at the first turn.
    pub(crate) own: Option<GroundTerm>,
    /// Our answer to the turn before that, if the last turn may have been none: its message may
    /// have been an old one.
    pub(crate) own_before: Option<GroundTerm>,
    /// Whether this is the first turn of the match.
    pub(crate) first: bool,
}

impl Played {
    /// Follows the moves on `tracker`.
    fn follow(
        &self,
        tracker: &mut Tracker,
        me: RoleId,
        budget: &Budget,
    ) -> Result<Followed, EngineError> {
        let roles = tracker.engine().roles().to_vec();
        let mut notes = Vec::new();
        if self.first {
            tracker.reset();
        }
        let before = tracker.history().len();
        let mut moves = match self.sent.joint(&roles, me.0) {
            Some(moves) => moves,
            None if self.first => {
                return Ok(Followed {
                    notes,
                    moved: false,
                });
            }
            None => vec![None; roles.len()],
        };
        let mut from_before = false;
        if let (Some(entry), Some(own)) = (moves.get_mut(me.0), &self.own) {
            match entry {
                Some(played) if !played.eq_ignore_case(own) => {
                    let before = self.own_before.as_ref();
                    from_before = before.is_some_and(|before| played.eq_ignore_case(before));
                    notes.push(format!("the server played {played} instead of our {own}"));
                }
                Some(_) => {}
                None => *entry = Some(own.clone()),
            }
        }
        let slips = tracker.advance(&moves, from_before, budget)?;
        notes.extend(slips.iter().map(ToString::to_string));
        let moved = tracker.history().len() > before || slips.contains(&Slip::Rewound);
        Ok(Followed { notes, moved })
    }
}

/// What came of the moves of a message.
pub(crate) struct Followed {
    /// What was not as expected.
    pub(crate) notes: Vec<String>,
    /// Whether the match went on by these moves.
    pub(crate) moved: bool,
}
