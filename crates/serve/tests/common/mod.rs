//! Toy games, odd players and helpers for tests of the service.
#![allow(dead_code)] // Each test binary uses its own part.

use budget::{Budget, Clock, ManualClock, SystemClock};
use compile::Playable;
use game::{Engine, EngineError, MoveId, RoleId, State};
use players::{BestMove, Player, PlayerError, Setup};
use serve::{Context, Margin, Options, PlayerFactory, Preparer, RecordFolder, Service};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use testkit::toys::{Matrix, TakeAway};

/// The longest that a test waits for what must happen at once.
pub const SOON: Duration = Duration::from_secs(60);

/// The behaviour of one of the two engines of a match.
pub enum Build {
    /// It is this engine.
    Engine(Mutex<Box<dyn Engine>>),
    /// It cannot be built.
    Fails,
    /// Building panics.
    Panics,
    /// Building continues until it is stopped.
    Stuck,
}

impl Build {
    pub fn engine(engine: impl Engine + 'static) -> Build {
        Build::Engine(Mutex::new(Box::new(engine)))
    }

    fn build(&self, budget: &Budget) -> Result<Playable, String> {
        match self {
            Build::Engine(engine) => Ok(engine.lock().unwrap().fork().into()),
            Build::Fails => Err("this cannot be built".into()),
            Build::Panics => panic!("a panic that the test asked for"),
            Build::Stuck => {
                while budget.check().is_ok() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err("stuck".into())
            }
        }
    }
}

/// Builds the same engines for any rules, except that rules without a `role` cannot be played.
pub struct Toys {
    pub quick: Build,
    pub better: Build,
}

impl Preparer for Toys {
    fn quick(&self, rules: &str, budget: &Budget) -> Result<Playable, String> {
        if rules.contains("role") {
            self.quick.build(budget)
        } else {
            Err("no roles".into())
        }
    }

    fn better(
        &self,
        rules: &str,
        budget: &Budget,
        put: &mut dyn FnMut(Playable),
    ) -> Result<(), String> {
        if !rules.contains("role") {
            return Err("no roles".into());
        }
        put(self.better.build(budget)?);
        Ok(())
    }
}

/// The behaviour of a player when it should choose.
#[derive(Clone, Copy)]
pub enum Habit {
    /// Takes the last legal move.
    Last,
    /// Publishes the last legal move and thinks until its time is over.
    Thinks,
    /// Never returns, not even when stopped, and publishes nothing.
    Sleeps,
    /// Panics every other turn.
    Panics,
    /// Chooses an illegal move.
    Cheats,
    /// Looks at no move, and finds none until its time is over.
    Lost,
}

struct Odd {
    habit: Habit,
    setup: Option<Setup>,
    calls: Arc<AtomicUsize>,
    thoughts: Arc<Mutex<Vec<Thought>>>,
}

/// A call to ponder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought {
    /// The first word of the state.
    pub state: Option<u64>,
    pub own: Option<MoveId>,
    /// Whether it is still running.
    pub goes_on: bool,
}

impl Player for Odd {
    fn name(&self) -> &str {
        "odd"
    }

    fn start(&mut self, setup: Setup, _budget: &Budget) -> Result<(), PlayerError> {
        self.setup = Some(setup);
        Ok(())
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        if matches!(self.habit, Habit::Lost) {
            while budget.check().is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
            return Err(PlayerError::NoLegalMove);
        }
        let setup = self.setup.as_mut().ok_or(PlayerError::NotStarted)?;
        let mut moves = Vec::new();
        setup.playable.engine.legal(state, setup.role, &mut moves)?;
        let last = *moves.last().ok_or(PlayerError::NoLegalMove)?;
        match self.habit {
            Habit::Last => Ok(last),
            Habit::Thinks => {
                best.publish(last);
                while budget.check().is_ok() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(last)
            }
            Habit::Sleeps => loop {
                std::thread::park();
            },
            Habit::Panics if call.is_multiple_of(2) => panic!("a panic that the test asked for"),
            Habit::Panics => Ok(last),
            Habit::Cheats => Ok(MoveId(99)),
            Habit::Lost => Err(PlayerError::NoLegalMove),
        }
    }

    fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        let at = {
            let mut thoughts = self.thoughts.lock().unwrap();
            thoughts.push(Thought {
                state: state.words().first().copied(),
                own,
                goes_on: true,
            });
            thoughts.len() - 1
        };
        while budget.check().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.thoughts.lock().unwrap()[at].goes_on = false;
    }
}

/// A service with helpers for tests.
pub struct Rig {
    pub service: Arc<Service>,
    pub clock: Arc<dyn Clock>,
    /// The number of times that players were asked to choose.
    pub calls: Arc<AtomicUsize>,
    /// All calls to ponder between turns.
    pub thoughts: Arc<Mutex<Vec<Thought>>>,
}

pub fn take_away() -> TakeAway {
    TakeAway::new(2, 20, 3)
}

/// Rounds in which each role chooses from 0 to 2, in the fourth from 0 to 7, and then from 0 to
/// 6.
pub fn rounds() -> Twisted {
    Twisted {
        inner: Box::new(Matrix::new(2, 8, 9, |_, _| Some(50))),
        twist: |state, moves| {
            moves.truncate(match state.words().len() / 2 {
                0..3 => 3,
                3 => 8,
                _ => 7,
            });
        },
    }
}

/// A game with other legal moves.
pub struct Twisted {
    pub inner: Box<dyn Engine>,
    pub twist: fn(&State, &mut Vec<MoveId>),
}

impl Engine for Twisted {
    testkit::forward!(inner: roles initial terminal next goal terms);

    fn name(&self) -> &'static str {
        "twisted"
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        self.inner.legal(state, role, moves)?;
        (self.twist)(state, moves);
        Ok(())
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Twisted {
            inner: self.inner.fork(),
            twist: self.twist,
        })
    }
}

impl Rig {
    /// A service that plays `engine` with this behaviour; both engines are the same.
    pub fn new(engine: impl Engine + 'static, habit: Habit) -> Rig {
        let better = Build::Engine(Mutex::new(engine.fork()));
        Rig::with(
            Toys {
                quick: Build::engine(engine),
                better,
            },
            habit,
            Arc::new(SystemClock::default()),
        )
    }

    /// The same on a clock that moves only when advanced.
    pub fn manual(engine: impl Engine + 'static, habit: Habit) -> (Rig, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::default());
        let better = Build::Engine(Mutex::new(engine.fork()));
        let toys = Toys {
            quick: Build::engine(engine),
            better,
        };
        (Rig::with(toys, habit, clock.clone()), clock)
    }

    pub fn with(toys: Toys, habit: Habit, clock: Arc<dyn Clock>) -> Rig {
        Rig::recording(toys, habit, clock, None)
    }

    /// The same, with records.
    pub fn recording(
        toys: Toys,
        habit: Habit,
        clock: Arc<dyn Clock>,
        records: Option<RecordFolder>,
    ) -> Rig {
        let calls = Arc::new(AtomicUsize::new(0));
        let thoughts = Arc::new(Mutex::new(Vec::new()));
        let (counter, thought) = (calls.clone(), thoughts.clone());
        let player: PlayerFactory = Arc::new(move || {
            Box::new(Odd {
                habit,
                setup: None,
                calls: counter.clone(),
                thoughts: thought.clone(),
            })
        });
        let options = Options {
            name: "Tester".into(),
            player,
            threads: 1,
            memory: 64 << 20,
            margin: Margin::default(),
            ponder: true,
            seed: 1,
            records,
        };
        Rig {
            service: Arc::new(Service::new(options, Arc::new(toys), clock.clone())),
            clock,
            calls,
            thoughts,
        }
    }

    fn context(&self, number: Option<u64>) -> Context {
        Context {
            arrived: self.clock.now(),
            number,
        }
    }

    /// The reply to a message.
    pub fn say(&self, text: &str) -> String {
        self.service
            .handle(text, self.context(None))
            .reply
            .to_string()
    }

    /// The reply to a message with the server's number of the turn.
    pub fn say_numbered(&self, text: &str, number: u64) -> String {
        self.service
            .handle(text, self.context(Some(number)))
            .reply
            .to_string()
    }

    /// The reply to a message, which then gets lost.
    pub fn say_and_lose(&self, text: &str) -> String {
        let answer = self.service.handle(text, self.context(None));
        answer.receipt.lost();
        answer.reply.to_string()
    }

    /// Sends a message from another thread.
    pub fn say_later(&self, text: &str) -> mpsc::Receiver<String> {
        let (sender, receiver) = mpsc::channel();
        let (service, context, text) = (self.service.clone(), self.context(None), text.to_string());
        std::thread::spawn(move || {
            let _ = sender.send(service.handle(&text, context).reply.to_string());
        });
        receiver
    }

    /// Waits until players were asked to choose `count` times.
    pub fn wait_for_calls(&self, count: usize) {
        for _ in 0..SOON.as_millis() {
            if self.calls.load(Ordering::SeqCst) >= count {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("no player was asked to choose");
    }

    /// Waits until there were `count` calls to ponder, and the last one is still running or
    /// not.
    pub fn wait_for_thoughts(&self, count: usize, goes_on: bool) -> Vec<Thought> {
        for _ in 0..SOON.as_millis() {
            let thoughts = self.thoughts.lock().unwrap().clone();
            let last = thoughts.last().map(|last| last.goes_on);
            if thoughts.len() >= count && last == Some(goes_on) {
                return thoughts;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!(
            "the player does not think on: {:?}",
            self.thoughts.lock().unwrap()
        );
    }

    /// Sends each message and expects the reply beside it.
    pub fn talk(&self, transcript: &[(&str, &str)]) {
        for (at, (text, reply)) in transcript.iter().enumerate() {
            assert_eq!(&self.say(text), reply, "line {at}: {text}");
        }
    }
}

/// START with long clocks, for tests in which nothing takes long.
pub const START: &str = "( START m player0 ((role player0) (role player1)) 1000 1000 )";
