//! All methods, and how they share the time.

use crate::beam::Beam;
use crate::breadth::Breadth;
use crate::by_parts::ByParts;
use crate::fill::Fill;
use crate::found::{Board, Found};
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
    board: Board,
    entries: Vec<Mutex<Entry>>,
    /// The method whose turn it is.
    turn: Mutex<usize>,
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
        let initial = engine.initial();
        let (known, moves, space, start, results) = match proved {
            Some(proved) => {
                let known = Known::find(proved, budget);
                let words = &known.logic.words;
                let mut asked = engine.fork();
                let terms = words.moves[0].iter();
                let moves: Vec<Option<MoveId>> = terms
                    .map(|term| asked.find_move(crate::found::ROLE, term))
                    .collect();
                let expander = prepare::expander(proved, &budget.share(4));
                let space: Box<dyn Space> = Box::new(InLanes::new(expander));
                let mut bits = vec![0u64; words.facts.len().div_ceil(64)];
                for &fact in &words.initial {
                    bits[fact as usize / 64] |= 1 << (fact % 64);
                }
                let results = known.results();
                (Some(known), moves, space, State::from_words(bits), results)
            }
            None => {
                let space: Box<dyn Space> = Box::new(ByEngine {
                    engine: engine.fork(),
                });
                let any = (0..=100).rev().collect();
                (None, Vec::new(), space, initial.clone(), any)
            }
        };
        let packing = match &known {
            Some(known) => Packing::of(
                known.logic.facts.len(),
                &known.proved.groups,
                &known.time.facts,
            ),
            None => Packing::plain(start.words().len()),
        };
        let problem = Arc::new(Problem {
            start,
            packing: Arc::new(packing),
            known,
        });
        let board = Board::new(engine.fork(), initial.clone(), results, moves);
        let methods = methods(&problem, &*space, engine, &initial, seed, bytes);
        let entries = methods.into_iter().map(|method| {
            Mutex::new(Entry {
                method,
                slice: SLICE,
                time: Duration::ZERO,
                over: false,
                better: 0,
            })
        });
        Some(Portfolio {
            board,
            entries: entries.collect(),
            turn: Mutex::new(0),
        })
    }

    /// What is known so far.
    pub fn found(&self) -> Found {
        self.board.found()
    }

    /// Works until the best line is proved to be one, nothing is left to do, or the budget ends.
    /// `threads` methods work at the same time. Returns whether there is more to do.
    pub fn work(&self, threads: usize, budget: &Budget) -> bool {
        std::thread::scope(|scope| {
            for _ in 1..threads.min(self.entries.len()) {
                scope.spawn(|| self.take_turns(budget));
            }
            self.take_turns(budget);
        });
        let open = |entry: &Mutex<Entry>| !lock(entry).over;
        !self.found().is_best() && self.entries.iter().any(open)
    }

    fn take_turns(&self, budget: &Budget) {
        let clock = budget.clock();
        let mut idle = 0;
        while idle < self.entries.len() && budget.check().is_ok() && !self.found().is_best() {
            let at = {
                let mut turn = lock(&self.turn);
                *turn += 1;
                (*turn - 1) % self.entries.len()
            };
            // Another thread may be at it.
            let Ok(mut entry) = self.entries[at].try_lock() else {
                std::thread::yield_now();
                continue;
            };
            if entry.over {
                idle += 1;
                continue;
            }
            idle = 0;
            let before = self.found().result();
            let begun = clock.now();
            let slice = budget.clone().with_timeout(entry.slice);
            let status = entry.method.work(&self.board, &slice);
            entry.time += clock.now().saturating_sub(begun);
            entry.over = status == Status::Over;
            let progress = self.found().result() > before;
            entry.better += u32::from(progress);
            let longer = if progress { 2 * PROGRESS } else { 2 };
            entry.slice = (entry.slice * longer).min(LONGEST);
        }
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
        self.entries.iter().map(report).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All methods, in the order of their turns, each with its share of the memory.
fn methods(
    problem: &Arc<Problem>,
    space: &dyn Space,
    engine: &dyn Engine,
    initial: &State,
    seed: u64,
    bytes: usize,
) -> Vec<Box<dyn Method>> {
    let (quarter, part) = (bytes / 4, bytes / 16);
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
    ]
}
