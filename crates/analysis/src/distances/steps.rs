//! From what a transition reads to how many transitions lie between.

use super::{FAR, NEVER};
use budget::{Budget, Exhausted};

/// A set of columns for each fact.
#[derive(Clone)]
pub(super) struct Rows {
    words: Vec<u64>,
    per_row: usize,
}

impl Rows {
    /// No columns for any of `rows` facts.
    pub(super) fn new(rows: usize, columns: usize) -> Rows {
        let per_row = columns.div_ceil(64);
        let words = vec![0; rows * per_row];
        Rows { words, per_row }
    }

    /// Bytes of such sets.
    pub(super) fn bytes(rows: usize, columns: usize) -> usize {
        rows.saturating_mul(columns.div_ceil(64) * 8)
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.per_row..(row + 1) * self.per_row]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.per_row..(row + 1) * self.per_row]
    }

    /// One word of a row.
    pub(super) fn word_mut(&mut self, row: usize, word: usize) -> &mut u64 {
        &mut self.words[row * self.per_row + word]
    }
}

/// The bits of a word, as positions from `first` on.
pub(super) fn ones(word: u64, first: usize) -> impl Iterator<Item = usize> {
    let next = |&w: &u64| Some(w & w.wrapping_sub(1));
    std::iter::successors(Some(word), next)
        .take_while(|&w| w != 0)
        .map(move |w| first + w.trailing_zeros() as usize)
}

/// The distances from every fact, row by row, and as far as they are known.
pub(super) struct Table {
    pub(super) cells: Vec<u8>,
    /// Every distance up to this is known, and why no more are; `None` if all are.
    pub(super) cut: Option<(u8, Exhausted)>,
}

/// Distances from facts, given what the transition to each fact reads (`reads`, of `facts` rows).
///
/// Breadth-first from all facts, one transition at a time in all rows: so whatever the budget
/// leaves undone are the greater distances of all facts, not all distances of some.
pub(super) fn table(reads: &Rows, facts: usize, columns: usize, budget: &Budget) -> Table {
    let bytes = facts.saturating_mul(columns);
    let sets = Rows::bytes(facts, columns).saturating_mul(3);
    let ones_read: usize = reads.words.iter().map(|w| w.count_ones() as usize).sum();
    // Lists that grow are up to twice as long as what is in them.
    let lists = ones_read.saturating_mul(8);
    if let Err(why) = budget.check_memory(bytes.saturating_add(sets).saturating_add(lists)) {
        return Table {
            cells: Vec::new(),
            cut: Some((0, why)),
        };
    }
    let mut cells = vec![NEVER; bytes];
    let mut reached = Rows::new(facts, columns);
    let mut frontiers: Vec<Vec<u32>> = (0..facts as u32).map(|fact| vec![fact]).collect();
    // What any transition reads: a row that has all that is finished early.
    let mut readable = vec![0u64; reads.per_row];
    for fact in 0..facts {
        cells[fact * columns + fact] = 0;
        reached.row_mut(fact)[fact / 64] |= 1 << (fact % 64);
        or(&mut readable, reads.row(fact));
    }
    let mut fresh = vec![0u64; reads.per_row];
    let mut live: Vec<usize> = (0..facts).collect();
    let direct: Vec<Vec<u32>> = (0..facts)
        .map(|fact| {
            let words = reads.row(fact).iter().enumerate();
            let columns = words.flat_map(|(word, &bits)| ones(bits, word * 64));
            let direct = columns.take_while(|&column| column < facts);
            direct.map(|column| column as u32).collect()
        })
        .collect();
    // What each fact reached before this level.
    let mut before = reached.clone();
    let mut level = 0u8;
    while !live.is_empty() {
        let next = (level + 1).min(FAR);
        before.words.copy_from_slice(&reached.words);
        let mut cut = None;
        live.retain(|&fact| {
            if cut.is_none() {
                cut = budget.check().err();
            }
            if cut.is_some() {
                return true;
            }
            let known = reached.row_mut(fact);
            let frontier = std::mem::take(&mut frontiers[fact]);
            fresh.fill(0);
            // Either one more transition behind the last ones, or one before all that is known of
            // what this one reads: whichever is less. What it reads itself is known from level 1.
            let few = level > 0 && direct[fact].len() < frontier.len();
            let (through, sets) = match few {
                true => (&direct[fact], &before),
                false => (&frontier, reads),
            };
            for (i, &through) in through.iter().enumerate() {
                or(&mut fresh, sets.row(through as usize));
                if i % 8 == 7 && covered(&readable, &fresh, known) {
                    break;
                }
            }
            for (word, (fresh, known)) in fresh.iter_mut().zip(known).enumerate() {
                *fresh &= !*known;
                *known |= *fresh;
                for column in ones(*fresh, word * 64) {
                    cells[fact * columns + column] = next;
                    if column < facts {
                        frontiers[fact].push(column as u32);
                    }
                }
            }
            !frontiers[fact].is_empty()
        });
        if let Some(why) = cut {
            return Table {
                cells,
                cut: Some((level, why)),
            };
        }
        level = next;
    }
    Table { cells, cut: None }
}

fn or(into: &mut [u64], from: &[u64]) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
}

fn covered(all: &[u64], fresh: &[u64], known: &[u64]) -> bool {
    let mut sets = all.iter().zip(fresh).zip(known);
    sets.all(|((all, fresh), known)| all & !(fresh | known) == 0)
}
