//! Computes distances from what each transition reads.

use super::{FAR, NEVER};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// A set of columns for each fact.
#[derive(Clone)]
pub(super) struct Rows {
    words: Vec<u64>,
    per_row: usize,
}

impl Rows {
    /// An empty set for each of `rows` facts.
    pub(super) fn new(rows: usize, columns: usize) -> Rows {
        let per_row = columns.div_ceil(64);
        let words = vec![0; rows * per_row];
        Rows { words, per_row }
    }

    /// The size of such sets in bytes.
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

/// The set bits of a word, as positions from `first` on.
pub(super) fn ones(word: u64, first: usize) -> impl Iterator<Item = usize> {
    let next = |&w: &u64| Some(w & w.wrapping_sub(1));
    std::iter::successors(Some(word), next)
        .take_while(|&w| w != 0)
        .map(move |w| first + w.trailing_zeros() as usize)
}

/// The distances from every fact, row by row.
pub(super) struct Table {
    pub(super) cells: Vec<u8>,
    /// Every distance up to this is known, and why no more are; `None` if all are.
    pub(super) cut: Option<(u8, Exhausted)>,
}

/// Classes of facts whose transitions read the same columns.
struct Classes {
    /// The class of each fact.
    of: Vec<u32>,
    /// One fact of each class.
    first: Vec<u32>,
    /// For each class, the classes of the facts that it reads, ascending.
    direct: Vec<Vec<u32>>,
}

impl Classes {
    fn new(reads: &Rows, facts: usize, budget: &Budget) -> Result<Classes, Exhausted> {
        let mut known: FxHashMap<&[u64], u32> = FxHashMap::default();
        let (mut of, mut first) = (Vec::with_capacity(facts), Vec::new());
        for fact in 0..facts {
            if fact % 1024 == 0 {
                budget.check()?;
            }
            let class = *known.entry(reads.row(fact)).or_insert_with(|| {
                first.push(fact as u32);
                first.len() as u32 - 1
            });
            of.push(class);
        }
        let (mut direct, mut listed) = (Vec::with_capacity(first.len()), 0usize);
        for &fact in &first {
            budget.check()?;
            let words = reads.row(fact as usize).iter().enumerate();
            let columns = words.flat_map(|(word, &bits)| ones(bits, word * 64));
            let read = columns.take_while(|&column| column < facts);
            let mut read: Vec<u32> = read.map(|fact| of[fact]).collect();
            read.sort_unstable();
            read.dedup();
            read.shrink_to_fit();
            listed += read.len();
            budget.check_memory(listed * 4)?;
            direct.push(read);
        }
        Ok(Classes { of, first, direct })
    }

    fn len(&self) -> usize {
        self.first.len()
    }
}

/// The distances from facts, given the columns that the transition to each fact reads (`reads`,
/// of `facts` rows).
///
/// The search is breadth-first from all facts, one transition at a time in all rows. If the
/// budget runs out, the greater distances of all facts are missing, rather than all distances of
/// some facts. Facts whose transitions read the same columns have the same distances to all
/// others, and share a row until the end.
pub(super) fn table(reads: &Rows, facts: usize, columns: usize, budget: &Budget) -> Table {
    let nothing = |why| Table {
        cells: Vec::new(),
        cut: Some((0, why)),
    };
    let classes = match Classes::new(reads, facts, budget) {
        Ok(classes) => classes,
        Err(why) => return nothing(why),
    };
    let bytes = facts.saturating_add(classes.len()).saturating_mul(columns);
    let sets =
        Rows::bytes(facts, columns) + Rows::bytes(classes.len(), columns + facts).saturating_mul(2);
    if let Err(why) = budget.check_memory(bytes.saturating_add(sets)) {
        return nothing(why);
    }
    let (of_classes, cut) = class_table(reads, &classes, facts, columns, budget);
    let mut cells = vec![NEVER; facts.saturating_mul(columns)];
    if columns > 0 {
        for ((fact, row), &class) in cells.chunks_mut(columns).enumerate().zip(&classes.of) {
            row.copy_from_slice(&of_classes[class as usize * columns..][..columns]);
            row[fact] = 0;
        }
    }
    Table { cells, cut }
}

/// The distances from the facts of each class to all columns except the fact itself.
fn class_table(
    reads: &Rows,
    classes: &Classes,
    facts: usize,
    columns: usize,
    budget: &Budget,
) -> (Vec<u8>, Option<(u8, Exhausted)>) {
    let mut search = Search::new(reads, classes, facts, columns);
    let mut live: Vec<usize> = (0..classes.len()).collect();
    let mut level = 0u8;
    while !live.is_empty() {
        search.before.words.copy_from_slice(&search.reached.words);
        let mut cut = None;
        live.retain(|&class| {
            if cut.is_none() {
                cut = budget.check().err();
            }
            cut.is_some() || search.advance(class, level)
        });
        if let Some(why) = cut {
            return (search.cells, Some((level, why)));
        }
        level = (level + 1).min(FAR);
    }
    (search.cells, None)
}

/// A breadth-first search from all classes at once.
struct Search<'a> {
    reads: &'a Rows,
    classes: &'a Classes,
    facts: usize,
    columns: usize,
    /// The distances, row by row.
    cells: Vec<u8>,
    /// The columns that each class has reached.
    reached: Rows,
    /// The columns that each class reached before this level.
    before: Rows,
    /// The classes of the facts reached; what they read is reached one transition later.
    crossed: Rows,
    /// The classes that each class reached on the last level.
    frontiers: Vec<Vec<u32>>,
    /// All columns that any transition reads. A row that has all of them is complete.
    readable: Vec<u64>,
    /// The columns that a class reaches on this level.
    fresh: Vec<u64>,
}

impl<'a> Search<'a> {
    fn new(reads: &'a Rows, classes: &'a Classes, facts: usize, columns: usize) -> Search<'a> {
        let count = classes.len();
        let reached = Rows::new(count, columns);
        let mut crossed = Rows::new(count, count);
        let mut readable = vec![0u64; reads.per_row];
        for (class, &fact) in classes.first.iter().enumerate() {
            *crossed.word_mut(class, class / 64) |= 1 << (class % 64);
            or(&mut readable, reads.row(fact as usize));
        }
        Search {
            reads,
            classes,
            facts,
            columns,
            cells: vec![NEVER; count.saturating_mul(columns)],
            before: reached.clone(),
            reached,
            crossed,
            frontiers: (0..count as u32).map(|class| vec![class]).collect(),
            readable,
            fresh: vec![0u64; reads.per_row],
        }
    }

    /// Advances a class from a level to the next. Returns whether it may reach more after that.
    fn advance(&mut self, class: usize, level: u8) -> bool {
        self.look_further(class, level);
        self.record(class, (level + 1).min(FAR));
        !self.frontiers[class].is_empty()
    }

    /// Finds the columns that a class reaches next, perhaps with some that it has reached.
    fn look_further(&mut self, class: usize, level: u8) {
        let frontier = std::mem::take(&mut self.frontiers[class]);
        self.fresh.fill(0);
        // Either extend the last frontier by one transition, or prepend one transition to
        // all known rows of the classes that this one reads, whichever is less work. The
        // direct reads are known from level 1 on.
        let direct = &self.classes.direct[class];
        let few = level > 0 && direct.len() < frontier.len();
        let through = if few { direct } else { &frontier };
        for (i, &through) in through.iter().enumerate() {
            let through = through as usize;
            let row = match few {
                true => self.before.row(through),
                false => self.reads.row(self.classes.first[through] as usize),
            };
            or(&mut self.fresh, row);
            if i % 8 == 7 && covered(&self.readable, &self.fresh, self.reached.row(class)) {
                break;
            }
        }
    }

    /// Records that a class reached the fresh columns at this distance, and makes its frontier
    /// of them.
    fn record(&mut self, class: usize, distance: u8) {
        let fresh = self.fresh.iter_mut();
        for (word, (fresh, known)) in fresh.zip(self.reached.row_mut(class)).enumerate() {
            *fresh &= !*known;
            *known |= *fresh;
            for column in ones(*fresh, word * 64) {
                self.cells[class * self.columns + column] = distance;
                if column < self.facts {
                    let other = self.classes.of[column];
                    let word = self.crossed.word_mut(class, other as usize / 64);
                    let bit = 1 << (other % 64);
                    if *word & bit == 0 {
                        *word |= bit;
                        self.frontiers[class].push(other);
                    }
                }
            }
        }
    }
}

fn or(into: &mut [u64], from: &[u64]) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
}

fn covered(all: &[u64], fresh: &[u64], known: &[u64]) -> bool {
    let mut sets = all.iter().zip(fresh).zip(known);
    sets.all(|((all, fresh), known)| all & !(fresh | known) == 0)
}
