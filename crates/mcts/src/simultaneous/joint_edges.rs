//! The joint moves that were selected in a node, in a table of its own.
//!
//! A node is visited much more often than a joint move is added to it, and its table is not in the
//! cache then. So the table is one piece of memory, which is prefetched together with the moves:
//! all of it while it is small, as most are.

use crate::node::NodeRef;

/// What a joint move leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointEdge {
    /// The number of the joint move.
    number: u64,
    pub child: Option<NodeRef>,
    /// Visits, pending ones included.
    pub visits: u32,
    /// How much was proved of the child when the node was last proved.
    pub proved: u16,
}

impl JointEdge {
    /// The number of no joint move.
    const NONE: u64 = u64::MAX;

    fn new(number: u64) -> JointEdge {
        JointEdge {
            number,
            child: None,
            visits: 0,
            proved: 0,
        }
    }
}

/// A hash table with open addressing and linear probing. Edges are never removed.
#[derive(Debug, Default)]
pub(crate) struct JointEdges {
    /// None, or a power of two.
    slots: Box<[JointEdge]>,
    len: u32,
}

/// Slots of the smallest table.
const FEWEST: usize = 4;

impl JointEdges {
    /// Bytes of the table.
    #[inline]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// The memory of the table, for prefetching.
    #[inline]
    pub fn slots(&self) -> &[JointEdge] {
        &self.slots
    }

    /// All edges, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &JointEdge> {
        let slots = self.slots.iter();
        slots.filter(|edge| edge.number != JointEdge::NONE)
    }

    /// The edge of a number, if there is one.
    #[inline]
    pub fn get(&self, number: u64) -> Option<&JointEdge> {
        let edge = self.slots.get(self.place(number)?)?;
        (edge.number == number).then_some(edge)
    }

    /// The same, mutable.
    #[inline]
    pub fn get_mut(&mut self, number: u64) -> Option<&mut JointEdge> {
        let edge = self.slots.get_mut(self.place(number)?)?;
        (edge.number == number).then_some(edge)
    }

    /// The edge of a number, a new one if there is none.
    #[inline]
    pub fn get_or_insert(&mut self, number: u64) -> &mut JointEdge {
        let known = self
            .place(number)
            .filter(|&at| self.slots[at].number == number);
        let at = known.unwrap_or_else(|| self.insert(number));
        &mut self.slots[at]
    }

    /// The slot that has a number, or would have it; `None` if there are no slots.
    #[inline]
    fn place(&self, number: u64) -> Option<usize> {
        let last = self.slots.len().checked_sub(1)?;
        // Fibonacci hashing: the upper bits of the product depend on all bits of the number.
        let unused = u64::BITS - self.slots.len().trailing_zeros();
        let mut at = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> unused) as usize;
        while ![number, JointEdge::NONE].contains(&self.slots[at].number) {
            at = (at + 1) & last;
        }
        Some(at)
    }

    /// Adds a number that has no edge. Returns its slot.
    #[cold]
    fn insert(&mut self, number: u64) -> usize {
        // A quarter of the slots stays empty, so that probes end soon.
        if 4 * (self.len as usize + 1) > 3 * self.slots.len() {
            let more = (2 * self.slots.len()).max(FEWEST);
            let empty = vec![JointEdge::new(JointEdge::NONE); more].into();
            for edge in std::mem::replace(&mut self.slots, empty) {
                if edge.number != JointEdge::NONE
                    && let Some(at) = self.place(edge.number)
                {
                    self.slots[at] = edge;
                }
            }
        }
        self.len += 1;
        let at = self.place(number).unwrap_or(0);
        self.slots[at] = JointEdge::new(number);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use rustc_hash::FxHashMap;

    #[test]
    fn numbers_that_differ_in_their_upper_bits_have_places_of_their_own() {
        for shift in [0, 20, 45, 55] {
            let mut edges = JointEdges::default();
            for number in 0..300u64 {
                edges.get_or_insert(number << shift).visits = 1;
            }
            let mask = edges.slots.len() - 1;
            let probes = |number: u64| {
                let begin = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let begin = begin >> (u64::BITS - edges.slots.len().trailing_zeros());
                edges
                    .place(number)
                    .map(|at| at.wrapping_sub(begin as usize) & mask)
            };
            let sum: usize = (0..300).filter_map(|number| probes(number << shift)).sum();
            assert!(
                sum < 600,
                "{sum} steps beyond the first place at shift {shift}"
            );
        }
    }

    #[test]
    fn edges_are_those_of_an_ordinary_map() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for most in [1u64, 3, 9, 100, 10_000, u64::MAX - 1] {
            let (mut edges, mut expected) = (JointEdges::default(), FxHashMap::default());
            for _ in 0..500 {
                let number = rng.random_range(0..most);
                assert_eq!(
                    edges.get(number).map(|edge| edge.visits),
                    expected.get(&number).copied()
                );
                edges.get_or_insert(number).visits += 1;
                *expected.entry(number).or_insert(0) += 1;
                if let Some(edge) = edges.get_mut(number) {
                    assert_eq!(edge.visits, expected[&number]);
                }
            }
            assert_eq!(edges.iter().count(), expected.len());
            let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
            assert_eq!(visits, 500);
            assert!(edges.get(most).is_none());
        }
    }
}
