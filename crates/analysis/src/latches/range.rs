//! The results that are still possible in a state, by tests with bit masks.

use super::Literal;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bits of a word of the state that must be set, and those that must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    at: u32,
    ones: u64,
    zeros: u64,
}

/// Literals as masks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Masks(Vec<Word>);

impl Masks {
    pub fn new(literals: &[Literal]) -> Masks {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        let mut words: Vec<Word> = Vec::new();
        for literal in sorted {
            let (at, bit) = (literal.fact / 64, 1u64 << (literal.fact % 64));
            if words.last().is_none_or(|word| word.at != at) {
                words.push(Word {
                    at,
                    ones: 0,
                    zeros: 0,
                });
            }
            if let Some(word) = words.last_mut() {
                let mask = if literal.holds {
                    &mut word.ones
                } else {
                    &mut word.zeros
                };
                *mask |= bit;
            }
        }
        Masks(words)
    }

    /// Adds the literals of the other.
    pub fn join(&mut self, other: &Masks) {
        for word in &other.0 {
            match self.0.iter_mut().find(|mine| mine.at == word.at) {
                Some(mine) => {
                    mine.ones |= word.ones;
                    mine.zeros |= word.zeros;
                }
                None => self.0.push(*word),
            }
        }
    }

    fn any(&self, state: &[u64]) -> bool {
        self.0.iter().any(|word| {
            let bits = read(state, word.at);
            bits & word.ones | !bits & word.zeros != 0
        })
    }

    fn all(&self, state: &[u64]) -> bool {
        self.0.iter().all(|word| {
            let bits = read(state, word.at);
            bits & (word.ones | word.zeros) == word.ones
        })
    }
}

/// A word of the state; facts beyond its length do not hold.
fn read(state: &[u64], at: u32) -> u64 {
    state.get(at as usize).copied().unwrap_or(0)
}

/// A test of whether latches of a state make something permanently false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Test {
    /// Always passes, or never.
    Constant(bool),
    /// Some literal holds.
    Any(Masks),
    /// All the first literals hold, and one of the second.
    Guarded(Masks, Masks),
    /// All literals hold.
    Cube(Masks),
    /// Every test passes.
    Every(Tests),
    /// Some test passes.
    Some(Tests),
}

/// Tests in order, one of which may decide alone.
///
/// Consecutive queries have similar states, and the test that decided one usually decides the
/// next: the line that is still open, among hundreds of them. So that test is evaluated first.
#[derive(Debug, Default)]
pub(super) struct Tests {
    all: Vec<Arc<Test>>,
    /// The position of the test that decided last. It does not affect results.
    last: AtomicUsize,
}

impl Tests {
    /// Whether one of the tests has the outcome `passed`.
    fn any(&self, state: &[u64], passed: bool) -> bool {
        let last = self.last.load(Ordering::Relaxed);
        let decides = |test: &Arc<Test>| test.passed(state) == passed;
        if self.all.get(last).is_some_and(decides) {
            return true;
        }
        let found = self.all.iter().position(decides);
        if let Some(found) = found {
            self.last.store(found, Ordering::Relaxed);
        }
        found.is_some()
    }
}

impl From<Vec<Arc<Test>>> for Tests {
    fn from(all: Vec<Arc<Test>>) -> Tests {
        Tests {
            all,
            last: AtomicUsize::new(0),
        }
    }
}

impl Clone for Tests {
    fn clone(&self) -> Tests {
        self.all.clone().into()
    }
}

impl PartialEq for Tests {
    fn eq(&self, other: &Tests) -> bool {
        self.all == other.all
    }
}

impl Eq for Tests {}

impl Test {
    fn passed(&self, state: &[u64]) -> bool {
        match self {
            Test::Constant(passed) => *passed,
            Test::Any(masks) => masks.any(state),
            Test::Guarded(guard, masks) => guard.all(state) && masks.any(state),
            Test::Cube(masks) => masks.all(state),
            Test::Every(tests) => !tests.any(state, false),
            Test::Some(tests) => tests.any(state, true),
        }
    }
}

/// The results that are still possible in a state, for each role.
///
/// A state is the bits of its facts: fact `f` of the vocabulary is bit `f % 64` of word `f /
/// 64`.
#[derive(Debug, Clone)]
pub struct Ranges {
    /// For each role its results, ascending, and the test that excludes each permanently.
    pub(super) goals: Vec<Vec<(u8, Test)>>,
}

impl Ranges {
    /// The least and the greatest result that are not excluded in this state and its successors.
    /// Returns (0, 100) for a role that the game does not have, or that has no goals.
    ///
    /// Both are bounds: a result in between may be out of reach for reasons that no latch
    /// expresses. If all results are excluded, the rules give the role no result from here; the
    /// range is then that of all its results.
    pub fn of(&self, state: &[u64], role: usize) -> (u8, u8) {
        let Some(goals) = self.goals.get(role) else {
            return (0, 100);
        };
        let open = |(_, test): &&(u8, Test)| !test.passed(state);
        let least = goals.iter().find(open);
        let most = goals.iter().rev().find(open);
        match (least.or(goals.first()), most.or(goals.last())) {
            (Some(least), Some(most)) => (least.0, most.0),
            _ => (0, 100),
        }
    }

    /// Whether nothing is ever excluded.
    pub fn is_open(&self) -> bool {
        let mut tests = self.goals.iter().flatten();
        tests.all(|(_, test)| *test == Test::Constant(false))
    }

    /// Whether this result is excluded in this state and all its successors.
    pub fn is_excluded(&self, state: &[u64], role: usize, value: u8) -> bool {
        let goals = self.goals.get(role).into_iter().flatten();
        let mut tests = goals.filter(|goal| goal.0 == value).peekable();
        tests.peek().is_some() && tests.all(|(_, test)| test.passed(state))
    }
}
