//! Every number that the search depends on.

/// The parameters of the search. The default is what the profile `baseline` plays with: the
/// yardstick of later strength work, so it changes only if it turns out to be wrong.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The weight C of exploration in `mean + C * sqrt(ln N / n)`, with results scaled to 0..1.
    ///
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002) proves its bound with √2 for any distribution on
    /// 0..1. Play results vary less: their variance is at most 1/4, and most of the tree sees far
    /// less, so the sub-Gaussian bound `sqrt(2 * 1/4)` is already generous. `[range: > 0]`
    pub exploration: f64,
    /// How often a role takes the move of the best mean instead of the best bound where others
    /// choose at the same time. `[range: 0 to 1]`
    ///
    /// Bandits that learn side by side fall into step: two that try `cooperate` and `defect`
    /// always together never see that defecting alone pays. Exploring by the toss of a coin keeps
    /// them apart, and as bounds grow until their move is tried, it explores no less.
    pub greedy: f64,
    /// Transitions in one playout, forced ones included, after which it is broken off.
    ///
    /// A well-formed game ends by itself, so this only guards against those that do not.
    pub max_steps: u32,
    /// The result, 0 to 1, of a role for which a finished game defines no goal.
    ///
    /// Rulesheets that leave goals out leave out the lost ones, so a missing goal is a loss.
    pub missing_goal: f64,
    /// The result, 0 to 1, of a role in a playout that did not finish (broken off, no legal move,
    /// engine failure) and whose last state defines no goal: nothing is known.
    pub unknown: f64,
    /// Nodes looked at when the next state is searched in the tree of the previous move.
    pub reuse_search: usize,
}

/// Where a search ends, whatever time is left: for searches that must repeat.
///
/// Both bounds are on one search. With one thread, what a search does up to them repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Playouts.
    pub playouts: u64,
    /// States passed, each time that one is, in the tree and in playouts; the playout that reaches
    /// the bound is finished. Unlike playouts they cost about the same in long and short games and
    /// wherever the tree ends.
    pub nodes: u64,
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

impl Limits {
    /// A limit on playouts alone.
    pub fn playouts(playouts: u64) -> Self {
        Limits {
            playouts,
            ..Limits::default()
        }
    }

    /// A limit on nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Limits {
            nodes,
            ..Limits::default()
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            exploration: std::f64::consts::FRAC_1_SQRT_2,
            greedy: 0.5,
            max_steps: 5_000,
            missing_goal: 0.0,
            unknown: 0.5,
            reuse_search: 100_000,
        }
    }
}
