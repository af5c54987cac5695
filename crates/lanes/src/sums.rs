//! Counting lanes without adding up a plane each time.

use bitcode::Plane;

/// How often lanes were counted, for each word of a plane by itself: one instruction on processors
/// that count the bits of all words at once.
#[derive(Debug, Clone)]
pub(crate) struct Sum<const W: usize>([u64; W]);

impl<const W: usize> Default for Sum<W> {
    fn default() -> Self {
        Sum([0; W])
    }
}

impl<const W: usize> Sum<W> {
    /// Counts these lanes.
    #[inline(always)]
    pub fn add(&mut self, lanes: &Plane<W>) {
        for (sum, word) in self.0.iter_mut().zip(lanes.0) {
            *sum += u64::from(word.count_ones());
        }
    }

    /// The number of lanes that were counted.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
