//! A running match: its workers, its turns, and when it counts as dead.

use crate::crew::Crew;
use crate::engines::Engines;
use crate::follower::{Played, guarded};
use crate::options::Options;
use crate::preparer::Preparer;
use crate::recorder::Recorder;
use crate::tracker::COMPARE;
use crate::turn::{Source, Times, Turn};
use crate::{referee, thinker};
use budget::{Budget, Clock, Stop};
use game::GroundTerm;
use metagame::Stage;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;
use tracing::{debug, info, warn};

/// Turns before the present one that are remembered, for messages that come again.
const PAST: usize = 16;
/// Time between the end of thinking and the answer, for the player to return.
const HAND_OVER: Duration = Duration::from_millis(30);
/// How long after the others' clock the next request may still come.
pub(crate) const LAG: Duration = Duration::from_secs(5);
/// Better engines are built for at most this long after the start clock.
const BUILD_ON: Duration = Duration::from_secs(120);
/// A match with a message more recent than this may still be alive.
const ALIVE: Duration = Duration::from_secs(30);
/// The least silence, besides the start clock, after which a match counts as dead.
const DEAD: Duration = Duration::from_secs(600);
/// No clock, however long, keeps a silent match alive for longer.
const FOREVER: Duration = Duration::from_secs(6 * 60 * 60);
/// Stack size of a worker in bytes. Terms nest as deep as the parser allows, and engines
/// recurse over them.
const STACK: usize = 16 << 20;

/// A message to the workers.
#[derive(Clone)]
pub(crate) enum Event {
    /// A turn begins.
    Turn { turn: Arc<Turn>, played: Played },
    /// Asks where these moves may have been played, if our answer was `own`. Nobody waits for the
    /// reply after `until`.
    Ask {
        sent: protocol::Turn,
        own: Option<GroundTerm>,
        until: Duration,
        reply: Sender<Option<Fit>>,
    },
    /// The match is over.
    Finish { played: Played },
}

/// Where the moves of a message may have been played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// In the present state.
    Now,
    /// Not in the present state, but in the one before.
    Before,
    /// In neither.
    Nowhere,
}

/// The data that the workers of a match and its connections share.
pub(crate) struct Shared {
    pub(crate) id: String,
    pub(crate) role: GroundTerm,
    pub(crate) rules: String,
    pub(crate) seed: u64,
    /// When the thinker stops waiting for a better engine.
    pub(crate) prepare_until: Duration,
    /// When the player must be set up.
    pub(crate) start_until: Duration,
    /// When to stop thinking about the first turn if it has not come.
    pub(crate) first_until: Duration,
    /// The first turn has come.
    pub(crate) begun: Stop,
    /// The match is over: everything ends but finding its result.
    pub(crate) stop: Stop,
    /// Everything ends.
    pub(crate) aborted: Stop,
    pub(crate) engines: Engines,
    pub(crate) recorder: Recorder,
    ready: Mutex<Option<Result<&'static str, String>>>,
    changed: Condvar,
}

impl Shared {
    /// Announces that the thinker is ready to play on the engine of this name, or that it never
    /// will be.
    pub(crate) fn set_ready(&self, ready: Result<&'static str, String>) {
        *self.ready.lock() = Some(ready);
        self.changed.notify_all();
    }
}

/// The contents of a START message.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) id: String,
    pub(crate) role: GroundTerm,
    pub(crate) rules: String,
    pub(crate) start_clock: Duration,
    pub(crate) play_clock: Duration,
    /// Whether the match was stopped just before: then this may be a copy that comes late.
    pub(crate) late: bool,
}

/// A running match. Dropping it ends the workers.
pub(crate) struct Live {
    shared: Arc<Shared>,
    clock: Arc<dyn Clock>,
    options: Options,
    start_clock: Duration,
    play_clock: Duration,
    ready_by: Duration,
    /// Whether it may have been begun by a copy of START that came when it was over.
    late: bool,
    workers: [Sender<Event>; 2],
    turns: Mutex<Turns>,
    /// The time of the last message of the match, in nanoseconds of the clock.
    heard: AtomicU64,
}

#[derive(Default)]
struct Turns {
    last: Option<Arc<Turn>>,
    /// The turns before it, the latest first.
    past: VecDeque<Arc<Turn>>,
    /// A second START came: if the next turn has no moves, the server starts the match again.
    restarted: bool,
}

/// What there is to compare a message with, at one moment.
struct Seen {
    /// The present turn.
    last: Option<Arc<Turn>>,
    /// An earlier turn with the same message, and how many turns before the present one it was.
    past: Option<(usize, Arc<Turn>)>,
    /// Whether the message begins the match again.
    restart: bool,
}

impl Live {
    /// Starts a match on a message that arrived at `arrived`.
    pub(crate) fn start(
        terms: Terms,
        options: &Options,
        preparer: &Arc<dyn Preparer>,
        clock: &Arc<dyn Clock>,
        arrived: Duration,
        seed: u64,
        crew: &Crew,
    ) -> std::io::Result<Arc<Live>> {
        let recorder = Recorder::new(
            options.records.as_ref(),
            &terms,
            preparer.rulesheet(&terms.rules),
            &options.name,
            arrived,
            seed,
        )?;
        let usable = options.margin.usable(terms.start_clock);
        let ready_by = arrived + usable;
        let shared = Arc::new(Shared {
            id: terms.id,
            role: terms.role,
            rules: terms.rules,
            seed,
            prepare_until: arrived + Stage::Engine.of(usable),
            start_until: ready_by.saturating_sub(HAND_OVER.min(usable / 10)),
            first_until: arrived + terms.start_clock + LAG,
            begun: Stop::default(),
            stop: Stop::default(),
            aborted: Stop::default(),
            engines: Engines::default(),
            recorder,
            ready: Mutex::new(None),
            changed: Condvar::new(),
        });
        let (to_referee, referee_events) = channel();
        let (to_thinker, thinker_events) = channel();
        let live = Arc::new(Live {
            shared: shared.clone(),
            clock: clock.clone(),
            options: options.clone(),
            start_clock: terms.start_clock,
            play_clock: terms.play_clock,
            ready_by,
            late: terms.late,
            workers: [to_referee, to_thinker],
            turns: Mutex::default(),
            heard: AtomicU64::new(arrived.as_nanos() as u64),
        });
        let spawned = live.spawn(preparer, referee_events, thinker_events, crew);
        if spawned.is_err() {
            live.end();
        }
        spawned.map(|()| live)
    }

    fn spawn(
        &self,
        preparer: &Arc<dyn Preparer>,
        referee_events: Receiver<Event>,
        thinker_events: Receiver<Event>,
        crew: &Crew,
    ) -> std::io::Result<()> {
        let worker = |name: &str, work: Box<dyn FnOnce() + Send>| {
            let builder = thread::Builder::new().name(name.into()).stack_size(STACK);
            let member = crew.join();
            let work = move || {
                work();
                drop(member);
            };
            builder.spawn(work).map(drop)
        };
        let budget = Budget::unlimited(self.clock.clone())
            .with_memory(self.options.memory)
            .with_stop(self.shared.stop.clone());

        let (shared, preparer_, budget_) = (self.shared.clone(), preparer.clone(), budget.clone());
        let clock = self.clock.clone();
        worker(
            "referee",
            Box::new(move || referee::run(&shared, &*preparer_, &clock, &budget_, &referee_events)),
        )?;
        let (shared, options, clock) = (
            self.shared.clone(),
            self.options.clone(),
            self.clock.clone(),
        );
        worker(
            "thinker",
            Box::new(move || thinker::run(&shared, &options, &clock, &thinker_events)),
        )?;
        let (shared, preparer) = (self.shared.clone(), preparer.clone());
        let budget = budget.with_deadline(self.ready_by + BUILD_ON);
        worker(
            "builder",
            Box::new(move || {
                let mut put = |engine| shared.engines.put_better(engine);
                let built = guarded(&shared, "preparing a better engine", || {
                    preparer.better(&shared.rules, &budget, &mut put)
                });
                if let Some(Err(error)) = built
                    && !shared.stop.is_stopped()
                {
                    warn!(id = %shared.id, "no better engine: {error}");
                }
                shared.engines.finish();
            }),
        )
    }

    pub(crate) fn id(&self) -> &str {
        &self.shared.id
    }

    /// Whether a message for match `id` means this one.
    pub(crate) fn is(&self, id: &str) -> bool {
        self.shared.id.eq_ignore_ascii_case(id)
    }

    /// Whether START with these terms repeats the one that began this match.
    pub(crate) fn is_start(&self, terms: &Terms) -> bool {
        self.is(&terms.id) && self.shared.role == terms.role && self.shared.rules == terms.rules
    }

    /// Records that START was sent again.
    pub(crate) fn restart(&self) {
        self.turns.lock().restarted = true;
    }

    /// Records a message of the match.
    pub(crate) fn hear(&self, now: Duration) {
        self.heard
            .fetch_max(now.as_nanos() as u64, Ordering::Relaxed);
    }

    fn silence(&self, now: Duration) -> Duration {
        now.saturating_sub(Duration::from_nanos(self.heard.load(Ordering::Relaxed)))
    }

    /// Whether the match has been silent for so long that a new one may take its place.
    pub(crate) fn is_stale(&self, now: Duration) -> bool {
        // The first PLAY comes when the start clock has run out. A START that was on its way for
        // so long that its match is over begins one that nobody plays.
        let patience = match self.turns.lock().last {
            None if self.late => return true,
            None => (self.start_clock + LAG).min(FOREVER),
            Some(_) => (self.start_clock + 10 * self.play_clock).clamp(ALIVE, FOREVER),
        };
        self.silence(now) > patience
    }

    /// Whether the match has been silent for so long that no server will continue it.
    pub(crate) fn is_dead(&self, now: Duration) -> bool {
        let patience = self.start_clock + DEAD.max(10 * self.play_clock);
        self.silence(now) > patience.min(FOREVER)
    }

    /// Waits until play can begin, at most until shortly before the end of the start clock.
    ///
    /// Returns the name of the engine, or `None` if it is not decided yet.
    ///
    /// # Errors
    /// Why the match cannot be played.
    pub(crate) fn wait_ready(&self) -> Result<Option<&'static str>, String> {
        let mut ready = self.shared.ready.lock();
        loop {
            let now = self.clock.now();
            match &*ready {
                Some(Ok(engine)) => return Ok(Some(engine)),
                Some(Err(error)) => return Err(error.clone()),
                None if self.shared.stop.is_stopped() => return Err("called off".into()),
                None if now >= self.ready_by => return Ok(None),
                None => {
                    self.shared
                        .changed
                        .wait_for(&mut ready, self.ready_by - now);
                }
            }
        }
    }

    /// Answers a PLAY that arrived at `arrived`, in time.
    ///
    /// `number` is the server's number of the turn, if it sends one.
    pub(crate) fn play(
        &self,
        sent: protocol::Turn,
        number: Option<u64>,
        arrived: Duration,
    ) -> (Arc<Turn>, Option<GroundTerm>) {
        let number = number.or(sent.sight.as_ref().and_then(|sight| sight.turn));
        let (turn, retry) = self.begin(sent, number, arrived);
        let (answer, source) = turn.wait(&*self.clock);
        let took = self.clock.now().saturating_sub(arrived);
        let (id, number, ms) = (&self.shared.id, turn.step + 1, took.as_millis());
        match &answer {
            Some(term) if retry => info!(%id, "turn {number}: we play {term} again"),
            Some(term) => info!(%id, "turn {number}: we play {term} ({source}) after {ms} ms"),
            None => warn!(%id, "turn {number}: we have no move ({source}) after {ms} ms"),
        }
        self.shared.recorder.answered(turn.step, took);
        debug_assert!(answer.is_some() || source == Source::Nothing);
        (turn, answer)
    }

    /// The turn that a PLAY begins, or the one that it repeats.
    fn begin(
        &self,
        sent: protocol::Turn,
        number: Option<u64>,
        arrived: Duration,
    ) -> (Arc<Turn>, bool) {
        loop {
            let seen = self.seen(&sent);
            if let Some(turn) = self.copy_of(&seen, &sent, number, arrived) {
                return (turn, true);
            }
            if let Some(turn) = self.open(seen, &sent, number, arrived) {
                return (turn, false);
            }
        }
    }

    /// What there is to compare a message with.
    fn seen(&self, sent: &protocol::Turn) -> Seen {
        let turns = self.turns.lock();
        let past = turns.past.iter().position(|past| past.sent == *sent);
        Seen {
            last: turns.last.clone(),
            past: past.map(|ago| (ago, turns.past[ago].clone())),
            restart: turns.restarted && sent.is_first(),
        }
    }

    /// The turn that a message asks about again, if it does.
    fn copy_of(
        &self,
        seen: &Seen,
        sent: &protocol::Turn,
        number: Option<u64>,
        arrived: Duration,
    ) -> Option<Arc<Turn>> {
        let last = seen.last.as_ref().filter(|_| !seen.restart)?;
        if self.is_retry(last, sent, number, arrived) {
            last.mark_lost(false);
            return Some(last.clone());
        }
        // A message that was on its way for long must not end the present turn. If the last one was
        // such a message, this one belongs to the turn before. Copies that come late are most often
        // those of the message before.
        let (ago, past) = seen.past.as_ref()?;
        let is_copy = last.sent != *sent
            && match self.fits(sent, None) {
                Some(Fit::Nowhere) => true,
                Some(Fit::Before) => *ago == 0 || last.repeats != Some(0),
                Some(Fit::Now) | None => false,
            };
        is_copy.then(|| past.clone())
    }

    /// Opens a turn for a message. `None` if another connection has opened one since.
    fn open(
        &self,
        seen: Seen,
        sent: &protocol::Turn,
        number: Option<u64>,
        arrived: Duration,
    ) -> Option<Arc<Turn>> {
        let mut turns = self.turns.lock();
        let unchanged = match (&turns.last, &seen.last) {
            (None, None) => true,
            (Some(now), Some(then)) => Arc::ptr_eq(now, then),
            _ => false,
        };
        if !unchanged {
            return None;
        }
        self.shared.begun.stop();
        if let Some(last) = &seen.last {
            // The server has moved on: connections that still wait for that turn wait in vain.
            last.call_off();
        }
        let last = seen.last.filter(|_| !seen.restart);
        let turn = Turn::new(
            last.as_ref().map_or(0, |last| last.step + 1),
            sent.clone(),
            seen.past.map(|(ago, _)| ago),
            number,
            self.times(arrived),
        );
        let doubtful = last.as_ref().filter(|last| last.repeats.is_some());
        let played = Played {
            sent: sent.clone(),
            own: last.as_ref().and_then(|last| last.answer()),
            own_before: doubtful.and_then(|_| turns.past.front()?.answer()),
            first: last.is_none(),
        };
        for worker in &self.workers {
            // If a worker has ended, the turn relies on the other one.
            let _ = worker.send(Event::Turn {
                turn: turn.clone(),
                played: played.clone(),
            });
        }
        if let Some(before) = turns.last.replace(turn.clone()) {
            turns.past.push_front(before);
            turns.past.truncate(PAST);
        }
        if seen.restart {
            turns.past.clear();
        }
        turns.restarted = false;
        Some(turn)
    }

    fn times(&self, arrived: Duration) -> Times {
        let usable = self.options.margin.usable(self.play_clock);
        Times {
            think: arrived + usable - HAND_OVER.min(usable / 10),
            answer: arrived + usable,
            last_call: arrived + self.options.margin.last_call(self.play_clock),
            // Others may answer as late as the clock allows.
            ponder: arrived + self.play_clock + LAG.min(self.play_clock),
        }
    }

    /// Whether a PLAY repeats the last one because the server did not get our answer.
    ///
    /// The same moves may also have been played twice in a row. Then they are legal now, and
    /// our own move among them is the one that we answered.
    fn is_retry(
        &self,
        last: &Turn,
        sent: &protocol::Turn,
        number: Option<u64>,
        arrived: Duration,
    ) -> bool {
        if last.sent != *sent {
            return false;
        }
        if let (Some(then), Some(now)) = (last.number, number) {
            return then == now;
        }
        // No server goes on before it has the answer.
        if (last.step == 0 && sent.is_first()) || last.unanswered() || last.answered_after(arrived)
        {
            return true;
        }
        self.fits(sent, last.answer()) != Some(Fit::Now)
    }

    /// Where the moves are legal, ours being `own` if that is given; `None` if the rules do not
    /// tell. What cannot be found out in time counts as fitting now.
    fn fits(&self, sent: &protocol::Turn, own: Option<GroundTerm>) -> Option<Fit> {
        let (reply, answer) = channel();
        let patience = self.play_clock / 4;
        let ask = Event::Ask {
            sent: sent.clone(),
            own,
            until: self.clock.now() + patience,
            reply,
        };
        if self.workers[0].send(ask).is_err() {
            return Some(Fit::Nowhere);
        }
        // Time may have passed for all of the process, so that the referee has had none.
        let reply = answer.recv_timeout(patience);
        let reply = reply.or_else(|_| answer.recv_timeout(2 * COMPARE));
        reply.unwrap_or_else(|_| {
            debug!(id = %self.shared.id, "the referee is slow; taking PLAY for a new one");
            Some(Fit::Now)
        })
    }

    /// The match is over: the referee finds the result, and everything else ends.
    pub(crate) fn finish(&self, sent: protocol::Turn) {
        let last = self.turns.lock().last.clone();
        let played = Played {
            own: last.as_ref().and_then(|last| last.answer()),
            own_before: None,
            first: last.is_none(),
            sent,
        };
        // A referee that has ended cannot report the result either.
        let _ = self.workers[0].send(Event::Finish { played });
        self.stop();
    }

    /// Ends all work on the match at once.
    pub(crate) fn end(&self) {
        self.shared.aborted.stop();
        self.shared.recorder.ended(None);
        self.stop();
    }

    /// The signal that ends what [`Live::finish`] leaves to be done.
    pub(crate) fn aborted(&self) -> Stop {
        self.shared.aborted.clone()
    }

    /// Waits until the record is on the disk, but not for ever.
    pub(crate) fn wait_record(&self, most: Duration) {
        self.shared.recorder.wait(most);
    }

    fn stop(&self) {
        self.shared.stop.stop();
        if let Some(last) = &self.turns.lock().last {
            last.call_off();
        }
        self.shared.engines.wake();
        drop(self.shared.ready.lock());
        self.shared.changed.notify_all();
    }
}
