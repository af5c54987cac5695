//! States of random play, by fact.

use crate::play::Play;
use budget::Budget;
use netlist::GameLogic;

/// Words sampled for each fact at most.
const BLOCKS: usize = 512;
/// And at least, if the budget allows.
const LEAST: usize = 64;
/// Work after which those are enough, in gates evaluated: a tenth of a second or so.
const WORK: u64 = 24_000_000;
/// Memory for the words, which are kept twice.
const BYTES: usize = 32 << 20;

/// For each fact, the sampled states in which it holds, one in each bit.
pub struct Samples {
    words: Vec<u64>,
    /// The same, 64 states after the other.
    rows: Vec<Vec<u64>>,
    blocks: usize,
}

impl Samples {
    /// Plays at random; fewer steps in large games, but the same ones every time. The initial state
    /// is among the states.
    pub fn new(logic: &GameLogic, seed: u64, budget: &Budget) -> Self {
        let facts = logic.facts.len();
        let most = (BYTES / 8 / facts.max(1)).clamp(1, BLOCKS);
        let mut play = Play::new(logic, seed);
        let mut rows: Vec<Vec<u64>> = Vec::new();
        loop {
            rows.push(logic.facts.iter().map(|&fact| play.word(fact)).collect());
            let enough = rows.len() >= LEAST && play.work() >= WORK;
            if rows.len() >= most || enough || budget.check().is_err() {
                break;
            }
            play.step();
        }
        let blocks = rows.len();
        let mut words = vec![0; facts * blocks];
        for (block, row) in rows.iter().enumerate() {
            for (fact, &word) in row.iter().enumerate() {
                words[fact * blocks + block] = word;
            }
        }
        Samples {
            words,
            rows,
            blocks,
        }
    }

    /// Words for each fact.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Where a fact holds.
    pub fn of(&self, fact: u32) -> &[u64] {
        let start = fact as usize * self.blocks;
        &self.words[start..start + self.blocks]
    }

    /// For each fact, in which of 64 states it holds.
    pub fn states(&self, block: usize) -> &[u64] {
        &self.rows[block]
    }

    /// The value of a fact if it was always the same.
    pub fn constant(&self, fact: u32) -> Option<bool> {
        let words = self.of(fact);
        let first = words.first().copied().unwrap_or(0);
        let same = words.iter().all(|&word| word == first);
        match first {
            0 if same => Some(false),
            u64::MAX if same => Some(true),
            _ => None,
        }
    }

    /// Whether always one of the facts holds, and never two.
    pub fn always(&self, facts: &[u32]) -> bool {
        self.any_if_exclusive(facts)
            .is_some_and(|any| any.iter().all(|&word| word == u64::MAX))
    }

    /// Where any of the facts holds; `None` if two of them ever do together.
    pub fn any_if_exclusive(&self, facts: &[u32]) -> Option<Vec<u64>> {
        let mut any = vec![0; self.blocks];
        for &fact in facts {
            for (any, &word) in any.iter_mut().zip(self.of(fact)) {
                if *any & word != 0 {
                    return None;
                }
                *any |= word;
            }
        }
        Some(any)
    }
}
