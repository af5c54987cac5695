//! The worker that follows a match with the plain engine and knows what is legal.

use crate::follower::{Follower, Played, guarded};
use crate::live::{Event, Fit, Shared};
use crate::preparer::Preparer;
use crate::tracker::COMPARE;
use crate::turn::Turn;
use budget::{Budget, Clock};
use compile::Playable;
use game::GroundTerm;
use records::Thought;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use tracing::{debug, info, warn};

/// How long the last moves of a match are compared with the legal ones.
const LAST: Duration = Duration::from_millis(400);

/// Runs the referee until the match ends.
pub(crate) fn run(
    shared: &Arc<Shared>,
    preparer: &dyn Preparer,
    clock: &Arc<dyn Clock>,
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
            Referee::new(engine, shared, clock)
        }
        Err(error) => {
            warn!(id = %shared.id, "no quick engine: {error}");
            shared.engines.put_quick(Err(error));
            None
        }
    };
    while let Ok(event) = events.recv() {
        match (referee.as_mut(), event) {
            (Some(referee), event) => referee.handle(event),
            (None, Event::Turn { turn, .. }) => turn.referee_done(None),
            (None, Event::Finish { .. }) => shared.recorder.ended(None),
            (None, Event::Ask { .. }) => {}
        }
    }
}

struct Referee<'a> {
    shared: &'a Shared,
    follower: Follower,
    /// What the match itself allows: everything, until it is aborted.
    lasting: Budget,
}

impl<'a> Referee<'a> {
    fn new(playable: Playable, shared: &'a Shared, clock: &Arc<dyn Clock>) -> Option<Self> {
        let follower = Follower::new(playable, &shared.role);
        let Some(mut follower) = follower else {
            warn!(id = %shared.id, "the rules have no role {}", shared.role);
            return None;
        };
        if shared.recorder.is_on() {
            let facts = follower.tracker.facts();
            let (roles, me) = (follower.tracker.engine().roles(), follower.me.0);
            shared.recorder.game(roles, me, facts, clock.now());
        }
        Some(Referee {
            shared,
            follower,
            lasting: Budget::unlimited(clock.clone()).with_stop(shared.aborted.clone()),
        })
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Turn { turn, played } => self.turn(&turn, &played),
            Event::Ask {
                sent,
                own,
                until,
                reply,
            } => {
                let until = until.max(self.lasting.clock().now() + COMPARE);
                let budget = self.lasting.clone().with_deadline(until);
                let work = "checking moves";
                let fits = self
                    .follower
                    .try_work(self.shared, work, &budget, |tracker, me| {
                        let roles = tracker.engine().roles().to_vec();
                        let Some(moves) = sent.joint(&roles, me.0) else {
                            return Ok(Fit::Nowhere);
                        };
                        let ours = match (&moves[me.0], &own) {
                            (Some(played), Some(own)) => played.eq_ignore_case(own),
                            _ => true,
                        };
                        match ours {
                            true => tracker.fit(&moves, &budget),
                            false => Ok(Fit::Nowhere),
                        }
                    });
                // The receiver may be gone, which is fine.
                let _ = reply.send(fits);
            }
            Event::Finish { played } => self.finish(&played),
        }
    }

    fn turn(&mut self, turn: &Turn, played: &Played) {
        let until = self.lasting.clone().with_deadline(turn.times.think);
        // The other half is for the moves of this turn.
        self.follow(played, &until.share(2));
        // A match that has ended is followed only to find its result.
        if self.shared.stop.is_stopped() {
            return;
        }
        let budget = self.lasting.clone().with_stop(turn.over.clone());
        // One legal move is known long before all are.
        let work = "finding a legal move";
        let first = self
            .follower
            .try_work(self.shared, work, &budget, |tracker, me| {
                tracker.some_legal(me)
            });
        if let Some(Some(first)) = first {
            turn.referee_first(first);
        }
        let legal = self
            .follower
            .legal(self.shared, &budget.with_deadline(turn.times.last_call));
        if let Some(legal) = &legal {
            let (step, moves) = (turn.step, legal.ids().len());
            debug!(id = %self.shared.id, step, moves, "referee is ready");
        }
        turn.referee_done(legal);
    }

    /// Follows the moves of a message, and logs and records them.
    fn follow(&mut self, played: &Played, budget: &Budget) {
        let shared = self.shared;
        let Some(followed) = self.follower.follow(shared, played, budget) else {
            return;
        };
        let tracker = &mut self.follower.tracker;
        let step = tracker.history().len();
        for note in &followed.notes {
            warn!(id = %shared.id, step, "{note}");
        }
        let Some(joint) = tracker.history().last().filter(|_| followed.moved).cloned() else {
            return;
        };
        let roles = tracker.engine().roles();
        let moves: Vec<_> = roles
            .iter()
            .zip(joint.iter())
            .map(|(role, mv)| format!("{role} played {mv}"))
            .collect();
        info!(id = %shared.id, "turn {step}: {}", moves.join(", "));
        if shared.recorder.is_on() {
            for note in followed.notes {
                let role = roles[self.follower.me.0].to_string();
                let thought = Thought {
                    role,
                    line: note,
                    ..Thought::default()
                };
                shared.recorder.thought(step - 1, thought);
            }
            let (facts, now) = (tracker.facts(), self.lasting.clock().now());
            shared.recorder.moved(step - 1, joint, facts, now);
        }
    }

    /// Logs and records how the match ended.
    fn finish(&mut self, played: &Played) {
        let mut goals = self.goals();
        if goals.is_none() && !played.sent.is_first() {
            let budget = self.lasting.clone().with_timeout(LAST);
            self.follow(played, &budget);
            goals = self.goals();
        }
        let id = &self.shared.id;
        let steps = self.follower.tracker.history().len();
        match &goals {
            Some(goals) => {
                let roles = self.follower.tracker.engine().roles();
                let results: Vec<_> = roles
                    .iter()
                    .zip(goals)
                    .map(|(role, goal): (&GroundTerm, _)| match goal {
                        Some(goal) => format!("{role} {goal}"),
                        None => format!("{role} without a goal"),
                    })
                    .collect();
                info!(%id, steps, role = %self.shared.role, "result: {}", results.join(", "));
            }
            None => info!(%id, steps, "stopped before the end of play"),
        }
        self.shared.recorder.ended(goals.as_deref());
    }

    /// The goals, if play has ended.
    fn goals(&mut self) -> Option<Vec<Option<u8>>> {
        let (shared, budget) = (self.shared, &self.lasting);
        let work = "finding the goals";
        let goals = self
            .follower
            .try_work(shared, work, budget, |tracker, _| tracker.result());
        goals.flatten()
    }
}
