//! The numbers that learning depends on.

/// The parameters of a [`Learner`](crate::Learner).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Config {
    /// Games in lockstep. Their moves are expanded together, so that no lane is empty.
    /// `[default: 32]` `[range: at least 1]`
    pub games: usize,
    /// The probability of a random move. `[default: 0.1]` `[range: 0 to 1]`
    pub exploration: f32,
    /// Each game begins with up to so many random plies. `[default: 6]` `[range: at least 0]`
    pub opening: u32,
    /// How much a target depends on what came later in the game rather than on the value of the
    /// best successor, by each ply: the λ of TD(λ). `[default: 0.8]` `[range: 0 to 1]`
    pub lambda: f32,
    /// The size of a step; see [`heuristics::ALPHA`]. `[default: 32.0]` `[range: > 0]`
    pub alpha: f32,
    /// Plies after which a game is cut. Nothing is learnt from it. `[default: 600]`
    /// `[range: at least 1]`
    pub length: usize,
    /// Where several roles choose at once, joint moves of the others that each move of a role is
    /// tried with. `[default: 4]` `[range: at least 1]`
    pub replies: usize,
    /// Moves of a role that are tried in a state, at most; random ones if there are more.
    /// `[default: 512]` `[range: at least 1]`
    pub moves: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            games: 32,
            exploration: 0.1,
            opening: 6,
            lambda: 0.8,
            alpha: heuristics::ALPHA,
            length: 600,
            replies: 4,
            moves: 512,
        }
    }
}
