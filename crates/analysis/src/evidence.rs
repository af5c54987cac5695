//! How sure a fact about a game is.

/// How sure a fact about a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// It holds in every state that play can reach.
    Proved,
    /// It held in so many states or transitions of random play that could have shown it to be
    /// wrong, and none did.
    Observed {
        /// How many.
        samples: u64,
    },
    /// Nothing speaks for it, and nothing against it.
    Unknown,
}
