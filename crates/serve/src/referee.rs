//! The worker that follows a match with the plain engine and knows what is legal.

use crate::live::{Event, Shared};
use crate::preparer::Preparer;
use crate::tracker::Tracker;
use crate::turn::Turn;
use budget::Budget;
use compile::Playable;
use game::{EngineError, GroundTerm, RoleId};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use tracing::{debug, error, info, warn};

/// Runs the referee until the match ends.
pub(crate) fn run(
    shared: &Arc<Shared>,
    preparer: &dyn Preparer,
    budget: &Budget,
    events: &Receiver<Event>,
) {
    let built = guarded(shared, "preparing the quick engine", || {
        preparer.quick(&shared.rules, budget)
    })
    .unwrap_or_else(|| Err("preparation panicked".into()));
    let mut referee = match built {
        Ok(engine) => {
            shared.engines.put_quick(Ok(engine.fork()));
            Referee::new(engine, shared)
        }
        Err(error) => {
            warn!(id = %shared.id, "no quick engine: {error}");
            shared.engines.put_quick(Err(error));
            None
        }
    };
    while let Ok(event) = events.recv() {
        match referee.as_mut() {
            Some(referee) => referee.handle(shared, event),
            None => {
                if let Event::Turn { turn, .. } = event {
                    turn.referee_done(None);
                }
            }
        }
    }
}

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
}

impl Follower {
    /// `None` if the game has no role with this name.
    pub(crate) fn new(playable: Playable, role: &GroundTerm) -> Option<Self> {
        let tracker = Tracker::new(playable.engine.fork());
        Some(Follower {
            pristine: playable,
            me: tracker.role(role)?,
            tracker,
        })
    }

    /// Runs `work` on the tracker. After a panic it resets the tracker and tries once more.
    pub(crate) fn try_work<T>(
        &mut self,
        shared: &Shared,
        what: &str,
        work: impl Fn(&mut Tracker, RoleId) -> Result<T, EngineError>,
    ) -> Option<T> {
        for _ in 0..2 {
            let history = self.tracker.history().clone();
            let (tracker, me) = (&mut self.tracker, self.me);
            match guarded(shared, what, || work(tracker, me)) {
                Some(Ok(value)) => return Some(value),
                Some(Err(error)) => {
                    error!(id = %shared.id, "{what}: {error}");
                    return None;
                }
                None => {
                    let engine = self.pristine.engine.fork();
                    self.tracker = guarded(shared, what, || Tracker::replay(engine, &history))??;
                }
            }
        }
        None
    }

    /// A fork of the game for a player.
    pub(crate) fn playable(&self) -> Playable {
        self.pristine.fork()
    }

    /// Follows the moves of a turn's message.
    pub(crate) fn follow(&mut self, shared: &Shared, moves: &Played) -> Option<Vec<String>> {
        self.try_work(shared, "following the match", |tracker, me| {
            moves.follow(tracker, me)
        })
    }
}

/// The moves of a message, and what we know about them.
#[derive(Debug, Clone)]
pub(crate) struct Played {
    /// The message.
    pub(crate) sent: protocol::Turn,
    /// Our answer to the turn before; `None` at the first turn.
    pub(crate) own: Option<GroundTerm>,
    /// Whether this is the first turn of the match.
    pub(crate) first: bool,
}

impl Played {
    /// Follows the moves on `tracker`. Returns what was not as expected.
    fn follow(&self, tracker: &mut Tracker, me: RoleId) -> Result<Vec<String>, EngineError> {
        let roles = tracker.engine().roles().to_vec();
        let mut notes = Vec::new();
        if self.first {
            tracker.reset();
        }
        let mut moves = match self.sent.joint(&roles, me.0) {
            Some(moves) => moves,
            None if self.first => return Ok(notes),
            None => vec![None; roles.len()],
        };
        if let (Some(entry), Some(own)) = (moves.get_mut(me.0), &self.own) {
            match entry {
                Some(played) if !played.eq_ignore_case(own) => {
                    notes.push(format!("the server played {played} instead of our {own}"));
                }
                Some(_) => {}
                None => *entry = Some(own.clone()),
            }
        }
        let slips = tracker.advance(&moves)?;
        notes.extend(slips.iter().map(ToString::to_string));
        Ok(notes)
    }
}

struct Referee {
    follower: Follower,
}

impl Referee {
    fn new(playable: Playable, shared: &Shared) -> Option<Self> {
        let follower = Follower::new(playable, &shared.role);
        if follower.is_none() {
            warn!(id = %shared.id, "the rules have no role {}", shared.role);
        }
        Some(Referee {
            follower: follower?,
        })
    }

    fn handle(&mut self, shared: &Shared, event: Event) {
        match event {
            Event::Turn { turn, played } => self.turn(shared, &turn, &played),
            Event::Ask { sent, own, reply } => {
                let fits = self
                    .follower
                    .try_work(shared, "checking moves", |tracker, me| {
                        let roles = tracker.engine().roles().to_vec();
                        let Some(moves) = sent.joint(&roles, me.0) else {
                            return Ok(false);
                        };
                        let ours = match (&moves[me.0], &own) {
                            (Some(played), Some(own)) => played.eq_ignore_case(own),
                            _ => true,
                        };
                        Ok(ours && tracker.all_legal(&moves)?)
                    });
                // The receiver may be gone, which is fine.
                let _ = reply.send(fits.unwrap_or(false));
            }
            Event::Finish { played } => self.finish(shared, &played),
        }
    }

    fn turn(&mut self, shared: &Shared, turn: &Turn, played: &Played) {
        let step = turn.step;
        self.follow(shared, step, played);
        // A match that has ended is followed only to find its result.
        if shared.stop.is_stopped() {
            return;
        }
        let legal = self
            .follower
            .try_work(shared, "finding the legal moves", Tracker::legal);
        if let Some(legal) = &legal {
            debug!(id = %shared.id, step, moves = legal.len(), "referee is ready");
        }
        turn.referee_done(legal.map(|moves| moves.into_iter().map(|(_, term)| term).collect()));
    }

    fn follow(&mut self, shared: &Shared, step: usize, played: &Played) {
        for note in self.follower.follow(shared, played).unwrap_or_default() {
            warn!(id = %shared.id, step, "{note}");
        }
    }

    /// Logs how the match ended.
    fn finish(&mut self, shared: &Shared, played: &Played) {
        let over = |follower: &mut Follower| {
            follower
                .try_work(shared, "finding the goals", |tracker, _| tracker.result())
                .flatten()
        };
        let mut goals = over(&mut self.follower);
        if goals.is_none() && !played.sent.is_first() {
            let step = self.follower.tracker.history().len();
            self.follow(shared, step, played);
            goals = over(&mut self.follower);
        }
        let id = &shared.id;
        let steps = self.follower.tracker.history().len();
        match goals {
            Some(goals) => {
                let results: Vec<_> = self
                    .follower
                    .tracker
                    .engine()
                    .roles()
                    .iter()
                    .zip(&goals)
                    .map(|(role, goal)| match goal {
                        Some(goal) => format!("{role} {goal}"),
                        None => format!("{role} without a goal"),
                    })
                    .collect();
                info!(%id, steps, role = %shared.role, "result: {}", results.join(", "));
            }
            None => info!(%id, steps, "stopped before the end of play"),
        }
    }
}
