//! Where a search ends.

/// Where a search ends, whatever time is left: for searches that must repeat.
///
/// Both bounds are on one search. With one thread, what a search does up to them repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Playouts. A visit of a solved node, which needs no playouts, counts as one.
    pub playouts: u64,
    /// States passed, in the graph and in playouts; a state counts each time that it is passed. The
    /// batch that reaches the bound is finished.
    pub nodes: u64,
}

impl Limits {
    /// The share of each of so many searches.
    pub fn each_of(self, searches: u64) -> Limits {
        let searches = searches.max(1);
        match self == Limits::default() {
            true => self,
            false => Limits {
                playouts: (self.playouts / searches).max(1),
                nodes: (self.nodes / searches).max(1),
            },
        }
    }
}

impl Default for Limits {
    /// No limits.
    fn default() -> Self {
        Limits {
            playouts: u64::MAX,
            nodes: u64::MAX,
        }
    }
}
