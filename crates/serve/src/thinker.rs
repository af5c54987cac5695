//! The worker that chooses moves.

use crate::follower::{Follower, Played, guarded};
use crate::legal::LegalMoves;
use crate::live::{Event, Shared};
use crate::options::Options;
use crate::tracker::Tracker;
use crate::turn::Turn;
use budget::{Budget, Clock, Stop};
use game::{EngineError, GroundTerm, MoveId};
use metagame::TIMETABLE;
use players::{Player, PlayerError, Setup};
use records::Thought;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use tracing::{debug, error, info, warn};

/// The part of a turn, 1 / `LIST`, that listing the legal moves may take.
const LIST: u32 = 8;

/// Runs the thinker until the match ends.
pub(crate) fn run(
    shared: &Arc<Shared>,
    options: &Options,
    clock: &Arc<dyn Clock>,
    events: &Receiver<Event>,
) {
    let stopped = || shared.stop.is_stopped();
    let until = shared.prepare_until;
    let Some(taken) = shared.engines.wait(&**clock, until, stopped) else {
        return;
    };
    let follower = match taken.built {
        Ok(playable) => Follower::new(playable, &shared.role)
            .ok_or_else(|| format!("the rules have no role {}", shared.role)),
        Err(error) => Err(error),
    };
    let mut thinker = match follower {
        Ok(follower) => Thinker {
            follower,
            options,
            player: None,
            clock,
        },
        Err(error) => {
            shared.set_ready(Err(error));
            return;
        }
    };
    if taken.building {
        let engine = thinker.follower.tracker.engine().name();
        warn!(id = %shared.id, "still preparing; playing on the {engine} until then");
    }
    thinker.start_player(shared, shared.start_until);
    shared.set_ready(Ok(thinker.follower.tracker.engine().name()));
    thinker.ponder(shared, None, &shared.begun, shared.first_until);
    while let Ok(event) = events.recv() {
        if let Event::Turn { turn, played } = event {
            thinker.turn(shared, &turn, &played);
        }
    }
}

struct Thinker<'a> {
    follower: Follower,
    options: &'a Options,
    player: Option<Box<dyn Player>>,
    clock: &'a Arc<dyn Clock>,
}

impl Thinker<'_> {
    fn budget(&self, shared: &Shared, until: Duration) -> Budget {
        Budget::unlimited(self.clock.clone())
            .with_deadline(until)
            .with_memory(self.options.memory)
            .with_stop(shared.stop.clone())
    }

    /// Sets up a new player on the thinker's engine.
    fn start_player(&mut self, shared: &Shared, until: Duration) {
        let setup = Setup {
            playable: self.follower.playable(),
            role: self.follower.me,
            seed: shared.seed,
            threads: self.options.threads,
            memory: self.options.memory,
        };
        let budget = self.budget(shared, until);
        for slot in &TIMETABLE {
            debug!(id = %shared.id, "{slot}");
        }
        self.player = guarded(shared, "starting the player", || {
            let mut player = (self.options.player)();
            match player.start(setup, &budget) {
                Ok(()) => {
                    for decision in player.plan().into_iter().flat_map(|plan| &plan.decisions) {
                        info!(id = %shared.id, "{decision}");
                    }
                    Some(player)
                }
                Err(error) => {
                    error!(id = %shared.id, "the player cannot play this: {error}");
                    None
                }
            }
        })
        .flatten();
    }

    /// Changes to a better engine if one has come after the start clock.
    fn upgrade(&mut self, shared: &Shared, until: Duration) {
        let Some(better) = shared.engines.take_better() else {
            return;
        };
        let name = better.engine.name();
        let history = self.follower.tracker.history().clone();
        let budget = self.budget(shared, until).without_deadline();
        let replayed = guarded(shared, "changing the engine", || {
            let mut follower = Follower::new(better, &shared.role)?;
            let fork = follower.tracker.engine().fork();
            follower.tracker = Tracker::replay(fork, &history, &budget)?;
            Some(follower)
        });
        match replayed.flatten() {
            Some(follower) => {
                info!(id = %shared.id, engine = name, "a better engine is ready");
                self.follower = follower;
                self.start_player(shared, until);
            }
            None => warn!(id = %shared.id, engine = name, "the match cannot go on there"),
        }
    }

    fn turn(&mut self, shared: &Shared, turn: &Turn, played: &Played) {
        // A tenth of the turn is for a new setup, should that be needed.
        let now = self.clock.now();
        let setup_until = now + turn.times.think.saturating_sub(now) / 10;
        self.upgrade(shared, setup_until);
        let until = self.budget(shared, turn.times.think);
        let followed = self.follower.follow(shared, played, &until.share(2));
        if followed.is_none() {
            turn.thinker_done(None);
            return;
        }
        turn.thinker_follows(self.follower.speller());
        // The list only serves to check the choice. Where it takes long, the player needs the
        // time.
        let until = until.share(LIST).with_stop(turn.over.clone());
        let legal = self.follower.legal(shared, &until).map(Arc::new);
        if let Some(legal) = &legal {
            turn.thinker_legal(legal.clone());
        }
        let choice = match legal.as_ref().map(|legal| legal.ids()) {
            Some([]) => None,
            Some(&[only]) => {
                self.record(shared, turn, |role| {
                    Some(Thought {
                        role: role.to_string(),
                        line: "it is the only legal move".into(),
                        ..Thought::default()
                    })
                });
                Some(only)
            }
            _ => {
                if self.player.is_none() {
                    self.start_player(shared, setup_until);
                }
                self.choose(shared, turn, legal.as_deref())
            }
        };
        let me = self.follower.me;
        let tracker = &mut self.follower.tracker;
        let term = choice.map(|id| tracker.term(me, id));
        turn.thinker_done(term.clone());
        // The answer may differ from the choice.
        let answer = turn.answer().or(term);
        let own = answer.and_then(|term| tracker.find(me, &term));
        if own.is_some() {
            self.ponder(shared, own, &turn.over, turn.times.ponder);
        }
    }

    /// Lets the player ponder after the answer `own`.
    ///
    /// It stops when `over` signals the next turn, or at `until` at the latest.
    fn ponder(&mut self, shared: &Shared, own: Option<MoveId>, over: &Stop, until: Duration) {
        let budget = self.budget(shared, until).with_stop(over.clone());
        let Some(player) = self.player.as_mut().filter(|_| self.options.ponder) else {
            return;
        };
        let state = self.follower.tracker.state();
        let since = self.clock.now();
        let done = guarded(shared, "thinking on", || player.ponder(state, own, &budget));
        if done.is_none() {
            self.player = None;
        }
        let ms = self.clock.now().saturating_sub(since).as_millis();
        debug!(id = %shared.id, ms, "thought on");
    }

    /// The player's choice. Without one the turn takes what was published.
    fn choose(
        &mut self,
        shared: &Shared,
        turn: &Turn,
        legal: Option<&LegalMoves>,
    ) -> Option<MoveId> {
        let budget = self
            .budget(shared, turn.times.think)
            .with_stop(turn.stop.clone());
        let state = self.follower.tracker.state();
        let player = self.player.as_mut()?;
        let choice = guarded(shared, "choosing a move", || {
            player.choose(state, &turn.best, &budget)
        });
        let step = turn.step;
        let id = match choice {
            Some(Ok(id)) => id,
            Some(Err(PlayerError::Engine(EngineError::Exhausted(why)))) => {
                warn!(id = %shared.id, step, "the player found no move in time: {why}");
                return None;
            }
            Some(Err(error)) => {
                error!(id = %shared.id, step, "the player has no move: {error}");
                return None;
            }
            None => {
                self.player = None;
                return None;
            }
        };
        let (thought, work) = (player.thought().cloned(), player.work());
        if let Some(why) = player.explain() {
            info!(id = %shared.id, step, "{why}");
        }
        self.record(shared, turn, |role| {
            let told = thought.map(|thought| Thought::new(role, &thought));
            told.or_else(|| {
                work.map(|work| Thought {
                    role: role.to_string(),
                    playouts: Some(work.playouts),
                    seconds: Some(work.time.as_secs_f64()),
                    ..Thought::default()
                })
            })
        });
        if legal.is_some_and(|legal| !legal.ids().contains(&id)) {
            error!(id = %shared.id, step, "the player chose what is not legal");
            return None;
        }
        Some(id)
    }

    /// Records what led to the choice of a turn: `tell` puts it into words for our role.
    fn record(
        &self,
        shared: &Shared,
        turn: &Turn,
        tell: impl FnOnce(&GroundTerm) -> Option<Thought>,
    ) {
        let role = &self.follower.tracker.engine().roles()[self.follower.me.0];
        if let Some(thought) = tell(role).filter(|_| shared.recorder.is_on()) {
            shared.recorder.thought(turn.step, thought);
        }
    }
}
