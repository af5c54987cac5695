//! The table that finds nodes by the hashes of their questions.
//!
//! Open addressing with linear probing, at most half full. It is our own because a round looks for
//! hundreds of questions, whose places are prefetched together before the first is read.

/// Places at first; a power of two.
const FIRST: usize = 1 << 10;

/// Hashes with the numbers of nodes.
#[derive(Debug)]
pub(crate) struct Table {
    /// Each 0, or the upper half of a hash, and one more than the number of a node. As many as a
    /// power of two.
    places: Vec<u64>,
    taken: usize,
}

impl Table {
    pub fn new() -> Table {
        Table {
            places: vec![0; FIRST],
            taken: 0,
        }
    }

    pub fn clear(&mut self) {
        self.places.fill(0);
        self.taken = 0;
    }

    /// Prefetches what [`Table::find`] reads.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch::item(&self.places[self.first(hash)]);
    }

    /// The node of a hash for which `same` holds.
    #[inline]
    pub fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.places.len() - 1;
        let mut place = self.first(hash);
        loop {
            let entry = self.places[place];
            if entry == 0 {
                return None;
            }
            let node = (entry as u32).wrapping_sub(1);
            if entry >> 32 == hash >> 32 && same(node) {
                return Some(node);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds the next node: they are numbered in the order in which they come. `hash_of` tells the
    /// hashes of those before.
    pub fn insert(&mut self, hash: u64, node: u32, hash_of: impl Fn(u32) -> u64) {
        if 2 * (self.taken + 1) > self.places.len() {
            self.places = vec![0; 2 * self.places.len()];
            // In the order of the nodes, so that they are read one after the other.
            for known in 0..self.taken as u32 {
                self.put(hash_of(known), known);
            }
        }
        self.put(hash, node);
        self.taken += 1;
    }

    fn put(&mut self, hash: u64, node: u32) {
        let mask = self.places.len() - 1;
        let mut place = self.first(hash);
        while self.places[place] != 0 {
            place = (place + 1) & mask;
        }
        self.places[place] = hash >> 32 << 32 | u64::from(node.wrapping_add(1));
    }

    #[inline]
    fn first(&self, hash: u64) -> usize {
        hash as usize & (self.places.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_and_equal_halves_are_told_apart() {
        // Equal in the lower half, in the upper half, in both.
        let hashes = [5, 5 | 1 << 40, 7 | 1 << 40, 5, 5 + FIRST as u64];
        let mut table = Table::new();
        let hash_of = |node: u32| hashes[node as usize];
        for (node, &hash) in (0..).zip(&hashes) {
            assert_eq!(table.find(hash, |known| known == node), None);
            table.insert(hash, node, hash_of);
        }
        for (node, &hash) in (0..).zip(&hashes) {
            table.prefetch(hash);
            assert_eq!(table.find(hash, |known| known == node), Some(node));
        }
        table.clear();
        assert_eq!(table.find(5, |_| true), None);
    }

    #[test]
    fn it_grows() {
        let hash_of = |node: u32| u64::from(node).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut table = Table::new();
        for node in 0..20_000 {
            table.insert(hash_of(node), node, hash_of);
        }
        for node in 0..20_000 {
            assert_eq!(table.find(hash_of(node), |known| known == node), Some(node));
        }
    }
}
