//! Tests of states while they are made: shared parts, of bounded size.

use super::range::{Masks, Test};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Tests of a goal with more parts than this are not made.
const MOST: usize = 1 << 14;

/// A test while it is made: a graph with shared parts.
pub(super) enum Part {
    Constant(bool),
    Leaf(Vec<Test>),
    Every(u32, u32),
    Some(u32, u32),
}

/// All parts of the tests of a game, by number.
pub(super) struct Parts {
    parts: Vec<Part>,
    /// How many leaves each has, written out as a tree.
    sizes: Vec<usize>,
    /// Those that were written out, which are shared again: what is asked often should be small.
    written: HashMap<u32, Arc<Test>>,
}

/// The part that never passes.
pub(super) const NEVER: u32 = 0;
/// The part that always does.
pub(super) const ALWAYS: u32 = 1;

impl Parts {
    /// The parts that never and always pass.
    pub fn new() -> Parts {
        Parts {
            parts: vec![Part::Constant(false), Part::Constant(true)],
            sizes: vec![0, 0],
            written: HashMap::new(),
        }
    }

    /// One more part, of so many leaves; one that is too large never passes, which is safe.
    pub fn add(&mut self, part: Part, size: usize) -> u32 {
        if size > MOST {
            return NEVER;
        }
        self.parts.push(part);
        self.sizes.push(size);
        (self.parts.len() - 1) as u32
    }

    fn size(&self, a: u32, b: u32) -> usize {
        self.sizes[a as usize] + self.sizes[b as usize]
    }

    /// Both.
    pub fn every(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (NEVER, _) | (_, NEVER) => NEVER,
            (ALWAYS, other) | (other, ALWAYS) => other,
            _ if a == b => a,
            _ => self.add(Part::Every(a, b), self.size(a, b)),
        }
    }

    /// Either.
    pub fn some(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (ALWAYS, _) | (_, ALWAYS) => ALWAYS,
            (NEVER, other) | (other, NEVER) => other,
            _ if a == b => a,
            _ => self.add(Part::Some(a, b), self.size(a, b)),
        }
    }

    /// The part written out.
    pub fn test(&mut self, part: u32) -> Arc<Test> {
        if let Some(written) = self.written.get(&part) {
            return written.clone();
        }
        let test = match &self.parts[part as usize] {
            Part::Constant(passed) => Test::Constant(*passed),
            Part::Leaf(tests) => some(tests.iter().cloned().map(Arc::new).collect()),
            Part::Every(..) => Test::Every(self.chain(part, true).into()),
            Part::Some(..) => some(self.chain(part, false)),
        };
        let test = Arc::new(test);
        self.written.insert(part, test.clone());
        test
    }

    /// The parts of a chain of like parts, written out.
    fn chain(&mut self, part: u32, every: bool) -> Vec<Arc<Test>> {
        let (mut open, mut tests) = (vec![part], Vec::new());
        let mut seen = BTreeSet::new();
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            match &self.parts[part as usize] {
                Part::Every(a, b) if every => open.extend([*b, *a]),
                Part::Some(a, b) if !every => open.extend([*b, *a]),
                Part::Leaf(leaf) if !every => tests.extend(leaf.iter().cloned().map(Arc::new)),
                _ => tests.push(self.test(part)),
            }
        }
        tests
    }
}

/// The test that some of the tests is passed: those that ask for any of some literals are one.
pub(super) fn some(tests: Vec<Arc<Test>>) -> Test {
    let mut any = Masks::default();
    let mut rest = Vec::new();
    for test in tests {
        match &*test {
            Test::Any(masks) => any.join(masks),
            _ => rest.push(test),
        }
    }
    if any != Masks::default() {
        rest.insert(0, Arc::new(Test::Any(any)));
    }
    match (rest.pop(), rest.is_empty()) {
        (Some(only), true) => Test::clone(&only),
        (Some(last), false) => {
            rest.push(last);
            Test::Some(rest.into())
        }
        (None, _) => Test::Constant(false),
    }
}
