//! Players in this process, each on its own thread, so that the referee need not wait for a
//! late one.

use crate::ask::panicked;
use crate::{Answer, Fault, Opening, Participant, Turn};
use budget::{Budget, Stop};
use compile::Playable;
use game::{MoveId, RoleId, State};
use players::{BestMove, Player, PlayerError, Setup, Thought};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long a player may be late after the start clock, or take to return after a match is
/// called off.
const GRACE: Duration = Duration::from_millis(250);
/// How much later than its clock an answer may be, because players share the machine's
/// scheduler. After that the referee takes the last published move, as `serve` would have sent
/// it, so that no player gains by overrunning its clock. A player that has published no move is
/// late.
const SLACK: Duration = Duration::from_millis(30);
/// How long to block before checking the clock again.
const SLICE: Duration = Duration::from_millis(50);
/// How long a player thinks before it is first asked what it thinks.
const FIRST: Duration = Duration::from_millis(500);
/// The time between two such questions.
const AGAIN: Duration = Duration::from_secs(1);

/// Receives what a role thinks while it chooses its move, once a second.
pub type Watch = Arc<dyn Fn(RoleId, &Thought) + Send + Sync>;

/// What a player in this process may use.
#[derive(Debug, Clone, Copy)]
pub struct Resources {
    /// Search threads.
    pub threads: usize,
    /// Memory limit of its search, in bytes.
    pub memory: usize,
}

/// A player in this process.
///
/// A panic of the player is caught and recorded as a fault. If the player still searches when
/// its clock has run out, the best move that it has published is its answer.
pub struct Local {
    name: String,
    playable: Playable,
    resources: Resources,
    budget: Budget,
    stop: Stop,
    requests: Sender<Request>,
    replies: Receiver<Reply>,
    /// The number of the last request. Replies to earlier requests are discarded.
    ticket: u64,
    role: RoleId,
    watch: Option<Watch>,
}

enum Request {
    Start(u64, Box<Setup>, Budget),
    Choose(u64, State, BestMove, Budget),
}

struct Reply {
    ticket: u64,
    result: Result<Option<MoveId>, Fault>,
    thought: Option<Thought>,
}

impl Local {
    /// A participant in which `player` plays `playable` on the clock of `budget`. The engine
    /// must be a fork of the referee's engine, because states are passed to it unchanged.
    pub fn new(
        player: Box<dyn Player>,
        playable: Playable,
        resources: Resources,
        budget: &Budget,
    ) -> Self {
        let stop = Stop::default();
        let (requests, incoming) = channel();
        let (outgoing, replies) = channel();
        let name = player.name().to_string();
        std::thread::spawn(move || serve(player, &incoming, &outgoing));
        Local {
            name,
            playable,
            resources,
            budget: budget.clone().with_stop(stop.clone()),
            stop,
            requests,
            replies,
            ticket: 0,
            role: RoleId(0),
            watch: None,
        }
    }

    /// The same participant, which also tells what it thinks while it chooses a move.
    pub fn with_watch(mut self, watch: Option<Watch>) -> Self {
        self.watch = watch;
        self
    }

    /// Waits for the reply to the last request. `None` if it does not come in time.
    ///
    /// Time is that of the match's clock. With a stopped clock, which makes matches repeat, the
    /// player has unlimited time unless the match is called off.
    fn wait(
        &self,
        best: &BestMove,
        clock: Duration,
        grace: Duration,
    ) -> Result<Option<Reply>, Fault> {
        let mut question = Instant::now() + FIRST;
        let gone = || Fault::Failed("its thread has ended".into());
        let time = self.budget.clock();
        let end = time.now().saturating_add(clock.saturating_add(grace));
        let mut called_off = None;
        loop {
            let mut left = end.saturating_sub(time.now());
            if self.budget.check().is_err() {
                // The player's search shares the budget, so it is stopping too. This wait is in
                // real time.
                let since = *called_off.get_or_insert_with(Instant::now);
                left = left.min(GRACE.saturating_sub(since.elapsed()));
            }
            if let Some(watch) = &self.watch {
                if let Some(thought) = best.thought() {
                    watch(self.role, &thought);
                }
                if Instant::now() >= question {
                    best.ask();
                    question = Instant::now() + AGAIN;
                }
            }
            match self.replies.recv_timeout(left.min(SLICE)) {
                Ok(reply) if reply.ticket == self.ticket => return Ok(Some(reply)),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

impl Participant for Local {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault> {
        self.ticket += 1;
        self.role = opening.role;
        let setup = Setup {
            playable: self.playable.fork(),
            role: opening.role,
            seed: opening.seed,
            threads: self.resources.threads,
            memory: self.resources.memory,
        };
        let budget = self.budget.clone().with_timeout(opening.start_clock);
        let request = Request::Start(self.ticket, Box::new(setup), budget);
        // If the thread has ended, `wait` reports it.
        let _ = self.requests.send(request);
        let reply = self.wait(&BestMove::default(), opening.start_clock, GRACE)?;
        let reply = reply.ok_or(Fault::Late)?;
        reply.result.map(|_| ())
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        self.ticket += 1;
        let best = BestMove::default();
        let budget = self.budget.clone().with_timeout(turn.clock);
        let request = Request::Choose(self.ticket, turn.state.clone(), best.clone(), budget);
        let _ = self.requests.send(request);
        let (mv, note, thought) = match self.wait(&best, turn.clock, SLACK)? {
            Some(reply) => (reply.result?, None, reply.thought),
            None => {
                let note = "answered with its best move so far";
                (best.get(), Some(note.to_owned()), None)
            }
        };
        let mv = mv.ok_or(Fault::Late)?;
        Ok(Answer {
            mv: self.playable.engine.move_term(self.role, mv),
            note,
            thought,
        })
    }

    fn can_go_back(&self) -> bool {
        true
    }

    fn abort(&mut self) {
        self.stop.stop();
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // The thread ends by itself when the player returns.
        self.stop.stop();
    }
}

/// The thread of one player: answers requests until the sender is dropped.
fn serve(mut player: Box<dyn Player>, requests: &Receiver<Request>, replies: &Sender<Reply>) {
    while let Ok(request) = requests.recv() {
        let (ticket, result) = match request {
            Request::Start(ticket, setup, budget) => {
                let run = AssertUnwindSafe(|| player.start(*setup, &budget).map(|()| None));
                (ticket, catch_unwind(run))
            }
            Request::Choose(ticket, state, best, budget) => {
                let run = AssertUnwindSafe(|| player.choose(&state, &best, &budget).map(Some));
                (ticket, catch_unwind(run))
            }
        };
        let result = match result {
            Ok(result) => result.map_err(|error: PlayerError| Fault::Failed(error.to_string())),
            Err(panic) => Err(panicked(&*panic)),
        };
        let thought = catch_unwind(AssertUnwindSafe(|| player.thought().cloned()));
        let reply = Reply {
            ticket,
            result,
            thought: thought.unwrap_or(None),
        };
        if replies.send(reply).is_err() {
            break;
        }
    }
}
