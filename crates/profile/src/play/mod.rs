//! Statistics of random play: lengths, branching, results.
//!
//! Playouts run in the lanes of a word ([`invariants::Play`]). Every role plays one of its legal
//! moves, chosen uniformly. The number of playouts depends on the size of the game, not on the
//! clock, so the same seed gives the same figures unless the budget runs out. All figures are
//! observed in random play; other play has other figures.

mod decisive;
mod tally;

use analysis::sampling::{self, Extent, LANES};
use budget::{Budget, Exhausted};
use invariants::Play;
use netlist::GameLogic;
use std::time::Duration;

pub use decisive::Decisive;

/// Maximum number of playouts.
const PLAYOUTS: u32 = 1024;
/// Steps after which a playout is cut.
const LENGTH: u32 = 1000;
/// Bounds on the work, in gates and moves evaluated in all lanes at once, some nanoseconds each:
/// for the first playout of each lane, and for all playouts if the first leave some. This bounds
/// the number of playouts.
const FIRST: u64 = 60_000_000;
const WORK: u64 = 80_000_000;

/// Lengths in steps, of playouts that reached a terminal state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lengths {
    /// The mean.
    pub mean: f64,
    /// The shortest.
    pub min: u32,
    /// The longest.
    pub max: u32,
    /// The 5, 25, 50, 75 and 95 % quantiles.
    pub quantiles: [u32; 5],
}

/// The branching factor of a role, over all states in which moves are played.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Branching {
    /// The mean number of legal moves.
    pub mean: f64,
    /// The greatest number.
    pub max: u32,
    /// The share of the states in which there is more than one.
    pub choosing: f64,
    /// The mean number in these states; 0 if there are none.
    pub mean_choice: f64,
}

/// The results of a role, over playouts that reached a terminal state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// The values that occurred, ascending, with their frequencies.
    pub values: Vec<(u8, u64)>,
    /// Playouts that ended with no goal value for the role, or several.
    pub undefined: u64,
    /// The mean value; 0 without any.
    pub mean: f64,
    /// The standard deviation of the values.
    pub deviation: f64,
}

/// The statistics of one role.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Role {
    /// Its branching factor.
    pub branching: Branching,
    /// Its results.
    pub results: Results,
}

/// The advantage of the first player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct First {
    /// The role that alone makes the first choice, in every playout.
    pub role: u16,
    /// Its mean result, minus the mean result of the others.
    pub advantage: f64,
    /// The standard error of the difference.
    pub error: f64,
}

/// Playouts by depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Depth {
    /// Playouts that reached this number of steps.
    pub reached: u64,
    /// Those of them that ended at it.
    pub ended: u64,
}

/// Statistics of the sampling.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// States in which moves were played.
    pub states: u64,
    /// Total time.
    pub time: Duration,
    /// The part of the budget that ran out, if any.
    pub exhausted: Option<Exhausted>,
}

/// Statistics of random play.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Playouts that reached a terminal state.
    pub playouts: u64,
    /// Playouts that were cut, because of their length or the budget.
    pub cut: u64,
    /// Playouts that reached a nonterminal state in which a role has no legal move.
    pub stuck: u64,
    /// Lengths of playouts.
    pub lengths: Lengths,
    /// The roles.
    pub roles: Vec<Role>,
    /// For each pair of roles, Pearson's coefficient of correlation of their results, from -1 to
    /// 1. `None` if a role always gets the same.
    pub correlation: Vec<Vec<Option<f64>>>,
    /// The advantage of the first player; `None` if the first choice is simultaneous, varies, or
    /// does not occur.
    pub first: Option<First>,
    /// The frequency of decisive moves.
    pub decisive: Decisive,
    /// For each number of steps, the playouts that reached it.
    pub depths: Vec<Depth>,
    /// Statistics of the sampling.
    pub report: Report,
}

/// The cost of one step of all lanes.
fn cost(logic: &GameLogic) -> u64 {
    let moves: usize = logic.legal.iter().map(Vec::len).sum();
    (logic.net.len() + 8 * moves + logic.facts.len()) as u64
}

impl Statistics {
    /// Plays some hundred playouts, or as many as the budget allows.
    pub fn find(logic: &GameLogic, seed: u64, budget: &Budget) -> Statistics {
        let begun = budget.clock().now();
        let mut tally = tally::Tally::new(logic, seed);
        let mut play = Play::new(logic, seed);
        // A first round measures the length of playouts; the second is as large as the work
        // allows.
        let first = Extent {
            playouts: 1,
            length: LENGTH,
            steps: FIRST / cost(logic),
        };
        let mut show = |play: &mut Play<'_>, look: &sampling::Look| tally.look(logic, play, look);
        let exhausted = match sampling::play(logic, &mut play, first, budget, &mut show) {
            Ok(steps) => {
                let left = (WORK / cost(logic)).saturating_sub(steps);
                let playouts = (left / (steps + 1)).min(u64::from(PLAYOUTS) / LANES as u64 - 1);
                let more = Extent {
                    playouts: playouts as u32,
                    steps: left,
                    ..first
                };
                sampling::play(logic, &mut play, more, budget, &mut show).err()
            }
            Err(why) => Some(why),
        };
        let decisive = decisive::decisive(logic, &mut play, tally.states(), WORK / 4, budget);
        let mut statistics = tally.done();
        statistics.decisive = decisive;
        statistics.report.exhausted = exhausted.or(budget.check().err());
        statistics.report.time = budget.clock().now().saturating_sub(begun);
        statistics
    }
}
