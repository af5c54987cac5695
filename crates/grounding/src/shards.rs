//! A hash table of numbers that grows a part at a time.
//!
//! A table of millions of numbers takes seconds to move when it doubles, and nobody looks at the
//! clock meanwhile. Split by a few bits of the hash, each part doubles on its own.

use hashbrown::HashTable;

const SHARDS: usize = 32;

/// The hash bits that choose a part: neither the low ones, by which `hashbrown` chooses the
/// bucket, nor the top seven, by which it tells the bucket's entries apart.
const SHIFT: u32 = 50;

/// Numbers, each found by the hash of what it stands for.
#[derive(Debug, Default)]
pub(crate) struct Shards([HashTable<u32>; SHARDS]);

impl Shards {
    /// The part for this hash.
    #[inline]
    pub(crate) fn of(&self, hash: u64) -> &HashTable<u32> {
        &self.0[(hash >> SHIFT) as usize % SHARDS]
    }

    /// The part for this hash.
    #[inline]
    pub(crate) fn of_mut(&mut self, hash: u64) -> &mut HashTable<u32> {
        &mut self.0[(hash >> SHIFT) as usize % SHARDS]
    }

    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|part| part.capacity() * 5).sum()
    }
}
