//! The table from states to the slots of their nodes.

use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of a bucket: two cache lines, which the processor fetches together.
const ENTRIES: usize = 16;

/// Slots for each bucket, at most, when the graph is full. Of a thousand buckets four are then too
/// small.
const PER_BUCKET: usize = ENTRIES / 2;

/// Buckets that are allocated together, when one of them is used.
const PAGE: usize = 1 << 10;

/// Locks, each for as many buckets.
const LOCKS: usize = 64;

/// Each entry has the upper half of a hash, and one more than a slot; 0 is no entry.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Bucket([AtomicU64; ENTRIES]);

/// Parts of states' hashes, each with the slot of a node. A state has no entry if another one
/// has the same parts, or its bucket was full.
///
/// Entries are read without a lock, and written under that of their bucket.
#[derive(Debug)]
pub(super) struct Table {
    pages: Box<[OnceLock<Box<[Bucket]>>]>,
    locks: Box<[CachePadded<Mutex<()>>]>,
}

impl Table {
    /// A table for so many slots.
    pub fn new(slots: usize) -> Table {
        let buckets = slots.div_ceil(PER_BUCKET).max(PAGE).next_power_of_two();
        Table {
            pages: (0..buckets / PAGE).map(|_| OnceLock::new()).collect(),
            locks: (0..LOCKS).map(|_| CachePadded::default()).collect(),
        }
    }

    /// The number of a hash's bucket, and what its entry has of it.
    fn place(&self, hash: u64) -> (usize, u64) {
        let bucket = hash as usize & (self.pages.len() * PAGE - 1);
        (bucket, hash >> 32 << 32)
    }

    fn bucket(&self, number: usize) -> Option<&Bucket> {
        Some(&self.pages[number / PAGE].get()?[number % PAGE])
    }

    /// Whether two hashes have the same entry.
    pub fn is_same(&self, one: u64, other: u64) -> bool {
        self.place(one) == self.place(other)
    }

    /// Prefetches the entry of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        if let Some(bucket) = self.bucket(self.place(hash).0) {
            prefetch::item(bucket);
        }
    }

    /// The slot of a hash.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<u32> {
        let (number, part) = self.place(hash);
        let entries = self.bucket(number)?.0.iter();
        let mut entries = entries.map(|entry| entry.load(Ordering::Acquire));
        let found = entries.find(|entry| entry ^ part < 1 << 32 && *entry as u32 > 0)?;
        Some(found as u32 - 1)
    }

    /// Inserts the slot of a hash, unless there is one already, which is returned.
    pub fn insert(&self, hash: u64, index: u32) -> Option<u32> {
        let (number, part) = self.place(hash);
        let page = self.pages[number / PAGE]
            .get_or_init(|| (0..PAGE).map(|_| Bucket::default()).collect());
        let _lock = self.locks[number % LOCKS].lock();
        if let Some(known) = self.find(hash) {
            return Some(known);
        }
        let mut entries = page[number % PAGE].0.iter();
        if let Some(free) = entries.find(|entry| entry.load(Ordering::Relaxed) == 0) {
            free.store(part | (u64::from(index) + 1), Ordering::Release);
        }
        None
    }

    /// Removes the slot of a hash.
    pub fn remove(&self, hash: u64, index: u32) {
        let (number, part) = self.place(hash);
        let Some(bucket) = self.bucket(number) else {
            return;
        };
        let own = part | (u64::from(index) + 1);
        let _lock = self.locks[number % LOCKS].lock();
        let mut entries = bucket.0.iter();
        if let Some(entry) = entries.find(|entry| entry.load(Ordering::Relaxed) == own) {
            entry.store(0, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A table beside a map, with hashes of which many share buckets or halves.
    #[test]
    fn a_table_is_a_map_until_buckets_are_full() {
        let (table, mut map) = (Table::new(100), HashMap::new());
        for round in 0..20_000u64 {
            let hash = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) & 0x3_0000_01FF;
            let index = (round % 1000) as u32;
            match map.get(&hash) {
                Some(&known) if round % 3 == 0 => {
                    table.remove(hash, known);
                    assert_eq!(map.remove(&hash), Some(known));
                }
                known => {
                    assert_eq!(table.insert(hash, index), known.copied());
                    map.entry(hash).or_insert(index);
                }
            }
            assert_eq!(table.find(hash), map.get(&hash).copied());
        }
        assert!(map.len() > 500);
    }

    #[test]
    fn a_full_bucket_takes_no_more() {
        let table = Table::new(1);
        let hash = |number: u64| number << 32;
        let all = 0..ENTRIES as u64 + 1;
        for number in all.clone() {
            assert_eq!(table.insert(hash(number), number as u32), None);
        }
        let found = all.filter(|&number| table.find(hash(number)) == Some(number as u32));
        assert_eq!(found.count(), ENTRIES);
        table.remove(hash(3), 4);
        assert_eq!(table.find(hash(3)), Some(3), "that is another slot");
        table.remove(hash(3), 3);
        assert_eq!(table.insert(hash(99), 7), None);
        assert_eq!(table.find(hash(99)), Some(7));
        assert!(table.is_same(hash(5), hash(5)) && !table.is_same(hash(5), hash(6)));
    }
}
