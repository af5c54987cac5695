//! Every number that the search depends on.

/// The parameters of the search. Each switch is there to be measured.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The weight of exploration in UCB1-tuned, results scaled to 0..1. `[range: > 0]`
    ///
    /// 1 is the formula as published. Samples that are means of several playouts vary less, and less
    /// is to be found out by looking again.
    pub exploration: f64,
    /// Whether proved bounds are kept, so that solved nodes are not searched again.
    pub solve: bool,
    /// What the results of two roles add up to in every end of play, if that is proved. Without it, a
    /// role is taken to play for the most that it can get itself, by a move that is known to bring it.
    pub sum: Option<u16>,
    /// Whether equal states are one node.
    pub transpositions: bool,
    /// Whether all children of a node are looked at for ends of play when it is visited for the
    /// second time, so that a winning move is found at once. Needs `solve`.
    pub look_ahead: bool,
    /// Whether roles that choose at the same time, if they are more than two, mix their moves at the
    /// root by what they regret, instead of looking for the move that has been best.
    pub regret: bool,
    /// Whether the move is drawn from an equilibrium where two roles choose at the same time.
    pub equilibrium: bool,
    /// How often a role tries any of its moves at random where several roles choose. `[range: 0 to 1]`
    pub mixing: f64,
    /// Joint moves of which the result is known that come back as soon as they are chosen, one after the
    /// other, on a way through a node, at most. The next one is where that way goes on, whatever it is.
    /// So they are weighed as they would be, while ways go where there is something to find out.
    pub known: u32,
    /// Visits that a move counts for before it was tried, with what was learnt of states like that which
    /// it leads to, if one half of the variance of what moves change is foretold; if more or less is,
    /// more or fewer. 0 to learn nothing. `[range: at least 0]`
    pub learning: f64,
    /// Whether what playouts came to that ended with the fact that a move brings counts there, too. They must tell
    /// how they ended ([`game::Playouts::watch`]). Needs `learning`.
    pub amaf: bool,
    /// States that a search for proofs makes beside the playouts when visits of a node have doubled, for each of
    /// these visits: whether the role can win from there, whatever all others do, or, with `sum`, whether it cannot
    /// lose. 0 for none. Needs `solve`, and more than one role. `[range: at least 0]`
    pub proofs: f64,
    /// The part of the time of a search that goes into proofs at most, where no [`Limits`] are set: where states are
    /// dear to make, playouts are to go on all the same. What is due beyond that waits. `[range: 0 to 1]`
    pub proof_time: f64,
    /// Whether these searches make use of wins that are a move away before that move is made, where many moves are looked
    /// at together ([`Builder::fans`](crate::Builder::fans)) and that is foreseen.
    pub foresight: bool,
    /// Playouts from each leaf.
    pub playouts: u32,
    /// Leaves that each thread collects before playouts are made from all of them.
    pub batch: u32,
    /// A search ends before its deadline once the most visited move has more visits than the next one
    /// by so many times of those to come, as fast as they come; 1 if it could not be overtaken, `None`
    /// for never. `[range: > 0]`
    ///
    /// What is learnt in the rest of the time is of use to later moves, so nothing but time is won.
    pub early: Option<f64>,
    /// Transitions of skipped forced moves on one edge, after which they are taken to go on for ever.
    pub max_forced: u32,
    /// The result, 0 to 100, of a role for which a finished game defines no goal.
    ///
    /// Rulesheets that leave goals out leave out the lost ones, so a missing goal is a loss.
    pub missing_goal: u8,
    /// The result, 0 to 1, of a role in a playout that did not finish.
    pub unknown: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            exploration: 0.7,
            solve: true,
            sum: None,
            transpositions: true,
            look_ahead: true,
            regret: true,
            equilibrium: true,
            mixing: 0.1,
            known: 16,
            learning: 0.0,
            amaf: false,
            proofs: 0.0,
            proof_time: 1.0,
            foresight: true,
            playouts: 1,
            batch: 1,
            early: None,
            max_forced: 1_000,
            missing_goal: 0,
            unknown: 0.5,
        }
    }
}

/// Where a search ends, whatever time is left: for searches that must repeat.
///
/// Both bounds are on one search. With one thread, what a search does up to them repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Playouts. Visits of solved nodes, which need none, count as one.
    pub playouts: u64,
    /// States passed, each time that one is, in the graph and in playouts. The batch that reaches
    /// the bound is finished.
    pub nodes: u64,
}

impl Limits {
    /// What each of so many searches may take of them.
    pub fn each_of(self, searches: u64) -> Limits {
        let searches = searches.max(1);
        match self == Limits::default() {
            true => self,
            false => Limits {
                playouts: (self.playouts / searches).max(1),
                nodes: (self.nodes / searches).max(1),
            },
        }
    }
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
