//! The parameters of the search.

/// The parameters of the search.
///
/// The default is what the profile `baseline` plays with. It is the yardstick of later strength
/// work, so it changes only if it turns out to be wrong.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The weight C of exploration in `mean + C * sqrt(ln N / n)`, with results scaled to 0..1.
    ///
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002) proves its bound with √2 for any distribution
    /// on 0..1. Results of play vary less: their variance is at most 1/4, and far less in most
    /// of the tree, so the sub-Gaussian bound `sqrt(2 * 1/4)` is already generous. `[range: >
    /// 0]`
    pub exploration: f64,
    /// How often a role takes the move of the best mean instead of the best bound where others
    /// choose at the same time. `[range: 0 to 1]`
    ///
    /// Bandits that learn side by side can synchronise: two that always try `cooperate` and
    /// `defect` together never see that defecting alone is better. Random exploration keeps
    /// them apart. It explores no less, because the bound of an untried move grows until the
    /// move is tried.
    pub greedy: f64,
    /// Transitions in one playout, forced ones included, after which it is cut.
    ///
    /// A well-formed game ends by itself, so this only guards against those that do not.
    pub max_steps: u32,
    /// The result, 0 to 1, of a role for which a finished game defines no goal.
    ///
    /// Rulesheets that leave goals out leave out the lost ones, so a missing goal is a loss.
    pub missing_goal: f64,
    /// The result, 0 to 1, of a role in an unfinished playout whose last state defines no goal.
    ///
    /// Unfinished means cut at the step limit, without a legal move, or with an engine failure.
    /// Then nothing is known.
    pub unknown: f64,
    /// The most nodes examined to find the next state in the tree of the previous move.
    pub reuse_search: usize,
}

/// Bounds on a search besides time, for searches that must repeat.
///
/// Both bounds apply to one search. With one thread, a search that ends by them repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most playouts.
    pub playouts: u64,
    /// The most states visited, in the tree and in playouts, each counted on every visit.
    ///
    /// The playout that reaches the bound is finished. Unlike playouts, states cost about the
    /// same in long and short games and wherever the tree ends.
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
