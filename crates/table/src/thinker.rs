//! A player of this program at a table: it thinks on a thread of its own and can be interrupted.

use budget::{Budget, Stop};
use game::{MoveId, State};
use metagame::Plan;
use parking_lot::Mutex;
use players::{BestMove, Player, Setup, Spec, Thought};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How long after its clock a player may answer, before its best move so far is taken.
const SLACK: Duration = Duration::from_millis(300);

/// What a player has to say.
pub(crate) enum News {
    /// It has used its start clock, and this is its plan, if it makes plans.
    Ready(Option<Plan>),
    /// It has chosen a move, or failed and says why. The number is that of the question.
    Chosen(u64, Result<MoveId, String>, Option<Thought>),
}

/// A player on its thread.
pub(crate) struct Thinker {
    questions: Sender<Question>,
    stop: Stop,
    asked: Option<Asked>,
    /// Whether it still uses its start clock.
    starting: Arc<Mutex<bool>>,
}

struct Question {
    number: u64,
    state: State,
    clock: Duration,
    best: BestMove,
    stop: Stop,
    began: Arc<Mutex<Option<Instant>>>,
}

/// What it is thinking about.
struct Asked {
    number: u64,
    clock: Duration,
    best: BestMove,
    stop: Stop,
    /// When it began to think; `None` while it is busy with something else.
    began: Arc<Mutex<Option<Instant>>>,
}

impl Thinker {
    /// A player that prepares for so long, and tells its news as it happens.
    pub fn new(
        spec: &Spec,
        setup: Setup,
        start_clock: Duration,
        tell: impl Fn(News) + Send + 'static,
    ) -> Thinker {
        let (questions, incoming) = channel();
        let stop = Stop::default();
        let budget = Budget::system().with_stop(stop.clone());
        let player = spec.build();
        let starting = Arc::new(Mutex::new(true));
        let begun = starting.clone();
        std::thread::spawn(move || {
            think(
                player,
                setup,
                start_clock,
                &budget,
                &incoming,
                &begun,
                &tell,
            );
        });
        Thinker {
            questions,
            stop,
            asked: None,
            starting,
        }
    }

    /// Asks for a move.
    pub fn ask(&mut self, number: u64, state: &State, clock: Duration) {
        self.forget();
        let asked = Asked {
            number,
            clock,
            best: BestMove::default(),
            stop: Stop::default(),
            began: Arc::default(),
        };
        // If the thread has ended, nothing is told, and the move is overdue.
        let _ = self.questions.send(Question {
            number,
            state: state.clone(),
            clock,
            best: asked.best.clone(),
            stop: asked.stop.clone(),
            began: asked.began.clone(),
        });
        self.asked = Some(asked);
    }

    /// Interrupts it. What it says of the last question does not count any more.
    pub fn forget(&mut self) {
        if let Some(asked) = self.asked.take() {
            asked.stop.stop();
        }
    }

    /// The number of the question that it thinks about.
    pub fn question(&self) -> Option<u64> {
        self.asked.as_ref().map(|asked| asked.number)
    }

    /// Whether it still uses its start clock.
    pub fn is_starting(&self) -> bool {
        *self.starting.lock()
    }

    /// What it thinks now, if it has been asked before, and asks it for the next time.
    pub fn thought(&self) -> Option<Thought> {
        let asked = self.asked.as_ref()?;
        let thought = asked.best.thought();
        asked.best.ask();
        thought
    }

    /// Its best move so far, if it should have answered by now. The inner value is `None` if it
    /// has none.
    pub fn overdue(&self) -> Option<Option<MoveId>> {
        let asked = self.asked.as_ref()?;
        let began = (*asked.began.lock())?;
        (began.elapsed() > asked.clock + SLACK).then(|| asked.best.get())
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.forget();
        self.stop.stop();
    }
}

/// The thread of a player: ends when nobody can ask it any more.
fn think(
    mut player: Box<dyn Player>,
    setup: Setup,
    start_clock: Duration,
    budget: &Budget,
    questions: &Receiver<Question>,
    starting: &Mutex<bool>,
    tell: &dyn Fn(News),
) {
    let start = budget.clone().with_timeout(start_clock);
    let started = catch_unwind(AssertUnwindSafe(|| player.start(setup, &start)));
    *starting.lock() = false;
    tell(News::Ready(player.plan().cloned()));
    let started = match started {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it broke down while it prepared".to_owned()),
    };
    while let Ok(question) = questions.recv() {
        if question.stop.is_stopped() || budget.check().is_err() {
            continue;
        }
        *question.began.lock() = Some(Instant::now());
        let limit = budget.clone().with_stop(question.stop.clone());
        let limit = limit.with_timeout(question.clock);
        let chosen = started.clone().and_then(|()| {
            let choose = || player.choose(&question.state, &question.best, &limit);
            match catch_unwind(AssertUnwindSafe(choose)) {
                Ok(Ok(mv)) => Ok(mv),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err("it broke down while it thought".to_owned()),
            }
        });
        let thought = match question.stop.is_stopped() {
            true => None,
            false => player.thought().cloned(),
        };
        tell(News::Chosen(question.number, chosen, thought));
    }
}
