//! The structure of a game: control facts, turns, length, results, irrelevant and duplicate
//! parts.
//!
//! It contains what a search needs to know before it begins: which roles choose when, whether
//! the number of steps is fixed, whether the game is constant-sum, which facts change in the
//! same way whatever is played, which facts and moves have no effect on terminality and results
//! ([`Relevance::drop`] builds the game without them), and which moves have the same effect
//! ([`Duplicates::drop`]).
//!
//! Control facts are found from dependencies, and followed step by step. What they alone imply
//! about legality and `terminal` then proves most of the rest. Case analysis
//! ([`invariants::exclusion`]) and random play are used where that is not enough.

mod control;
mod duplicates;
mod ends;
mod goals;
mod parts;
mod phases;
mod relevance;
mod turns;

use analysis::reads::Readers;
use budget::{Budget, Exhausted};
use invariants::Groups;
use netlist::GameLogic;
use std::time::Duration;

pub use analysis::sums::Sum;
pub use control::{Chain, Control, Course, ReadBy};
pub use duplicates::{Class, Covered, Duplicates};
pub use ends::Ends;
pub use goals::{Goals, RoleGoals};
pub use relevance::{Fillers, Relevance, Saved};
pub use turns::{Iterated, Order, RoleTurns, Turns};

/// Statistics of the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Number of states of random play examined.
    pub samples: u64,
    /// Time for control facts.
    pub control: Duration,
    /// Time for random play.
    pub observing: Duration,
    /// Time for lengths and turns.
    pub turns: Duration,
    /// Time for the sum of the results.
    pub goals: Duration,
    /// Time for relevance.
    pub relevance: Duration,
    /// Time for duplicate moves.
    pub duplicates: Duration,
    /// Total time.
    pub time: Duration,
    /// The part of the budget that ran out, if any; then there may be more, or more may be
    /// provable.
    pub exhausted: Option<Exhausted>,
}

/// The structure of a game.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Control facts, which change in the same way whatever is played.
    pub control: Control,
    /// The roles that choose in each state.
    pub turns: Turns,
    /// The length of games.
    pub ends: Ends,
    /// The possible results, and the relation between those of the roles.
    pub goals: Goals,
    /// Facts and moves that no result and no terminal condition depends on.
    pub relevance: Relevance,
    /// Moves with the same effect.
    pub duplicates: Duplicates,
    /// Statistics of the search.
    pub report: Report,
}

/// Some stages get 1/`SHARE` of the time left, so that later stages have some too.
const SHARE: u32 = 2;

impl Structure {
    /// Analyses the structure within the budget. `seed` is the seed of random play.
    pub fn find(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Structure {
        let clock = budget.clock();
        let begun = clock.now();
        let mut report = Report::default();
        let mut last = begun;
        let mut since = || {
            let now = clock.now();
            now.saturating_sub(std::mem::replace(&mut last, now))
        };
        let readers = Readers::new(logic);
        let control = Control::find(logic, &readers, budget);
        report.control = since();
        let (observed, exhausted) = analysis::observe::observe(logic, seed, budget);
        report.samples = observed.states;
        report.observing = since();
        let ends = Ends::find(logic, groups, &control, &observed, budget);
        let turns = Turns::find(logic, groups, &control, &observed, &ends, seed, budget);
        report.turns = since();
        let goals = Goals::find(logic, groups, &observed, &budget.share(SHARE));
        report.goals = since();
        let relevance = Relevance::find(logic, groups, budget);
        report.relevance = since();
        let duplicates = Duplicates::find(logic, &readers, groups, &relevance, seed, budget);
        report.duplicates = since();
        report.time = clock.now().saturating_sub(begun);
        report.exhausted = exhausted.or(budget.check().err());
        Structure {
            goals,
            relevance,
            duplicates,
            control,
            turns,
            ends,
            report,
        }
    }
}
