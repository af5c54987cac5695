//! Games and profiles for tests.
#![allow(dead_code)] // Each test uses some of it.

use budget::Budget;
use compile::Playable;
use game::RoleId;
use mcts::Config;
use metagame::{Setup, Switches};
use prepare::{Options, prepare};

/// A fixture on the fastest engine.
pub fn fixture(name: &str) -> Playable {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let rules = std::fs::read_to_string(path).expect("it is there");
    let made = prepare(&rules, &Options::default(), &Budget::system());
    made.expect("it plays").playable
}

/// The setup of the player of the first role.
pub fn setup(playable: Playable) -> Setup {
    Setup {
        playable,
        role: RoleId(0),
        seed: 1,
        threads: 1,
        memory: 64 << 20,
    }
}

/// Everything on, as in the player `default`.
pub fn profile() -> Switches {
    let mut config = Config::default();
    config.learning.visits = 4.0;
    config.amaf.on = true;
    config.proofs.states = 1.0;
    config.proofs.time = 0.5;
    Switches {
        config,
        prepare: true,
        reuse: true,
        sum: true,
        ranges: true,
        ponder: true,
        lanes: true,
        fans: true,
        decisive: true,
        anti_decisive: true,
        careful: true,
        puzzles: true,
        factors: true,
        passing: false,
        habits: true,
        local: true,
        beside: true,
        provers: true,
        guided: false,
        cubes: true,
        knowledge: true,
        method: None,
        learn_games: None,
        tune: None,
        per_leaf: 8,
        leaves: 64,
        threads: None,
    }
}
