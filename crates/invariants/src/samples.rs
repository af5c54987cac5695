//! Sampled states of random play, by fact.

use crate::play::Play;
use budget::Budget;
use netlist::GameLogic;

/// Maximum number of words sampled for each fact.
const BLOCKS: usize = 512;
/// Minimum number of words, if the budget allows.
const LEAST: usize = 64;
/// Work after which the minimum is enough, in gates evaluated: about a tenth of a second.
const WORK: u64 = 24_000_000;
/// Memory for the words, in bytes; they are kept twice.
const BYTES: usize = 32 << 20;

/// For each fact, the sampled states in which it holds, one per bit.
pub struct Samples {
    words: Vec<u64>,
    /// The same words, by block of 64 states.
    rows: Vec<Vec<u64>>,
    blocks: usize,
}

impl Samples {
    /// Plays at random from the initial state, which is among the samples. Large games get fewer
    /// steps, but the number does not depend on time.
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

    /// Number of words for each fact.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The states in which the fact holds.
    pub fn of(&self, fact: u32) -> &[u64] {
        let start = fact as usize * self.blocks;
        &self.words[start..start + self.blocks]
    }

    /// For each fact, the states of a block of 64 in which it holds.
    pub fn states(&self, block: usize) -> &[u64] {
        &self.rows[block]
    }

    /// The value of a fact, if it is the same in all samples.
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

    /// Whether exactly one of the facts holds in every sample.
    pub fn always(&self, facts: &[u32]) -> bool {
        self.any_if_exclusive(facts)
            .is_some_and(|any| any.iter().all(|&word| word == u64::MAX))
    }

    /// The samples in which any of the facts holds. `None` if two of them hold in one sample.
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
