//! The player as a state machine: at most one match, and an answer to every message.

use crate::crew::Crew;
use crate::live::{LAG, Live, Terms};
use crate::options::Options;
use crate::preparer::Preparer;
use crate::turn::Turn;
use budget::{Clock, Stop};
use parking_lot::Mutex;
use protocol::{Message, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tracing::{debug, info, warn};

/// How long the referee of a match that was stopped may look for its result.
const FINISH: Duration = Duration::from_secs(1);
/// How long a record may take to be written when the player ends.
const WRITING: Duration = Duration::from_secs(2);
/// A match does not begin while more workers than this still work on earlier ones: those of two
/// matches.
const WORKERS: usize = 6;
/// How long a match waits for that, and at most a quarter of its start clock.
const PATIENCE: Duration = Duration::from_secs(5);

/// Properties of a message besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context {
    /// When it arrived, as a reading of the service's clock. Clocks of matches start here.
    pub arrived: Duration,
    /// The server's number of the turn, if the transport carries one.
    ///
    /// It only distinguishes a turn that is sent again from a new turn with the same moves.
    pub number: Option<u64>,
}

/// The answer to a message.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The reply to send.
    pub reply: Reply,
    /// The receipt to notify if the reply could not be sent.
    pub receipt: Receipt,
}

/// Records that an answer could not be delivered.
#[derive(Clone, Default)]
pub struct Receipt(Option<Arc<Turn>>);

impl std::fmt::Debug for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Receipt").field(&self.0.is_some()).finish()
    }
}

impl Receipt {
    /// Records that the answer was lost, so that the same message counts as a retry.
    pub fn lost(&self) {
        if let Some(turn) = &self.0 {
            turn.mark_lost(true);
        }
    }
}

/// The player behind the server. Every method may be called from any thread at any time.
pub struct Service {
    options: Options,
    preparer: Arc<dyn Preparer>,
    clock: Arc<dyn Clock>,
    current: Mutex<Option<Arc<Live>>>,
    /// The match that was stopped last, whether it was running here or not, and when.
    stopped: Mutex<Option<(String, Duration)>>,
    matches: AtomicU64,
    crew: Crew,
    /// Matches that were stopped, and when to end what they still do.
    ending: Mutex<Vec<(Stop, Duration)>>,
}

impl Service {
    /// A player without a match.
    pub fn new(options: Options, preparer: Arc<dyn Preparer>, clock: Arc<dyn Clock>) -> Self {
        Service {
            options,
            preparer,
            clock,
            current: Mutex::new(None),
            stopped: Mutex::new(None),
            matches: AtomicU64::new(0),
            crew: Crew::default(),
            ending: Mutex::default(),
        }
    }

    /// The clock for all times.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Answers the message in a text.
    ///
    /// PLAY takes nearly its clock, START takes until play can begin, everything else takes no
    /// time.
    pub fn handle(&self, text: &str, context: Context) -> Answer {
        match Message::parse(text) {
            Ok(message) => self.answer(message, context),
            Err(error) => {
                warn!("not understood: {error}");
                let busy = self.current.lock().is_some();
                plain(if busy { Reply::Busy } else { Reply::Nil })
            }
        }
    }

    /// Answers a message, like [`Service::handle`].
    pub fn answer(&self, message: Message, context: Context) -> Answer {
        match message {
            Message::Info => {
                let busy = self.current.lock().is_some();
                debug!(busy, "INFO");
                plain(Reply::Info {
                    name: self.options.name.clone(),
                    busy,
                })
            }
            Message::Ping => plain(Reply::Ready),
            Message::Preview { rules, .. } => {
                let busy = self.current.lock().is_some();
                info!(bytes = rules.len(), busy, "PREVIEW");
                plain(if busy { Reply::Busy } else { Reply::Ready })
            }
            Message::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            } => {
                let late = self.stopped.lock().as_ref().is_some_and(|(stopped, at)| {
                    stopped.eq_ignore_ascii_case(&id) && context.arrived < *at + LAG
                });
                let terms = Terms {
                    id,
                    role,
                    rules,
                    start_clock,
                    play_clock,
                    late,
                };
                plain(self.start(terms, context))
            }
            Message::Play(turn) => {
                let Some(live) = self.find(&turn.id, "PLAY") else {
                    return plain(Reply::Busy);
                };
                let (turn, term) = live.play(turn, context.number, context.arrived);
                // The turn of another role may take as long again.
                live.hear(self.clock.now());
                Answer {
                    reply: term.map_or(Reply::Nil, Reply::Move),
                    receipt: Receipt(Some(turn)),
                }
            }
            Message::Stop(turn) => {
                self.note_stopped(&turn.id);
                let Some(live) = self.find(&turn.id, "STOP") else {
                    return plain(Reply::Busy);
                };
                info!(id = %live.id(), "STOP");
                self.free(&live);
                live.finish(turn);
                let until = self.clock.now() + FINISH;
                self.ending.lock().push((live.aborted(), until));
                plain(Reply::Done)
            }
            Message::Abort { id } => {
                self.note_stopped(&id);
                let Some(live) = self.find(&id, "ABORT") else {
                    return plain(Reply::Busy);
                };
                info!(id = %live.id(), "ABORT");
                self.free(&live);
                live.end();
                plain(Reply::Aborted)
            }
        }
    }

    fn start(&self, terms: Terms, context: Context) -> Reply {
        if !self
            .crew
            .wait_for(WORKERS, PATIENCE.min(terms.start_clock / 4))
        {
            warn!(id = %terms.id, "earlier matches have not ended yet: START -> busy");
            return Reply::Busy;
        }
        let live = {
            let mut current = self.current.lock();
            match current.as_ref() {
                Some(live) if live.is_start(&terms) => {
                    info!(id = %live.id(), "START again");
                    live.restart();
                    live.hear(context.arrived);
                    live.clone()
                }
                Some(live) if !live.is_stale(context.arrived) => {
                    warn!(id = %terms.id, running = %live.id(), "START -> busy");
                    return Reply::Busy;
                }
                stale => {
                    if let Some(stale) = stale {
                        warn!(id = %stale.id(), "silent for too long; making room");
                        stale.end();
                    }
                    info!(
                        id = %terms.id,
                        role = %terms.role,
                        start_clock = terms.start_clock.as_secs_f64(),
                        play_clock = terms.play_clock.as_secs_f64(),
                        bytes = terms.rules.len(),
                        "START"
                    );
                    let number = self.matches.fetch_add(1, Ordering::Relaxed);
                    let seed = self.options.seed.wrapping_add(number);
                    let started = Live::start(
                        terms,
                        &self.options,
                        &self.preparer,
                        &self.clock,
                        context.arrived,
                        seed,
                        &self.crew,
                    );
                    match started {
                        Ok(live) => current.insert(live).clone(),
                        Err(error) => {
                            *current = None;
                            warn!("no thread for the match: {error}");
                            return Reply::Busy;
                        }
                    }
                }
            }
        };
        let ready = live.wait_ready();
        let ms = self.clock.now().saturating_sub(context.arrived).as_millis();
        match ready {
            Ok(Some(engine)) => info!(id = %live.id(), engine = %engine, ms, "START -> ready"),
            Ok(None) => warn!(
                id = %live.id(),
                ms, "START -> ready, though preparation goes on"
            ),
            Err(error) => {
                warn!(id = %live.id(), ms, "START -> busy: {error}");
                self.free(&live);
                live.end();
                return Reply::Busy;
            }
        }
        Reply::Ready
    }

    /// The running match, if it has this id.
    fn find(&self, id: &str, message: &str) -> Option<Arc<Live>> {
        let current = self.current.lock();
        match current.as_ref().filter(|live| live.is(id)) {
            Some(live) => {
                live.hear(self.clock.now());
                Some(live.clone())
            }
            None => {
                warn!(%id, "{message} for a match that is not running -> busy");
                None
            }
        }
    }

    fn note_stopped(&self, id: &str) {
        *self.stopped.lock() = Some((id.to_owned(), self.clock.now()));
    }

    /// Makes room for the next match, if this one is still the current one.
    fn free(&self, live: &Arc<Live>) {
        let mut current = self.current.lock();
        if current.as_ref().is_some_and(|now| Arc::ptr_eq(now, live)) {
            *current = None;
        }
    }

    /// Ends a match that no server will continue, and what matches that were stopped still do.
    /// The caller calls this now and then.
    pub fn tick(&self) {
        let now = self.clock.now();
        self.ending.lock().retain(|(aborted, until)| {
            let over = now >= *until;
            if over {
                aborted.stop();
            }
            !over
        });
        let mut current = self.current.lock();
        if let Some(live) = current.as_ref()
            && live.is_dead(now)
        {
            warn!(
                id = %live.id(),
                "nothing was heard of it for long; giving up"
            );
            live.end();
            *current = None;
        }
    }

    /// Ends the running match, if there is one, and waits until its record is on the disk.
    pub fn shut_down(&self) {
        let current = self.current.lock().take();
        if let Some(live) = current {
            info!(id = %live.id(), "shutting down");
            live.end();
            live.wait_record(WRITING);
        }
    }
}

/// An answer without receipt.
fn plain(reply: Reply) -> Answer {
    Answer {
        reply,
        receipt: Receipt::default(),
    }
}
