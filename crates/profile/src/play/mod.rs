//! Statistics from random play: lengths, branching, results.
//!
//! Playouts run in the lanes of a word ([`invariants::Play`]), every role making one of its legal
//! moves with equal chance. How many there are depends on the size of the game, not on the clock,
//! so that the same seed gives the same figures as long as the budget does not end. All figures are
//! observed, of random play; other play has others.

mod decisive;
mod tally;

use analysis::sampling::{self, Extent, LANES};
use budget::{Budget, Exhausted};
use invariants::Play;
use netlist::GameLogic;
use std::time::Duration;

pub use decisive::Decisive;

/// Playouts at most.
const PLAYOUTS: u32 = 1024;
/// Steps of a playout, after which it is cut.
const LENGTH: u32 = 1000;
/// Gates and moves looked at in all lanes at once, some nanoseconds each: in the first playout of
/// each lane at most, and in all, if that leaves some. This bounds the number of playouts.
const FIRST: u64 = 60_000_000;
const WORK: u64 = 80_000_000;

/// How long playouts are, in steps. Of those that came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lengths {
    /// The mean.
    pub mean: f64,
    /// The shortest.
    pub min: u32,
    /// The longest.
    pub max: u32,
    /// The lengths that 5, 25, 50, 75 and 95 of a hundred playouts do not exceed.
    pub quantiles: [u32; 5],
}

/// How many moves a role has to choose from. Of all states in which moves are made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Branching {
    /// The mean number of legal moves.
    pub mean: f64,
    /// The greatest number.
    pub max: u32,
    /// The part of the states in which there is more than one.
    pub choosing: f64,
    /// The mean number in these; 0 without any.
    pub mean_choice: f64,
}

/// What a role gets. Of playouts that came to an end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// The values seen, ascending, and how often each was.
    pub values: Vec<(u8, u64)>,
    /// Playouts that ended with no goal value for the role, or several.
    pub undefined: u64,
    /// The mean value; 0 without any.
    pub mean: f64,
    /// The standard deviation of the values.
    pub deviation: f64,
}

/// What belongs to one role.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Role {
    /// How many moves it has.
    pub branching: Branching,
    /// What it gets.
    pub results: Results,
}

/// What it is worth to choose first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct First {
    /// The only role that chooses where anybody chooses for the first time in a playout, always.
    pub role: u16,
    /// Its mean result, less the mean result of the others.
    pub advantage: f64,
    /// The standard error of that.
    pub error: f64,
}

/// How many playouts got so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Depth {
    /// Playouts that reached this number of steps.
    pub reached: u64,
    /// Those of them that had come to an end with it.
    pub ended: u64,
}

/// How the sampling went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// States in which moves were made.
    pub states: u64,
    /// Time for all of it.
    pub time: Duration,
    /// What ran out, if something did.
    pub exhausted: Option<Exhausted>,
}

/// What random play shows.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Playouts that came to an end.
    pub playouts: u64,
    /// Playouts that were given up because they were too long, or time was over.
    pub cut: u64,
    /// Playouts that came to a state which is not terminal and in which a role has no move.
    pub stuck: u64,
    /// How long they are.
    pub lengths: Lengths,
    /// The roles.
    pub roles: Vec<Role>,
    /// For each pair of roles, how their results go together: Pearson's coefficient of correlation,
    /// from -1 to 1. `None` where a role always gets the same.
    pub correlation: Vec<Vec<Option<f64>>>,
    /// What it is worth to choose first; `None` where several roles choose at once or nobody does.
    pub first: Option<First>,
    /// How often a single move wins.
    pub decisive: Decisive,
    /// For each number of steps, how many playouts got there.
    pub depths: Vec<Depth>,
    /// How the sampling went.
    pub report: Report,
}

/// What one step of all lanes costs.
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
        // One round shows how long playouts are; another one is as large as the work allows.
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
