//! What a player is given, and what it may use.

use crate::Settings;
use compile::Playable;
use game::RoleId;
use mcts::Config;

/// What a player is given for one match.
pub struct Setup {
    /// The game, the player's own: others hold forks of it.
    pub playable: Playable,
    /// The role it plays.
    pub role: RoleId,
    /// Seeds everything random, so that matches can be repeated.
    pub seed: u64,
    /// Threads it may search with, at least one.
    pub threads: usize,
    /// Bytes that its search may hold between and during moves.
    pub memory: usize,
}

/// How a player prepares and searches: its switches.
#[derive(Debug, Clone, PartialEq)]
pub struct Switches {
    /// The parameters of the search.
    pub config: Config,
    /// Search through the start clock.
    pub prepare: bool,
    /// Keep the graph from move to move.
    pub reuse: bool,
    /// Prove what the results of two roles add up to.
    pub sum: bool,
    /// Prove which results are out of reach for good.
    pub ranges: bool,
    /// Search on in the time of others, where that is allowed.
    pub ponder: bool,
    /// Make playouts side by side where that is possible.
    pub lanes: bool,
    /// Look at all moves of a state side by side where that is faster.
    pub fans: bool,
    /// In playouts side by side, roles take a win that is one move away.
    pub decisive: bool,
    /// There, roles that take wins also prevent those of others.
    pub anti_decisive: bool,
    /// There, roles that take wins also leave alone moves after which others could win at once.
    pub careful: bool,
    /// Play games that fall apart by their parts.
    pub factors: bool,
    /// Also those in which a role chooses the part in which it moves.
    pub passing: bool,
    /// Foretell what another role is going to do from what it did before.
    pub habits: bool,
    /// The percentage of the start clock in which settings race, if they do.
    pub tune: Option<u32>,
    /// Playouts from each leaf, if they are made side by side.
    pub per_leaf: u32,
    /// Leaves that are collected before playouts are made from all of them, likewise.
    pub leaves: u32,
    /// Threads, if not as many as it is given.
    pub threads: Option<usize>,
}

impl Switches {
    /// What of it can be tuned.
    pub fn settings(&self) -> Settings {
        Settings {
            exploration: self.config.exploration,
            learning: self.config.learning.visits,
            look_ahead: self.config.look_ahead,
            lanes: self.lanes,
            decisive: self.decisive,
            per_leaf: self.per_leaf,
            leaves: self.leaves,
        }
    }
}
