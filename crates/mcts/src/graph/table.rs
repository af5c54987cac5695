//! The table from states to the slots of their nodes.

use crossbeam_utils::CachePadded;
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;

/// Shards of the table, each with its own lock, so that threads seldom meet.
const SHARDS: usize = 64;

type Shard = Mutex<FxHashMap<u64, u32>>;

/// Hashes of states, each with the slot of a node. Of two states with equal hashes, one has no
/// entry.
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

    /// Locks the shard of a hash. The thread takes no other lock while it holds this one.
    #[inline]
    fn shard(&self, hash: u64) -> MutexGuard<'_, FxHashMap<u64, u32>> {
        self.shards[(hash >> 32) as usize % SHARDS].lock()
    }

    /// The slot of a hash.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<u32> {
        self.shard(hash).get(&hash).copied()
    }

    /// Inserts the slot of a hash, unless there is one already, which is returned.
    pub fn insert(&self, hash: u64, index: u32) -> Option<u32> {
        let mut shard = self.shard(hash);
        let known = shard.get(&hash).copied();
        if known.is_none() {
            shard.insert(hash, index);
        }
        known
    }

    /// Removes the slot of a hash.
    pub fn remove(&self, hash: u64, index: u32) {
        let mut shard = self.shard(hash);
        if shard.get(&hash) == Some(&index) {
            shard.remove(&hash);
        }
    }
}
