//! The parameters of single techniques.

use provers::ProofMethod;
use std::time::Duration;

/// Priors of untried moves, learnt from states that were searched (crate `heuristics`).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Learning {
    /// Virtual visits of the prior of a move where R² of the priors is `full_fit`; in proportion to
    /// R² elsewhere. 0 learns nothing.
    /// `[default: 0.0]` `[range: at least 0]`
    pub visits: f64,
    /// The R² of priors, as a prediction of what moves change, for which they count for `visits`.
    /// `[default: 0.5]` `[range: > 0, at most 1]`
    pub full_fit: f64,
    /// Samples of a node from which on it is an example again, whenever they have doubled. Every
    /// leaf is an example once; where a descent has several, the node above them is.
    /// `[default: 8]` `[range: at least 1]`
    pub again_samples: u32,
    /// Samples of a node from which on it tests the prior of the move that led to it.
    /// `[default: 16]` `[range: at least 1]`
    pub fit_samples: u32,
    /// Visits of a node from which on the priors of its moves are computed again, whenever visits
    /// have doubled. They are computed for the first time at the second visit.
    /// `[default: 64]` `[range: at least 2]`
    pub refresh_visits: u32,
}

impl Default for Learning {
    fn default() -> Self {
        Learning {
            visits: 0.0,
            full_fit: 0.5,
            again_samples: 8,
            fit_samples: 16,
            refresh_visits: 64,
        }
    }
}

/// All moves as first: priors from the playouts that ended with the fact that a move adds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Amaf {
    /// Whether it is used. The playouts must report their final states
    /// ([`game::Playouts::watch`]), and [`Learning::visits`] must not be 0.
    /// `[default: false]` `[range: true or false]`
    pub on: bool,
    /// Facts of a game, at most, for which it is used.
    /// `[default: 1024]` `[range: 0 to 65535]`
    pub max_facts: usize,
    /// Samples of a node from which on it counts the final states of playouts.
    /// `[default: 16]` `[range: at least 1]`
    pub count_samples: u32,
    /// Playouts that a node must have counted so that its statistics are used for the nodes below.
    /// `[default: 128]` `[range: at least 1]`
    pub min_playouts: u64,
    /// Playouts that ended with a fact, or those without it if these are fewer, at which its value
    /// is shrunk to one half.
    /// `[default: 16.0]` `[range: at least 0]`
    pub half_playouts: f64,
    /// Playouts of a node at which all its counts are halved, so that nothing overflows.
    /// `[default: 1 << 22]` `[range: 1 to 1 << 25]`
    pub fade_playouts: u64,
    /// Predictions after which a thread decides whether playouts have to report their final states
    /// any longer in this search.
    /// `[default: 200]` `[range: at least 0]`
    pub trial_predictions: u64,
    /// Batches after which it decides that, if there are fewer predictions.
    /// `[default: 100]` `[range: at least 1]`
    pub trial_batches: u32,
    /// The least gain in R² by these priors for which playouts continue to report.
    /// `[default: 0.005]` `[range: 0 to 1]`
    pub min_gain: f64,
}

impl Default for Amaf {
    fn default() -> Self {
        Amaf {
            on: false,
            max_facts: 1024,
            count_samples: 16,
            min_playouts: 128,
            half_playouts: 16.0,
            fade_playouts: 1 << 22,
            trial_predictions: 200,
            trial_batches: 100,
            min_gain: 0.005,
        }
    }
}

/// Proof-number search beside the playouts (crate `dfpn`).
///
/// It is asked whether the role can win from a node, whatever all others do, or, with
/// [`Config::sum`](crate::Config::sum), whether it cannot lose. It needs
/// [`Config::solve`](crate::Config::solve) and more than one role.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Proofs {
    /// States that a proof search generates for each visit of its node. 0 searches no proofs.
    /// `[default: 0.0]` `[range: at least 0]`
    pub states: f64,
    /// How they are searched. `[default: ProofMethod::DepthFirst]` `[range: any]`
    pub method: ProofMethod,
    /// The part of the time of a search for proofs, at most, where no [`Limits`](crate::Limits) are
    /// set: where states are expensive, playouts have to go on all the same. What is due beyond
    /// that waits. `[default: 1.0]` `[range: 0 to 1]`
    pub time: f64,
    /// Visits of a node at which a proof is searched for the first time; then whenever they have
    /// doubled.
    /// `[default: 256]` `[range: at least 1]`
    pub first_visits: u32,
    /// States of one proof search, at most: playouts are to run in between.
    /// `[default: 1 << 16]` `[range: at least root_states]`
    pub max_states: u64,
    /// States, at least, to prove again what was proved of a root, so that a move is known for it.
    /// `[default: 1 << 14]` `[range: at least 0]`
    pub root_states: u64,
    /// The part of the time left, one in this many, for the same purpose.
    /// `[default: 4]` `[range: at least 1]`
    pub root_time: u32,
    /// Nodes that wait for a proof search, at most. Others come back when their visits have doubled
    /// again.
    /// `[default: 256]` `[range: at least 1]`
    pub queue: usize,
    /// The time that must be available before a proof search begins: one that is cut off begins
    /// again only when visits have doubled.
    /// `[default: Duration::from_millis(5)]` `[range: at least 0]`
    pub min_time: Duration,
}

impl Default for Proofs {
    fn default() -> Self {
        Proofs {
            states: 0.0,
            method: ProofMethod::DepthFirst,
            time: 1.0,
            first_visits: 256,
            max_states: 1 << 16,
            root_states: 1 << 14,
            root_time: 4,
            queue: 256,
            min_time: Duration::from_millis(5),
        }
    }
}

/// Questions about the root, asked outright: whether the role can force a better result, and
/// whether the others can refute the moves that lead.
///
/// They need [`Config::solve`](crate::Config::solve) and more than one role.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Questions {
    /// The part of the time of a search for questions, at most, where the end of play may be within
    /// their reach. 0 asks none. `[default: 0.0]` `[range: 0 to 1]`
    pub time: f64,
    /// The part of the time for proofs from other nodes meanwhile, if it is less than
    /// [`Proofs::time`]. `[default: 0.2]` `[range: 0 to 1]`
    pub beside: f64,
    /// Questions are asked where an answer is expected to take so many times the states that they
    /// get, at most: many take far fewer, and some decide the game.
    /// `[default: 8.0]` `[range: > 0]`
    pub reach: f64,
    /// Whether questions have a proof search in batches (crate `pnsearch`), instead of that of all
    /// other proofs. `[default: false]` `[range: true or false]`
    pub batched: bool,
    /// With [`Limits`](crate::Limits), where time does not count: states that all questions may
    /// generate for each visit of the root. `[default: 16.0]` `[range: at least 0]`
    pub states: f64,
    /// States of a question when it is asked for the first time. Then it is asked for as many as
    /// it has taken so far. `[default: 1 << 11]` `[range: at least 1]`
    pub first_states: u64,
    /// Moves that are questioned, the most visited first. `[default: 2]` `[range: at least 0]`
    pub moves: usize,
    /// The time that must be available before a question is asked.
    /// `[default: Duration::from_millis(1)]` `[range: at least 0]`
    pub min_time: Duration,
}

impl Default for Questions {
    fn default() -> Self {
        Questions {
            time: 0.0,
            beside: 0.2,
            reach: 8.0,
            batched: false,
            states: 16.0,
            first_states: 1 << 11,
            moves: 2,
            min_time: Duration::from_millis(1),
        }
    }
}

/// When bounds of results are computed from the facts of a state ([`Prospects`](crate::Prospects)).
///
/// They take time, and in many games they are trivial until late. So the rate of useful bounds is
/// measured; while it is low, only a sample of the states is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StaticBounds {
    /// The least rate of useful bounds, one in this many, at which all states are bounded.
    /// `[default: 128]` `[range: at least 1]`
    pub useful_in: u32,
    /// Useful bounds that are credited in advance, so that all states are bounded at first.
    /// `[default: 16]` `[range: at least 1]`
    pub credit: u32,
    /// At a lower rate, one in this many states is bounded.
    /// `[default: 64]` `[range: at least 1]`
    pub sample_in: u32,
}

impl Default for StaticBounds {
    fn default() -> Self {
        StaticBounds {
            useful_in: 128,
            credit: 16,
            sample_in: 64,
        }
    }
}

/// States in which several roles choose at once.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Simultaneous {
    /// Whether roles that choose at once, if they are more than two, choose at the root by regret
    /// matching instead of upper confidence bounds.
    /// `[default: true]` `[range: true or false]`
    pub regret: bool,
    /// Whether the move is drawn from an equilibrium where two roles choose at once.
    /// `[default: true]` `[range: true or false]`
    pub equilibrium: bool,
    /// The chance with which a role selects any of its moves at random.
    /// `[default: 0.1]` `[range: 0 to 1]`
    pub mixing: f64,
    /// Solved joint moves that a visit of a node backpropagates one after the other, at most, as
    /// soon as they are selected. The next one that is selected continues the descent, whatever it
    /// is. So solved joint moves get their samples, while descents go where something is unknown.
    /// `[default: 16]` `[range: at least 0]`
    pub known: u32,
    /// Joint moves of a node, at most, of which all are checked for terminal states
    /// ([`Config::look_ahead`](crate::Config::look_ahead)).
    /// `[default: 64]` `[range: at least 0]`
    pub look_ahead_moves: u32,
    /// Joint moves of a node, at most, of which bounds are proved.
    /// `[default: 144]` `[range: at least 0]`
    pub bound_moves: u32,
    /// Rounds in which dominated moves are eliminated, at most, when bounds are proved.
    /// `[default: 4]` `[range: at least 1]`
    pub bound_rounds: usize,
    /// Visits of a move, as a part of those of the most visited one, that it needs to be in the
    /// payoff matrix: the mean of a rare move is noise.
    /// `[default: 0.1]` `[range: 0 to 1]`
    pub payoff_part: f64,
    /// Visits of a joint move, at least, so that its mean is used as a payoff.
    /// `[default: 10]` `[range: at least 0]`
    pub payoff_visits: u32,
    /// Rounds of regret matching+ that solve a payoff matrix, at most.
    /// `[default: 5_000]` `[range: at least min_rounds]`
    pub max_rounds: usize,
    /// The same at least, however large the matrix is.
    /// `[default: 100]` `[range: at least 1]`
    pub min_rounds: usize,
    /// Payoffs that all rounds together read, about, at most.
    /// `[default: 8_000_000]` `[range: at least 1]`
    pub max_payoffs: usize,
    /// Standard errors within which means count as equal. A move whose mean is further below that
    /// of another one is no part of the average strategy of regret matching.
    /// `[default: 1.5]` `[range: at least 0]`
    pub errors: f64,
    /// The least chance with which a move is drawn in the match, as a part of the greatest chance.
    /// `[default: 0.1]` `[range: 0 to 1]`
    pub min_chance: f64,
}

impl Default for Simultaneous {
    fn default() -> Self {
        Simultaneous {
            regret: true,
            equilibrium: true,
            mixing: 0.1,
            known: 16,
            look_ahead_moves: 64,
            bound_moves: 144,
            bound_rounds: 4,
            payoff_part: 0.1,
            payoff_visits: 10,
            max_rounds: 5_000,
            min_rounds: 100,
            max_payoffs: 8_000_000,
            errors: 1.5,
            min_chance: 0.1,
        }
    }
}

/// How memory is divided, and which nodes are evicted.
///
/// Eviction goes round the nodes like the hand of a clock. It takes the first node that was not
/// visited since an earlier move of the match, or has few visits; how many are few adapts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// Sixteenths of the memory for nodes. The rest is for what an allocator loses between nodes of
    /// many sizes, which come and go (after an hour a quarter of what nodes take), for proofs, and
    /// for the program with its engines.
    /// `[default: 10]` `[range: 1 to 16]`
    pub node_sixteenths: usize,
    /// Sixteenths of the memory for the table of proof-number search, if there is one.
    /// `[default: 1]` `[range: 0 to 16]`
    pub proof_sixteenths: usize,
    /// Sixteenths of the memory for the graph of questions that are asked in batches; nodes have so
    /// much less. `[default: 2]` `[range: 0 to node_sixteenths]`
    pub question_sixteenths: usize,
    /// Nodes examined without finding one to evict before the number of visits that are few rises.
    /// `[default: 4096]` `[range: at least 1]`
    pub scan: usize,
    /// That number rises by a part of itself, one in this many, and by 1.
    /// `[default: 2]` `[range: at least 1]`
    pub rise: u32,
    /// Nodes examined before one is found, below which that number falls.
    /// `[default: 8]` `[range: at least 0]`
    pub short_scan: usize,
    /// That number falls by a part of itself, one in this many.
    /// `[default: 64]` `[range: at least 1]`
    pub fall: u32,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            node_sixteenths: 10,
            proof_sixteenths: 1,
            question_sixteenths: 2,
            scan: 4096,
            rise: 2,
            short_scan: 8,
            fall: 64,
        }
    }
}
