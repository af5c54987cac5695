//! The profile `default`, with its features and extras.

use mcts::{Config, ProofMethod};
#[cfg(doc)]
use mcts::{Learning, Proofs, Questions};
use metagame::{Method, Switches};

/// The virtual visits of the learnt prior; see [`Learning::visits`].
const LEARNING: f64 = 4.0;

/// The states generated in proof search for each visit; see [`Proofs::states`].
const PROOFS: f64 = 1.0;

/// The most that proof search takes of the time, as a part of it; see [`Proofs::time`].
const PROOF_TIME: f64 = 0.5;

/// The leaves of one descent; see [`Config::children`].
const CHILDREN: u32 = 8;

/// The descents of a batch, which may have fewer leaves then; see [`Config::descents`].
const DESCENTS: u32 = 64;

/// How widely the root is searched where that is on; see [`Config::root_power`].
const ROOT_POWER: f64 = 0.5;

/// The part of the time that questions about the root get; see [`Questions::time`].
const QUESTION_TIME: f64 = 0.4;

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
        puzzles: true,
        factors: true,
        passing: false,
        habits: true,
        local: false,
        provers: true,
        guided: false,
        cubes: false,
        knowledge: true,
        beside: false,
        method: None,
        learn_games: None,
        tune: None,
        per_leaf: 4,
        leaves: 256,
        threads: None,
    }
}

/// The search with learning from states.
fn learning() -> Config {
    let mut config = Config::default();
    config.children = CHILDREN;
    config.descents = DESCENTS;
    config.learning.visits = LEARNING;
    config.amaf.on = true;
    config.proofs.states = PROOFS;
    config.proofs.time = PROOF_TIME;
    config.questions.time = QUESTION_TIME;
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
///
/// A feature is on because matches show a gain. These are on for other reasons, and tests show
/// each of them:
/// - `prepare`: a search through the start clock is what the first move rests on where the play
///   clock is much shorter.
/// - `ranges` and `look-ahead`: they prove values. With ranges, decided states are not searched;
///   with look-ahead, a win in one move is found at the first visit of a node.
/// - `mixing`: without it, search learns to cooperate too seldom in games of several equilibria,
///   because a move that failed in its first visits is never tried again.
/// - `known`: without it, most descents go to joint moves whose results are proved already.
pub const FEATURES: &[Feature] = &[
    Feature {
        name: "reuse",
        what: "keeps the graph for the next move",
        off: |profile| profile.reuse = false,
    },
    Feature {
        name: "prepare",
        what: "searches during the start clock",
        off: |profile| profile.prepare = false,
    },
    Feature {
        name: "ponder",
        what: "searches while others choose, if the caller allows it",
        off: |profile| profile.ponder = false,
    },
    Feature {
        name: "lanes",
        what: "makes hundreds of playouts side by side, some from each of many leaves",
        off: |profile| profile.lanes = false,
    },
    Feature {
        name: "children",
        what: "makes up to eight moves of a node the leaves of one descent",
        off: |profile| {
            profile.config.children = 1;
            (profile.per_leaf, profile.leaves) = (8, 64);
        },
    },
    Feature {
        name: "fans",
        what: "expands a leaf by all its moves side by side, where that is faster",
        off: |profile| profile.fans = false,
    },
    Feature {
        name: "foresight",
        what: "proof search detects wins that are one move away, where all moves are evaluated side by side",
        off: |profile| profile.config.foresight = false,
    },
    Feature {
        name: "decisive",
        what: "decisive moves: playouts take a win in one move, unless that costs much and changes little",
        off: |profile| profile.decisive = false,
    },
    Feature {
        name: "anti-decisive",
        what: "anti-decisive moves: playouts block a win of the next role",
        off: |profile| profile.anti_decisive = false,
    },
    Feature {
        name: "careful",
        what: "careful moves: playouts avoid moves after which the next role wins at once",
        off: |profile| profile.careful = false,
    },
    Feature {
        name: "knowledge",
        what: "learns the value of states by self-play in the start clock",
        off: |profile| profile.knowledge = false,
    },
    Feature {
        name: "puzzles",
        what: "solves games of one role by a portfolio of methods, before play and in it",
        off: |profile| profile.puzzles = false,
    },
    Feature {
        name: "factors",
        what: "searches independent factors of a game one by one",
        off: |profile| profile.factors = false,
    },
    Feature {
        name: "sum",
        what: "proofs use that results add up to a constant, where that is proved",
        off: |profile| profile.sum = false,
    },
    Feature {
        name: "ranges",
        what: "bounds nodes by the goal values that are proved to be out of reach",
        off: |profile| profile.ranges = false,
    },
    Feature {
        name: "solve",
        what: "keeps proved bounds of results, and does not search solved nodes",
        off: |profile| profile.config.solve = false,
    },
    Feature {
        name: "proofs",
        what: "runs proof-number search beside the playouts, from nodes with many visits",
        off: |profile| profile.config.proofs.states = 0.0,
    },
    Feature {
        name: "provers",
        what: "races the proof searches by numbers, and uses the one that answers soonest",
        off: |profile| profile.provers = false,
    },
    Feature {
        name: "questions",
        what: "asks outright whether more can be forced, and whether the moves that lead are refuted",
        off: |profile| profile.config.questions.time = 0.0,
    },
    Feature {
        name: "transpositions",
        what: "equal states share one node",
        off: |profile| profile.config.transpositions = false,
    },
    Feature {
        name: "look-ahead",
        what: "checks all moves of a node for terminal states before its second visit",
        off: |profile| profile.config.look_ahead = false,
    },
    Feature {
        name: "learning",
        what: "learns values of states from searched ones, as a prior for new nodes",
        off: |profile| profile.config.learning.visits = 0.0,
    },
    Feature {
        name: "amaf",
        what: "adds AMAF values of the facts that moves bring to the prior",
        off: |profile| profile.config.amaf.on = false,
    },
    Feature {
        name: "regret",
        what: "regret matching, where more than two roles choose at once",
        off: |profile| profile.config.simultaneous.regret = false,
    },
    Feature {
        name: "equilibrium",
        what: "draws the move from an equilibrium, where two roles choose at once",
        off: |profile| profile.config.simultaneous.equilibrium = false,
    },
    Feature {
        name: "habits",
        what: "predicts the other role by its moves of the match, where two choose at once",
        off: |profile| profile.habits = false,
    },
    Feature {
        name: "mixing",
        what: "explores random moves now and then, where roles choose at once",
        off: |profile| profile.config.simultaneous.mixing = 0.0,
    },
    Feature {
        name: "known",
        what: "counts solved joint moves without a descent, where roles choose at once",
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
pub const EXTRAS: &[Extra] = &[
    Extra {
        name: "passing",
        what: "where a role moves in one of several factors, searches each and weighs moves there against passing",
        on: |profile| profile.passing = true,
    },
    Extra {
        name: "local-search",
        what: "plays forced wins that proof cubes find in a part of the time, and avoids moves that lose to one",
        on: |profile| profile.local = true,
    },
    Extra {
        name: "beside",
        what: "local search and learning on a second thread while best-first search thinks, which has one",
        on: |profile| profile.beside = true,
    },
    Extra {
        name: "guided",
        what: "proves first what is worth proving by what was learnt, without a race of proof searches",
        on: |profile| (profile.provers, profile.guided) = (false, true),
    },
    Extra {
        name: "plunging",
        what: "proves deep before wide, without a race of proof searches",
        on: |profile| {
            profile.provers = false;
            profile.config.proofs.method = ProofMethod::Plunging;
        },
    },
    Extra {
        name: "alpha-beta",
        what: "proves by alpha-beta, without a race of proof searches",
        on: |profile| {
            profile.provers = false;
            profile.config.proofs.method = ProofMethod::AlphaBeta;
        },
    },
    Extra {
        name: "cubes",
        what: "asks proof cubes what proof numbers leave open, in games where they answer some of it",
        on: |profile| profile.cubes = true,
    },
    Extra {
        name: "batched",
        what: "asks questions about the root in batches, by a proof search of their own",
        on: |profile| profile.config.questions.batched = true,
    },
    Extra {
        name: "wide-root",
        what: "searches more moves of the root than of other nodes, where one role chooses there",
        on: |profile| profile.config.root_power = ROOT_POWER,
    },
    Extra {
        name: "best-first",
        what: "uses what was learnt by best-first minimax, without a race of methods",
        on: |profile| profile.method = Some(Method::BestFirst),
    },
    Extra {
        name: "mixed",
        what: "uses what was learnt for half of the value of leaves, without a race of methods",
        on: |profile| profile.method = Some(Method::Mixed),
    },
];
