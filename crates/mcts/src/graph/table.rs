//! From states to the places of their nodes.

use crossbeam_utils::CachePadded;
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;

/// Parts of the table, each behind a lock of its own: threads seldom meet in one.
const PARTS: usize = 64;

type Part = Mutex<FxHashMap<u64, u32>>;

/// Hashes of states, each with the place of a node. Of two states with the same hash, one is not in it.
#[derive(Debug)]
pub(super) struct Table {
    parts: Box<[CachePadded<Part>]>,
}

impl Table {
    pub fn new() -> Table {
        Table {
            parts: (0..PARTS).map(|_| CachePadded::default()).collect(),
        }
    }

    /// The part that a hash belongs to. Nothing else is locked by whoever has it.
    #[inline]
    fn part(&self, hash: u64) -> MutexGuard<'_, FxHashMap<u64, u32>> {
        self.parts[(hash >> 32) as usize % PARTS].lock()
    }

    /// The place that is noted for a hash.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<u32> {
        self.part(hash).get(&hash).copied()
    }

    /// Notes a place for a hash, unless there is one already, which is told.
    pub fn note(&self, hash: u64, index: u32) -> Option<u32> {
        let mut part = self.part(hash);
        let known = part.get(&hash).copied();
        if known.is_none() {
            part.insert(hash, index);
        }
        known
    }

    /// Forgets a place.
    pub fn remove(&self, hash: u64, index: u32) {
        let mut part = self.part(hash);
        if part.get(&hash) == Some(&index) {
            part.remove(&hash);
        }
    }
}
