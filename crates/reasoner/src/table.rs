//! Tables of answered calls.

use datalog::TermId;
use hashbrown::HashTable;

/// Numbers keys of a fixed length, in order of insertion.
#[derive(Debug, Clone)]
pub(crate) enum KeyIndex {
    /// The only key is the empty key.
    Empty { present: bool },
    /// Keys of one term, looked up by id.
    One { numbers: Vec<u32>, count: u32 },
    /// Keys of several terms.
    Many {
        width: usize,
        keys: Vec<TermId>,
        table: HashTable<u32>,
    },
}

const ABSENT: u32 = u32::MAX;

impl Default for KeyIndex {
    fn default() -> Self {
        KeyIndex::Empty { present: false }
    }
}

/// Hashes a key. Ids are small and regular, so every step folds the high half of the product
/// back: a plain multiplicative hash collides badly on grids.
pub(crate) fn hash_terms(terms: &[TermId]) -> u64 {
    terms.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, term| {
        let product = (hash ^ u64::from(term.0)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        product ^ product >> 32
    })
}

impl KeyIndex {
    pub(crate) fn new(width: usize) -> Self {
        match width {
            0 => KeyIndex::Empty { present: false },
            1 => KeyIndex::One {
                numbers: Vec::new(),
                count: 0,
            },
            _ => KeyIndex::Many {
                width,
                keys: Vec::new(),
                table: HashTable::new(),
            },
        }
    }

    #[inline]
    pub(crate) fn find(&self, key: &[TermId]) -> Option<u32> {
        match self {
            KeyIndex::Empty { present } => present.then_some(0),
            KeyIndex::One { numbers, .. } => numbers
                .get(key[0].index())
                .copied()
                .filter(|&n| n != ABSENT),
            KeyIndex::Many { width, keys, table } => {
                let at = |n: u32| &keys[n as usize * width..(n as usize + 1) * width];
                table.find(hash_terms(key), |&n| at(n) == key).copied()
            }
        }
    }

    /// The number of the key. A new key gets the next number.
    pub(crate) fn find_or_insert(&mut self, key: &[TermId]) -> u32 {
        if let Some(number) = self.find(key) {
            return number;
        }
        match self {
            KeyIndex::Empty { present } => {
                *present = true;
                0
            }
            KeyIndex::One { numbers, count } => {
                let index = key[0].index();
                if numbers.len() <= index {
                    numbers.resize(index + 1, ABSENT);
                }
                numbers[index] = *count;
                *count += 1;
                *count - 1
            }
            KeyIndex::Many { width, keys, table } => {
                let number = (keys.len() / *width) as u32;
                keys.extend_from_slice(key);
                let (keys, width) = (&*keys, *width);
                table.insert_unique(hash_terms(key), number, |&n| {
                    hash_terms(&keys[n as usize * width..(n as usize + 1) * width])
                });
                number
            }
        }
    }
}

/// How completely a call has been evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Progress {
    /// Not evaluated, or to be evaluated again.
    #[default]
    Fresh,
    /// Being evaluated further up the stack.
    Active,
    /// Evaluated as far as possible until a recursive call below it is complete.
    Pending,
    /// Completely evaluated.
    Complete,
}

/// A call and its tuples.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    /// The stamp of its evaluation. If it is older than its mode's stamp, the answer is
    /// outdated.
    pub(crate) stamp: u64,
    pub(crate) progress: Progress,
    /// The lowest recursive call that the answer waits for, as a position among pending calls.
    pub(crate) waits_for: u32,
    /// The number of tuples.
    pub(crate) len: usize,
    /// The free arguments of the tuples, concatenated.
    pub(crate) tuples: Vec<TermId>,
    /// The tuples by content, once there are many.
    seen: HashTable<u32>,
}

/// Below this number of tuples, comparing all of them is cheaper than hashing.
const FEW: usize = 8;

impl Call {
    pub(crate) fn reset(&mut self, stamp: u64) {
        self.stamp = stamp;
        self.progress = Progress::Fresh;
        self.len = 0;
        self.tuples.clear();
        if !self.seen.is_empty() {
            self.seen.clear();
        }
    }

    /// Adds a tuple. Returns false if it was already present.
    pub(crate) fn add(&mut self, tuple: &[TermId]) -> bool {
        let width = tuple.len();
        if width == 0 {
            let new = self.len == 0;
            self.len = 1;
            return new;
        }
        if self.len < FEW {
            if self.tuples.chunks_exact(width).any(|known| known == tuple) {
                return false;
            }
        } else {
            let tuples = &self.tuples;
            let at = |n: u32| &tuples[n as usize * width..(n as usize + 1) * width];
            let rehash = |&n: &u32| hash_terms(at(n));
            if self.seen.is_empty() {
                for n in 0..self.len as u32 {
                    self.seen.insert_unique(hash_terms(at(n)), n, rehash);
                }
            }
            let hash = hash_terms(tuple);
            if self.seen.find(hash, |&n| at(n) == tuple).is_some() {
                return false;
            }
            self.seen.insert_unique(hash, self.len as u32, rehash);
        }
        self.tuples.extend_from_slice(tuple);
        self.len += 1;
        true
    }
}

/// All calls of a mode.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) index: KeyIndex,
    pub(crate) calls: Vec<Call>,
    /// Whether all keys with tuples are present.
    pub(crate) closed: bool,
}

impl Table {
    pub(crate) fn new(keys: usize) -> Self {
        Table {
            index: KeyIndex::new(keys),
            calls: Vec::new(),
            closed: false,
        }
    }
}
