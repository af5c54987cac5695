//! The evidence for a property of a game.

/// The evidence for a property of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// It holds in every reachable state.
    Proved,
    /// It held in all sampled states or transitions that could have refuted it.
    Observed {
        /// Number of such samples.
        samples: u64,
    },
    /// There is no evidence for or against it.
    Unknown,
}
