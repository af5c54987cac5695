//! Every number that the search depends on.
//!
//! [`Config`] has the switches and numbers of the whole search; what belongs to one technique is in
//! a struct of its own ([`Learning`], [`Amaf`], [`Proofs`], [`Questions`], [`StaticBounds`],
//! [`Simultaneous`], [`Memory`]). Resources (seed, threads, bytes) are set in
//! [`Builder`](crate::Builder), the end of a search by [`Limits`] and by its budget.

mod limits;
mod topics;

use provers::Results;

pub use limits::Limits;
pub use topics::{Amaf, Learning, Memory, Proofs, Questions, Simultaneous, StaticBounds};

/// The parameters of the search. Each of them is there to be varied in experiments.
///
/// Results are given on the scale of the rules, 0 to 100, unless a field says otherwise.
///
/// ```
/// let mut config = mcts::Config::default();
/// config.exploration = 1.0;
/// config.learning.visits = 4.0;
/// config.simultaneous.equilibrium = false;
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The weight of exploration in UCB1-tuned, results scaled to 0..1.
    /// `[default: 0.7]` `[range: > 0]`
    ///
    /// 1 is the formula as published. Samples that are means of several playouts vary less than
    /// single playouts, so that less exploration is needed.
    pub exploration: f64,
    /// The power of the root's visits that takes the place of their logarithm where one role
    /// chooses there, so that more moves are searched; 0 for the logarithm, as in other nodes.
    /// `[default: 0.0]` `[range: 0 to 1]`
    ///
    /// At the root only the move that is played in the end counts, not the results of the visits:
    /// simple regret in place of cumulative regret (Tolpin and Shimony, "MCTS based on simple
    /// regret", 2012).
    pub root_power: f64,
    /// Whether proved bounds of results are kept, so that solved nodes are not searched again.
    /// `[default: true]` `[range: true or false]`
    pub solve: bool,
    /// What the results of two roles add up to in every terminal state, if that is proved. Without
    /// it, each role is assumed to maximise its own result.
    /// `[default: None]` `[range: 0 to 200]`
    pub sum: Option<u16>,
    /// The results that the searching role can have, as far as that is known: questions about
    /// results between two of them are one question.
    /// `[default: Results::ALL]` `[range: any]`
    pub results: Results,
    /// Whether equal states share one node.
    /// `[default: true]` `[range: true or false]`
    pub transpositions: bool,
    /// Whether all moves of a node are checked for terminal states when the node is visited for the
    /// second time, so that a winning move is found at once. Needs `solve`.
    /// `[default: true]` `[range: true or false]`
    pub look_ahead: bool,
    /// Moves of a node that are checked for each of its visits, at most: the check of all moves is
    /// put off until the node has visits enough.
    /// `[default: 256]` `[range: at least 1]`
    ///
    /// A node of 60 000 moves is checked after 235 visits. Checked at once, a single node could
    /// take the time of the whole choice.
    pub look_ahead_moves: usize,
    /// Whether wins that are one move away are used before that move is applied, where many moves
    /// are evaluated together ([`Builder::fans`](crate::Builder::fans)) and these report such wins.
    /// Needs `solve`. `[default: true]` `[range: true or false]`
    pub foresight: bool,
    /// Playouts from each leaf.
    /// `[default: 1]` `[range: at least 1]`
    pub playouts: u32,
    /// Leaves that each thread collects, at most, before it runs playouts from all of them. If they
    /// are at most half of that, each gets twice the playouts.
    /// `[default: 1]` `[range: at least 1]`
    pub batch: u32,
    /// Descents of a batch, at most: they do not know of each other's samples.
    /// `[default: u32::MAX]` `[range: at least 1]`
    pub descents: u32,
    /// Leaves of one descent, at most: when the moves of a node are checked for the first time,
    /// those that would be selected one after the other are tried at once. No more than `batch`
    /// count.
    /// `[default: 1]` `[range: at least 1]`
    ///
    /// The way to a leaf takes longer than playouts from it. In nodes of more than twice as many
    /// moves they are tried one by one, as most of them may never be worth it.
    pub children: u32,
    /// A factor of `exploration` in nodes whose moves are tried at once: that explores by itself.
    /// `[default: 0.5]` `[range: > 0]`
    pub children_exploration: f64,
    /// The part of a leaf's value that comes from a value learnt before the search
    /// ([`Builder::value`](crate::Builder::value)); the rest comes from playouts, of which there
    /// are none if it is 1. `[default: 0.0]` `[range: 0 to 1]`
    pub leaf_value: f64,
    /// Descents of a batch that run in lockstep, one ply of each in turn: enough that the memory
    /// has time to deliver their nodes, and so few that these stay in the nearest cache.
    /// `[default: 16]` `[range: at least 1]`
    pub lockstep: usize,
    /// When a search ends before its deadline: once the most visited move leads the next one by
    /// more than this multiple of the visits still to come at the present speed. 1 stops once it
    /// cannot be overtaken; `None` never stops early.
    /// `[default: None]` `[range: > 0]`
    ///
    /// What is learnt in the rest of the time helps later moves, so that nothing but time is saved.
    pub early: Option<f64>,
    /// Batches of the first thread between two publications of the best move, after as many batches
    /// that each publish. `early` is checked at the same time.
    /// `[default: 16]` `[range: at least 1]`
    pub publish_every: u64,
    /// Plies of the principal variation that is reported
    /// ([`Report::expected`](crate::Report::expected)), at most.
    /// `[default: 32]` `[range: at least 0]`
    pub max_line: usize,
    /// Forced moves that one edge skips, at most. A longer sequence is taken to be endless.
    /// `[default: 1_000]` `[range: at least 0]`
    pub max_forced: u32,
    /// The result of a role for which a terminal state defines no goal.
    /// `[default: 0]` `[range: 0 to 100]`
    ///
    /// Rulesheets that leave out goals leave out those of 0, so that a missing goal is a loss.
    pub missing_goal: u8,
    /// The result, 0 to 1, of a role in a playout that did not finish.
    /// `[default: 0.5]` `[range: 0 to 1]`
    pub unknown: f64,
    /// Priors of untried moves, learnt from states that were searched.
    pub learning: Learning,
    /// Priors of untried moves from the final states of playouts.
    pub amaf: Amaf,
    /// Proof-number search beside the playouts.
    pub proofs: Proofs,
    /// Questions about the root, asked outright.
    pub questions: Questions,
    /// When bounds of results are computed from the facts of a state.
    pub static_bounds: StaticBounds,
    /// States in which several roles choose at once.
    pub simultaneous: Simultaneous,
    /// How memory is divided, and which nodes are evicted.
    pub memory: Memory,
}

impl Config {
    /// Whether so many moves of a node are tried at once.
    pub(crate) fn tries_children(&self, moves: usize) -> bool {
        self.children > 1 && moves <= 2 * self.children as usize
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            exploration: 0.7,
            root_power: 0.0,
            solve: true,
            sum: None,
            results: Results::ALL,
            transpositions: true,
            look_ahead: true,
            look_ahead_moves: 256,
            foresight: true,
            playouts: 1,
            children: 1,
            descents: u32::MAX,
            children_exploration: 0.5,
            batch: 1,
            leaf_value: 0.0,
            lockstep: 16,
            early: None,
            publish_every: 16,
            max_line: 32,
            max_forced: 1_000,
            missing_goal: 0,
            unknown: 0.5,
            learning: Learning::default(),
            amaf: Amaf::default(),
            proofs: Proofs::default(),
            questions: Questions::default(),
            static_bounds: StaticBounds::default(),
            simultaneous: Simultaneous::default(),
            memory: Memory::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    /// The value between `begin` and the closing bracket in a doc comment.
    fn tag<'a>(doc: &'a str, begin: &str) -> Option<&'a str> {
        Some(doc.split_once(begin)?.1.split_once(']')?.0)
    }

    #[test]
    fn the_documentation_has_every_default_and_range() {
        let mut fields = 0;
        for source in [include_str!("config.rs"), include_str!("config/topics.rs")] {
            let source = source.split("#[cfg(test)]").next().expect("the code");
            for part in source.split("pub struct ").skip(1) {
                let (fields_of, rest) = part.split_once("\n}\n").expect("the end of the struct");
                let defaults = rest.split("pub struct ").next().expect("its defaults");
                let mut doc = String::new();
                for line in fields_of.lines().map(str::trim) {
                    if let Some(text) = line.strip_prefix("///") {
                        doc.push_str(text);
                        continue;
                    }
                    let field = line.strip_prefix("pub ");
                    let Some((name, of)) = field.and_then(|field| field.split_once(": ")) else {
                        continue;
                    };
                    let value = defaults.lines().find_map(|line| {
                        let value = line.trim().strip_prefix(name)?.strip_prefix(": ")?;
                        value.strip_suffix(',')
                    });
                    let value = value.expect("a default");
                    if !value.ends_with("::default()") {
                        assert_eq!(tag(&doc, "[default: "), Some(value), "{name}");
                        assert!(tag(&doc, "[range: ").is_some(), "{name}: {of}");
                        fields += 1;
                    }
                    doc.clear();
                }
            }
        }
        assert!(fields > 50, "{fields}");
    }
}
