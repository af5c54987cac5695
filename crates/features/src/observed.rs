//! States of random play, 64 games in lockstep.

use analysis::sampling::{self, Extent};
use budget::Budget;
use invariants::Play;
use netlist::GameLogic;

/// States that are sampled, at most.
const STATES: usize = 60_000;
/// Bytes of sampled states, at most.
const BYTES: usize = 64 << 20;
/// Plies after which a playout is cut.
const LENGTH: u32 = 1000;

/// One moment of 64 games.
pub struct Moment {
    /// For each fact, the games in which it holds.
    pub facts: Box<[u64]>,
    /// The games that are counted.
    pub live: u64,
    /// The games that continue at the next moment.
    pub going: u64,
    /// For each role, the games in which it has a choice.
    pub choosing: Box<[u64]>,
}

/// States of random play.
pub struct Observed {
    /// The moments, one ply after the other.
    pub moments: Vec<Moment>,
}

impl Observed {
    /// Plays at random until there are states enough, or the budget ends.
    pub fn new(logic: &GameLogic, seed: u64, budget: &Budget) -> Observed {
        let bytes = 8 * (logic.facts.len() + 3).max(1);
        let most = (STATES / sampling::LANES).min(BYTES / bytes).max(1);
        let extent = Extent {
            playouts: u32::MAX,
            length: LENGTH,
            steps: most as u64,
        };
        let mut moments = Vec::new();
        let mut play = Play::new(logic, seed);
        // What was seen until the budget ended is a sample, too.
        let _ = sampling::play(logic, &mut play, extent, budget, |play, look| {
            let facts = logic.facts.iter().map(|&fact| play.word(fact)).collect();
            let choosing = look.legal.iter().map(|count| count.several() & look.going);
            moments.push(Moment {
                facts,
                live: look.live(),
                going: look.going,
                choosing: choosing.collect(),
            });
        });
        Observed { moments }
    }

    /// The number of sampled states.
    pub fn states(&self) -> u64 {
        let live = self.moments.iter().map(|moment| moment.live.count_ones());
        live.map(u64::from).sum()
    }

    /// Each transition: the moment before, the moment after, and the games.
    pub fn transitions(&self) -> impl Iterator<Item = (&Moment, &Moment, u64)> {
        let pairs = self.moments.windows(2);
        pairs.map(|pair| (&pair[0], &pair[1], pair[0].going))
    }
}
