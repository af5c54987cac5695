//! The positions of a factor that a single role can reach, turn by turn.

use analysis::factors::Factor;
use budget::{Budget, Exhausted};
use netlist::{Source, word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Approximate bytes of a position besides its words, which are stored twice.
///
/// They hold its predecessor, its output vector, and its entry among the known positions.
const POSITION: usize = 72;

/// How a factor is explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// By moves that change something in it, each position once, by the shortest paths. Time is
    /// ignored.
    Shortest,
    /// Like `Shortest`, but each position once for each number of moves.
    Exact,
    /// By all moves, each position once for each turn. Time passes.
    Timed,
}

/// Positions and the paths that lead to them.
pub(crate) struct Positions<'f> {
    factor: &'f Factor,
    scope: Scope,
    /// The most positions.
    most: usize,
    /// The number of words of a position.
    width: usize,
    words: Vec<u64>,
    /// For each position, its predecessor and the action that led here.
    from: Vec<(u32, u32)>,
    /// For each position, whether every action on the path to it was idle.
    still: Vec<bool>,
    /// For each position, the number of its output vector.
    seen: Vec<u32>,
    /// All output vectors of positions, in the order of the factor's outputs.
    sights: Vec<Vec<bool>>,
    numbers: FxHashMap<Vec<bool>, u32>,
    /// The positions of the last layer, or of all layers.
    known: FxHashSet<Box<[u64]>>,
    /// The range of each layer.
    layers: Vec<Range<usize>>,
    /// Whether an idle action was found to change something.
    pub drifts: bool,
    /// Whether the limit of positions left something out.
    pub cut: bool,
}

impl<'f> Positions<'f> {
    /// Begins at a state of the whole, with bits by position in the vocabulary.
    ///
    /// All positions together take about `most` bytes.
    pub fn from(factor: &'f Factor, whole: &[u64], scope: Scope, most: usize) -> Self {
        let words = factor.state(whole);
        let mut positions = Positions {
            factor,
            scope,
            most: most / (2 * size_of_val(&words[..]) + POSITION),
            width: words.len(),
            words: Vec::new(),
            from: Vec::new(),
            still: Vec::new(),
            seen: Vec::new(),
            sights: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashSet::default(),
            layers: Vec::new(),
            drifts: false,
            cut: false,
        };
        positions.insert(&words, (0, 0), true);
        positions.end_layer(0);
        positions
    }

    /// The number of layers.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.from.len()
    }

    /// Whether the last layer is empty, so that all positions are known.
    pub fn are_all(&self) -> bool {
        self.layers.last().is_none_or(Range::is_empty)
    }

    /// The numbers of the output vectors in a layer, each with a position that has it.
    pub fn sights_in(&self, layer: usize) -> Vec<(u32, u32)> {
        let Some(range) = self.layers.get(layer) else {
            return Vec::new();
        };
        let mut first: FxHashMap<u32, u32> = FxHashMap::default();
        for at in range.clone() {
            first.entry(self.seen[at]).or_insert(at as u32);
        }
        let mut sights: Vec<(u32, u32)> = first.into_iter().collect();
        sights.sort_unstable_by_key(|sight| sight.1);
        sights
    }

    /// Whether an output of the factor is on in an output vector.
    pub fn sees(&self, sight: u32, output: usize) -> bool {
        self.sights[sight as usize][output]
    }

    /// The number of a position's output vector.
    pub fn sight(&self, position: u32) -> u32 {
        self.seen[position as usize]
    }

    /// A position of a layer that was reached by idle actions alone, if there is one.
    pub fn untouched(&self, layer: usize) -> Option<u32> {
        let mut at = self.layers.get(layer)?.clone();
        at.find(|&at| self.still[at]).map(|at| at as u32)
    }

    /// The actions that lead to a position.
    pub fn way(&self, mut position: u32) -> Vec<u32> {
        let mut way = Vec::new();
        while position != 0 {
            let (before, action) = self.from[position as usize];
            way.push(action);
            position = before;
        }
        way.reverse();
        way
    }

    /// Adds a layer: the successors of the last one.
    ///
    /// Positions are not expanded if their output vector ends play, as `over` decides.
    ///
    /// # Errors
    /// If the budget ran out; the layer is not complete then.
    pub fn expand(
        &mut self,
        over: &mut dyn FnMut(&[bool]) -> bool,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let begin = self.from.len();
        if self.scope != Scope::Shortest {
            self.known.clear();
        }
        let ends: Vec<bool> = self.sights.iter().map(|sight| over(sight)).collect();
        let last = self.layers.last().cloned().unwrap_or(0..0);
        let open = last.filter(|&at| !ends[self.seen[at] as usize]);
        let open: Vec<u32> = open.map(|at| at as u32).collect();
        for some in open.chunks(64) {
            budget.check()?;
            if self.from.len() > self.most {
                self.cut = true;
                break;
            }
            self.go_on(some);
        }
        self.end_layer(begin);
        Ok(())
    }

    /// Applies all moves in up to 64 positions.
    fn go_on(&mut self, from: &[u32]) {
        let factor = self.factor;
        let values = factor.logic.net.evaluate(&self.inputs(from, &[]));
        let mut pairs = Vec::new();
        let mut actions: Vec<u32> = (0..factor.logic.legal[0].len() as u32).collect();
        // Idle actions first, so that positions are reached by them where possible.
        actions.sort_by_key(|&action| !factor.actions[0][action as usize].idle);
        for action in actions {
            let legal = factor.logic.legal[0][action as usize];
            let mut legal = word(&values, legal);
            while legal != 0 {
                let lane = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                if let Some(&position) = from.get(lane) {
                    pairs.push((position, action));
                }
            }
        }
        for pairs in pairs.chunks(64) {
            let (from, made): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
            let values = factor.logic.net.evaluate(&self.inputs(&from, &made));
            for (lane, &(position, action)) in pairs.iter().enumerate() {
                let before = self.words_of(position).to_vec();
                let mut next = before.clone();
                for (at, &lit) in factor.logic.next.iter().enumerate() {
                    let own = factor.facts.binary_search(&factor.context[at]).is_ok();
                    if self.scope == Scope::Timed || own {
                        let bit = word(&values, lit) >> lane & 1;
                        next[at / 64] = next[at / 64] & !(1 << (at % 64)) | bit << (at % 64);
                    }
                }
                let idle = factor.actions[0][action as usize].idle;
                if idle && self.scope != Scope::Timed {
                    self.drifts |= next != before;
                } else {
                    let still = idle && self.still[position as usize];
                    self.insert(&next, (position, action), still);
                }
            }
        }
    }

    fn words_of(&self, position: u32) -> &[u64] {
        let begin = position as usize * self.width;
        &self.words[begin..begin + self.width]
    }

    /// The values of the inputs of the factor's logic, one position in each bit.
    fn inputs(&self, positions: &[u32], made: &[u32]) -> Vec<u64> {
        let mut facts = vec![0u64; self.factor.context.len()];
        for (lane, &position) in positions.iter().enumerate() {
            let words = self.words_of(position);
            for (at, fact) in facts.iter_mut().enumerate() {
                *fact |= (words[at / 64] >> (at % 64) & 1) << lane;
            }
        }
        let value = |source: &Source| match *source {
            Source::Fact(at) => facts[at as usize],
            Source::Does { mv, .. } => {
                let lanes = made.iter().enumerate();
                lanes.fold(0, |all, (lane, &own)| all | u64::from(own == mv) << lane)
            }
            Source::Fix(_) => 0,
        };
        self.factor.logic.sources.iter().map(value).collect()
    }

    fn insert(&mut self, words: &[u64], from: (u32, u32), still: bool) {
        if self.known.insert(words.into()) {
            self.words.extend_from_slice(words);
            self.from.push(from);
            self.still.push(still);
        }
    }

    /// Computes the output vectors of the positions since `begin`, which become a layer.
    fn end_layer(&mut self, begin: usize) {
        let end = self.from.len();
        for first in (begin..end).step_by(64) {
            let some: Vec<u32> = (first..end.min(first + 64)).map(|at| at as u32).collect();
            let values = self.factor.logic.net.evaluate(&self.inputs(&some, &[]));
            for lane in 0..some.len() {
                let outputs = self.factor.outputs.iter();
                let sight = outputs.map(|&lit| word(&values, lit) >> lane & 1 == 1);
                let sight: Vec<bool> = sight.collect();
                let new = self.numbers.len() as u32;
                let number = *self.numbers.entry(sight.clone()).or_insert(new);
                if number == new {
                    self.sights.push(sight);
                }
                self.seen.push(number);
            }
        }
        self.layers.push(begin..end);
    }
}
