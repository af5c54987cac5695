//! Tests of states under construction: a graph of shared parts, of bounded size.

use super::range::{Masks, Test};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Maximum number of parts of the tests of a goal.
const MOST: usize = 1 << 14;

/// A test under construction: a node of a graph with shared parts.
pub(super) enum Part {
    Constant(bool),
    Leaf(Vec<Test>),
    Every(u32, u32),
    Some(u32, u32),
}

/// All parts of the tests of a game, by number.
pub(super) struct Parts {
    parts: Vec<Part>,
    /// The number of leaves of each part, expanded as a tree.
    sizes: Vec<usize>,
    /// Parts that are already expanded. They are shared again to keep frequent tests small.
    written: HashMap<u32, Arc<Test>>,
}

/// The part that never passes.
pub(super) const NEVER: u32 = 0;
/// The part that always passes.
pub(super) const ALWAYS: u32 = 1;

impl Parts {
    /// Starts with the parts that never and always pass.
    pub fn new() -> Parts {
        Parts {
            parts: vec![Part::Constant(false), Part::Constant(true)],
            sizes: vec![0, 0],
            written: HashMap::new(),
        }
    }

    /// Adds a part with `size` leaves. A part that is too large never passes, which is safe.
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

    /// Passes if both pass.
    pub fn every(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (NEVER, _) | (_, NEVER) => NEVER,
            (ALWAYS, other) | (other, ALWAYS) => other,
            _ if a == b => a,
            _ => self.add(Part::Every(a, b), self.size(a, b)),
        }
    }

    /// Passes if either passes.
    pub fn some(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (ALWAYS, _) | (_, ALWAYS) => ALWAYS,
            (NEVER, other) | (other, NEVER) => other,
            _ if a == b => a,
            _ => self.add(Part::Some(a, b), self.size(a, b)),
        }
    }

    /// Expands the part to a test.
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

    /// Expands a chain of parts of the same kind to a list of tests.
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

/// The disjunction of tests. Tests for any of some literals are merged into one.
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
