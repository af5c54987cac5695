//! A hash table of numbers that grows one part at a time.
//!
//! Doubling a table of millions of numbers takes seconds, during which the clock is not
//! checked. This table is split by a few bits of the hash, and each part doubles separately.

use hashbrown::HashTable;

const SHARDS: usize = 32;

/// The position of the hash bits that select a part. They are neither the low bits, by which
/// `hashbrown` selects the bucket, nor the top seven bits, by which it distinguishes the
/// entries of a bucket.
const SHIFT: u32 = 50;

/// Numbers, each stored under the hash of the item it stands for.
#[derive(Debug, Default)]
pub(crate) struct Shards([HashTable<u32>; SHARDS]);

impl Shards {
    /// The part for this hash.
    #[inline]
    pub(crate) fn of(&self, hash: u64) -> &HashTable<u32> {
        &self.0[(hash >> SHIFT) as usize % SHARDS]
    }

    /// The part for this hash, mutable.
    #[inline]
    pub(crate) fn of_mut(&mut self, hash: u64) -> &mut HashTable<u32> {
        &mut self.0[(hash >> SHIFT) as usize % SHARDS]
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|part| part.capacity() * 5).sum()
    }
}
