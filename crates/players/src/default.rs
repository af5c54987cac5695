//! The profile `default`, with its features and extras.

use mcts::Config;
#[cfg(doc)]
use mcts::{Learning, Proofs};
use metagame::Switches;

/// The virtual visits of the learnt prior; see [`Learning::visits`].
const LEARNING: f64 = 4.0;

/// The states generated in proof search for each visit; see [`Proofs::states`].
const PROOFS: f64 = 1.0;

/// The most that proof search takes of the time, as a part of it; see [`Proofs::time`].
const PROOF_TIME: f64 = 0.5;

/// The profile `default`: the strongest play that has been measured, with all features on.
pub(crate) fn default() -> Switches {
    Switches {
        config: learning(),
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
        factors: true,
        passing: false,
        habits: true,
        tune: None,
        per_leaf: 8,
        leaves: 64,
        threads: None,
    }
}

/// The search with learning from states.
fn learning() -> Config {
    let mut config = Config::default();
    config.learning.visits = LEARNING;
    config.amaf.on = true;
    config.proofs.states = PROOFS;
    config.proofs.time = PROOF_TIME;
    config
}

/// A part of `default` that can be switched off, so that matches can measure its effect.
#[derive(Debug)]
pub struct Feature {
    /// Its name; the option `no-NAME` switches it off.
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Switches it off.
    pub(crate) off: fn(&mut Switches),
}

/// All features of `default`. A feature added to its search is added here.
pub const FEATURES: &[Feature] = &[
    Feature {
        name: "reuse",
        what: "what a search has learnt is kept for the next move",
        off: |profile| profile.reuse = false,
    },
    Feature {
        name: "prepare",
        what: "the start clock is searched through",
        off: |profile| profile.prepare = false,
    },
    Feature {
        name: "ponder",
        what: "the search goes on in the time of others, where whoever asks for moves lets it",
        off: |profile| profile.ponder = false,
    },
    Feature {
        name: "lanes",
        what: "hundreds of playouts are made side by side, some from each of many leaves",
        off: |profile| profile.lanes = false,
    },
    Feature {
        name: "fans",
        what: "all moves of a state are looked at side by side, where that is faster",
        off: |profile| profile.fans = false,
    },
    Feature {
        name: "foresight",
        what: "what looks for proofs sees wins that are one move away, where all moves are looked at side by side",
        off: |profile| profile.config.foresight = false,
    },
    Feature {
        name: "decisive",
        what: "roles take a win that is one move away, in playouts side by side, unless that is dear and changes little",
        off: |profile| profile.decisive = false,
    },
    Feature {
        name: "anti-decisive",
        what: "roles that take wins in playouts get in the way of wins of others, too",
        off: |profile| profile.anti_decisive = false,
    },
    Feature {
        name: "careful",
        what: "roles that take wins in playouts leave alone moves after which another one could win at once, too",
        off: |profile| profile.careful = false,
    },
    Feature {
        name: "factors",
        what: "a game that falls apart is searched part by part, and a puzzle solved so",
        off: |profile| profile.factors = false,
    },
    Feature {
        name: "sum",
        what: "where it is proved that one role gets what the other loses, proofs make use of that",
        off: |profile| profile.sum = false,
    },
    Feature {
        name: "ranges",
        what: "results that are proved to be out of reach for good bound what is searched",
        off: |profile| profile.ranges = false,
    },
    Feature {
        name: "solve",
        what: "proved bounds of results are kept, and what is solved is not searched again",
        off: |profile| profile.config.solve = false,
    },
    Feature {
        name: "proofs",
        what: "proof-number search goes on beside the playouts, from where they go often",
        off: |profile| profile.config.proofs.states = 0.0,
    },
    Feature {
        name: "transpositions",
        what: "equal states are one node, however they are reached",
        off: |profile| profile.config.transpositions = false,
    },
    Feature {
        name: "look-ahead",
        what: "all moves at a node are looked at for ends of play before the second one is tried",
        off: |profile| profile.config.look_ahead = false,
    },
    Feature {
        name: "learning",
        what: "what states are worth is learnt from those that were searched, and tells which moves to try",
        off: |profile| profile.config.learning.visits = 0.0,
    },
    Feature {
        name: "amaf",
        what: "what playouts came to that ended with the fact that a move brings tells which moves to try, too",
        off: |profile| profile.config.amaf.on = false,
    },
    Feature {
        name: "regret",
        what: "where more than two roles choose at once, they mix their next moves by what they regret",
        off: |profile| profile.config.simultaneous.regret = false,
    },
    Feature {
        name: "equilibrium",
        what: "where two roles choose at once, the move is drawn from an equilibrium",
        off: |profile| profile.config.simultaneous.equilibrium = false,
    },
    Feature {
        name: "habits",
        what: "where two roles choose at once, what the other did in the match tells what it will do",
        off: |profile| profile.habits = false,
    },
    Feature {
        name: "mixing",
        what: "where roles choose at once, each tries a move at random now and then",
        off: |profile| profile.config.simultaneous.mixing = 0.0,
    },
    Feature {
        name: "known",
        what: "where roles choose at once, joint moves of known results count without a way down",
        off: |profile| profile.config.simultaneous.known = 0,
    },
];

/// An option of `default` that is off unless it is switched on.
#[derive(Debug)]
pub struct Extra {
    /// Its name, which is the option that switches it on.
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Switches it on.
    pub(crate) on: fn(&mut Switches),
}

/// Extras: no match has shown an advantage of these so far.
pub const EXTRAS: &[Extra] = &[Extra {
    name: "passing",
    what: "where a role moves in one of several parts, each is searched, and moves there weighed against passing",
    on: |profile| profile.passing = true,
}];
