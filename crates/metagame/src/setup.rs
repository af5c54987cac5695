//! A player's task and its resources.

use crate::{Method, Settings};
use compile::Playable;
use game::RoleId;
use mcts::Config;

/// What a player is given for one match.
pub struct Setup {
    /// The game. The player owns it; others hold forks.
    pub playable: Playable,
    /// The role it plays.
    pub role: RoleId,
    /// The seed of everything random, so that matches can be repeated.
    pub seed: u64,
    /// Threads it may search with, at least one.
    pub threads: usize,
    /// The most bytes of its search, between and during moves.
    pub memory: usize,
}

/// The switches of a player: how it prepares and searches.
#[derive(Debug, Clone, PartialEq)]
pub struct Switches {
    /// The parameters of the search.
    pub config: Config,
    /// Search until the start clock ends.
    pub prepare: bool,
    /// Keep the graph from move to move.
    pub reuse: bool,
    /// Prove the constant sum of the results of two roles.
    pub sum: bool,
    /// Prove which results are permanently out of reach.
    pub ranges: bool,
    /// Ponder: search in the time of others, where that is allowed.
    pub ponder: bool,
    /// Make playouts in lanes where that is possible.
    pub lanes: bool,
    /// Evaluate all moves of a state side by side where that is faster.
    pub fans: bool,
    /// In lanes, roles play decisive moves.
    pub decisive: bool,
    /// In lanes, roles with decisive moves also play anti-decisive moves.
    pub anti_decisive: bool,
    /// In lanes, roles with decisive moves also play careful moves: they avoid moves after
    /// which others could win at once.
    pub careful: bool,
    /// Solve games of one role in the start clock, and go on in play.
    pub puzzles: bool,
    /// Play games that consist of independent parts by these parts.
    pub factors: bool,
    /// Also play those by parts in which a role chooses the part in which it moves.
    pub passing: bool,
    /// Predict the moves of another role from its earlier moves.
    pub habits: bool,
    /// Look for forced wins by proof cubes before the search.
    pub local: bool,
    /// Race the proof searches, and use the one that answers soonest.
    pub provers: bool,
    /// Without a race: let what was learnt guide the proof search.
    pub guided: bool,
    /// Ask proof cubes what proof numbers leave open, where they answer some of it.
    pub cubes: bool,
    /// Learn the value of states by self-play in the start clock.
    pub knowledge: bool,
    /// Go on learning on a second thread, if there is one, while best-first search thinks.
    pub beside: bool,
    /// Use what was learnt by this method, whatever a race would say. `None` if methods race.
    pub method: Option<Method>,
    /// Games of self-play at most, so that learning repeats. `None` if only the clock ends it.
    pub learn_games: Option<u64>,
    /// The percentage of the start clock in which settings race. `None` if they do not race.
    pub tune: Option<u32>,
    /// Playouts from each leaf, in lanes.
    pub per_leaf: u32,
    /// Leaves that are collected before playouts are made from all of them, in lanes.
    pub leaves: u32,
    /// The number of threads, if not all that it is given.
    pub threads: Option<usize>,
}

impl Switches {
    /// The tunable part of the switches.
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
