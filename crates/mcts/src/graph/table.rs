//! From states to the places of their nodes.

use crossbeam_utils::CachePadded;
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;

/// Parts of the table, each behind a lock of its own: threads seldom meet in one.
const SHARDS: usize = 64;

type Shard = Mutex<FxHashMap<u64, u32>>;

/// Hashes of states, each with the place of a node. Of two states with the same hash, one is not in it.
#[derive(Debug)]
pub(super) struct Table {
    shards: Box<[CachePadded<Shard>]>,
}

impl Table {
    pub fn new() -> Table {
        Table {
            shards: (0..SHARDS).map(|_| CachePadded::default()).collect(),
        }
    }

    /// The shard that a hash belongs to. Nothing else is locked by whoever has it.
    #[inline]
    fn shard(&self, hash: u64) -> MutexGuard<'_, FxHashMap<u64, u32>> {
        self.shards[(hash >> 32) as usize % SHARDS].lock()
    }

    /// The place that is noted for a hash.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<u32> {
        self.shard(hash).get(&hash).copied()
    }

    /// Notes a place for a hash, unless there is one already, which is told.
    pub fn insert(&self, hash: u64, index: u32) -> Option<u32> {
        let mut shard = self.shard(hash);
        let known = shard.get(&hash).copied();
        if known.is_none() {
            shard.insert(hash, index);
        }
        known
    }

    /// Forgets a place.
    pub fn remove(&self, hash: u64, index: u32) {
        let mut shard = self.shard(hash);
        if shard.get(&hash) == Some(&index) {
            shard.remove(&hash);
        }
    }
}
