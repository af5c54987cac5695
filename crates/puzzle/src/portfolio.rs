//! All methods, and how they share the time.

use crate::beam::Beam;
use crate::breadth::Breadth;
use crate::by_parts::ByParts;
use crate::deepening::Deepening;
use crate::fill::Fill;
use crate::found::{Board, Found, ROLE};
use crate::method::{Method, State as Status, Work};
use crate::nested::Nested;
use crate::novelty::Width;
use crate::ordered::{Order, Ordered};
use crate::packing::Packing;
use crate::problem::{Known, Problem};
use crate::sat::Sat;
use crate::space::{ByEngine, InLanes, Space};
use budget::Budget;
use compile::Proved;
use game::{Engine, MoveId, State};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The first slice of a method. Later ones double.
const SLICE: Duration = Duration::from_millis(60);
/// A slice is this much longer after one that found a better line.
const PROGRESS: u32 = 2;
/// The longest slice: all methods get their turn while a move is due.
const LONGEST: Duration = Duration::from_secs(8);

/// A thread without a method looks for one this often.
const WAIT: Duration = Duration::from_millis(1);

/// A method with its place in the portfolio.
struct Entry {
    method: Box<dyn Method>,
    slice: Duration,
    time: Duration,
    over: bool,
    better: u32,
}

/// What a method has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The method.
    pub method: &'static str,
    /// The time it had.
    pub time: Duration,
    /// What it did in that time.
    pub work: Work,
    /// How often it found a better line.
    pub better: u32,
    /// Whether it has done what it can.
    pub over: bool,
}

/// A puzzle with all methods that solve it. It can be worked on for any time, and again.
pub struct Portfolio {
    base: Base,
    team: Team,
}

/// The methods for a state, with what they share.
struct Team {
    board: Board,
    entries: Vec<Mutex<Entry>>,
    /// The method whose turn it is.
    turn: Mutex<usize>,
}

/// What does not depend on the state from which the puzzle is solved.
struct Base {
    engine: Box<dyn Engine>,
    known: Option<Arc<Known>>,
    packing: Arc<Packing>,
    space: Box<dyn Space>,
    /// The engine's numbers of the space's moves; empty if they are the same.
    moves: Vec<Option<MoveId>>,
    seed: u64,
    bytes: usize,
}

impl Base {
    fn new(
        engine: &dyn Engine,
        proved: Option<&Proved>,
        seed: u64,
        bytes: usize,
        budget: &Budget,
    ) -> Base {
        let plain = |engine: &dyn Engine| Base {
            known: None,
            packing: Arc::new(Packing::plain(engine.initial().words().len())),
            space: Box::new(ByEngine {
                engine: engine.fork(),
            }),
            moves: Vec::new(),
            engine: engine.fork(),
            seed,
            bytes,
        };
        let mut bits = State::default();
        let has_bits = engine.bits(&engine.initial(), &mut bits);
        let Some(proved) = proved.filter(|_| has_bits) else {
            return plain(engine);
        };
        let known = Known::find(proved, budget);
        let mut asked = engine.fork();
        let terms = known.logic.words.moves[ROLE.0].iter();
        Base {
            moves: terms.map(|term| asked.find_move(ROLE, term)).collect(),
            packing: Arc::new(Packing::of(
                known.logic.facts.len(),
                &proved.groups,
                &known.time.facts,
            )),
            space: Box::new(InLanes::new(prepare::expander(proved, &budget.share(4)))),
            known: Some(Arc::new(known)),
            ..plain(engine)
        }
    }

    /// The methods for a state of the engine.
    fn team(&self, state: &State, budget: &Budget) -> Team {
        let mut bits = State::default();
        let known = self.known.as_ref();
        let known = known.filter(|_| self.engine.bits(state, &mut bits));
        let (results, horizon) = match known {
            Some(known) => (
                known.results(),
                known.time.horizon(&known.logic, bits.words(), budget),
            ),
            None => ((0..=100).rev().collect(), None),
        };
        let problem = Arc::new(Problem {
            start: if known.is_some() { bits } else { state.clone() },
            packing: self.packing.clone(),
            known: known.cloned(),
            horizon,
        });
        let board = Board::new(
            self.engine.fork(),
            state.clone(),
            results,
            self.moves.clone(),
        );
        let methods = methods(self, &problem, state).into_iter();
        let entries = methods.map(|method| {
            Mutex::new(Entry {
                method,
                slice: SLICE,
                time: Duration::ZERO,
                over: false,
                better: 0,
            })
        });
        Team {
            board,
            entries: entries.collect(),
            turn: Mutex::new(0),
        }
    }
}

impl Team {
    fn take_turns(&self, budget: &Budget) {
        let clock = budget.clock();
        // Methods in a row that are over, and that are over or worked on.
        let (mut idle, mut busy) = (0, 0);
        while idle < self.entries.len() && budget.check().is_ok() && !self.board.found().is_best() {
            let at = {
                let mut turn = lock(&self.turn);
                *turn += 1;
                (*turn - 1) % self.entries.len()
            };
            // Another thread may be at it.
            let Ok(mut entry) = self.entries[at].try_lock() else {
                busy += 1;
                if busy > self.entries.len() {
                    std::thread::sleep(WAIT);
                    (busy, idle) = (0, 0);
                }
                continue;
            };
            if entry.over {
                (idle, busy) = (idle + 1, busy + 1);
                continue;
            }
            (idle, busy) = (0, 0);
            let before = self.board.found().result();
            let begun = clock.now();
            let slice = budget
                .clone()
                .with_timeout((entry.slice * entry.method.weight()).min(LONGEST));
            let status = entry.method.work(&self.board, &slice);
            entry.time += clock.now().saturating_sub(begun);
            entry.over = status == Status::Over;
            let progress = self.board.found().result() > before;
            entry.better += u32::from(progress);
            let longer = if progress { 2 * PROGRESS } else { 2 };
            entry.slice = (entry.slice * longer).min(LONGEST);
        }
    }
}

impl Portfolio {
    /// For a game of one role, solved from its initial state. `proved` is what is known of a
    /// compiled game; then `engine` has to be one that was made from it.
    ///
    /// All methods together take `bytes` at most, by estimate. `None` if several roles play.
    pub fn new(
        engine: &dyn Engine,
        proved: Option<&Proved>,
        seed: u64,
        bytes: usize,
        budget: &Budget,
    ) -> Option<Portfolio> {
        if engine.roles().len() != 1 {
            return None;
        }
        let base = Base::new(engine, proved, seed, bytes, budget);
        let team = base.team(&engine.initial(), budget);
        Some(Portfolio { base, team })
    }

    /// Solves the puzzle from another state from now on. If the best line leads through it, the
    /// rest of the line is kept.
    pub fn follow(&mut self, state: &State, budget: &Budget) {
        if self.team.board.start() == state {
            return;
        }
        let before = self.found();
        let team = self.base.team(state, budget);
        if let Some(line) = before.line
            && let Some((_, left)) = line.at(state)
        {
            let rest = &line.steps[line.steps.len() - left..];
            let moves: Vec<MoveId> = rest.iter().map(|step| step.1).collect();
            // What no line from the beginning exceeds, none from here does.
            team.board.offer_moves(&moves, line.method);
            if let Some(proof) = before.proof {
                team.board.limit(before.bound, proof);
            }
        }
        self.team = team;
    }

    /// What is known so far.
    pub fn found(&self) -> Found {
        self.team.board.found()
    }

    /// Works until the best line is proved to be one, nothing is left to do, or the budget ends.
    /// `threads` methods work at the same time. Returns whether there is more to do.
    pub fn work(&self, threads: usize, budget: &Budget) -> bool {
        let team = &self.team;
        std::thread::scope(|scope| {
            for _ in 1..threads.min(team.entries.len()) {
                scope.spawn(|| team.take_turns(budget));
            }
            team.take_turns(budget);
        });
        let open = |entry: &Mutex<Entry>| !lock(entry).over;
        !self.found().is_best() && team.entries.iter().any(open)
    }

    /// Works by one method alone. Returns whether it has done what it can.
    #[cfg(test)]
    pub(crate) fn only(&self, method: &str, budget: &Budget) -> bool {
        let mut entries = self.team.entries.iter().map(lock);
        let entry = entries.find(|entry| entry.method.name() == method);
        let mut entry = entry.expect("there is such a method");
        entry.method.work(&self.team.board, budget) == Status::Over
    }

    #[cfg(test)]
    pub(crate) fn board(&self) -> &Board {
        &self.team.board
    }

    /// What each method has done.
    pub fn reports(&self) -> Vec<Report> {
        let report = |entry: &Mutex<Entry>| {
            let entry = lock(entry);
            Report {
                method: entry.method.name(),
                time: entry.time,
                work: entry.method.done(),
                better: entry.better,
                over: entry.over,
            }
        };
        self.team.entries.iter().map(report).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All methods, in the order of their turns, each with its share of the memory.
fn methods(base: &Base, problem: &Arc<Problem>, initial: &State) -> Vec<Box<dyn Method>> {
    let (engine, space, seed) = (&*base.engine, &*base.space, base.seed);
    let (quarter, part) = (base.bytes / 4, base.bytes / 16);
    let ordered = |order: Order| -> Box<dyn Method> {
        Box::new(Ordered::new(problem.clone(), space.fork(), order, part))
    };
    let breadth = Breadth::new(problem, space.fork(), quarter);
    let nested = Nested::new(engine.fork(), initial.clone(), seed);
    if problem.known.is_none() {
        return vec![Box::new(breadth), Box::new(nested)];
    }
    vec![
        Box::new(ByParts::new(
            problem.clone(),
            engine.fork(),
            initial.clone(),
            seed,
        )),
        ordered(Order::Narrow(Width::One)),
        Box::new(breadth),
        Box::new(Fill::new(problem.clone(), space.fork(), part)),
        ordered(Order::Greedy),
        Box::new(Sat::new(problem.clone(), quarter)),
        ordered(Order::NewFirst),
        ordered(Order::Weighted(3)),
        Box::new(Beam::new(problem.clone(), space.fork(), seed, part)),
        Box::new(nested),
        ordered(Order::Narrow(Width::Two)),
        ordered(Order::Weighted(1)),
        Box::new(Deepening::new(problem.clone(), space.fork())),
    ]
}
