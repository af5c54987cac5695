//! How a game is built: control facts, turns, length, results, and what does not matter.
//!
//! What a search has to know before it begins: who chooses when, whether the number of steps is
//! fixed, whether what one role gets another one loses, which facts go their way whatever is played,
//! which facts and moves have no effect on anything that counts ([`Relevance::drop`] makes the
//! game without them), and which moves do the same ([`Duplicates::drop`]).
//!
//! Control facts are found by what reads what, and followed step by step. What they alone say of
//! legality and of `terminal` then proves most of the rest; case analysis
//! ([`invariants::exclusion`]) and random play are asked where that is not enough.

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

/// How the search went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// States of random play looked at.
    pub samples: u64,
    /// Time for control facts.
    pub control: Duration,
    /// Time for random play.
    pub observing: Duration,
    /// Time for lengths and turns.
    pub turns: Duration,
    /// Time for the sum of the results.
    pub goals: Duration,
    /// Time for what does not matter.
    pub relevance: Duration,
    /// Time for moves that do the same.
    pub duplicates: Duration,
    /// Time for all of it.
    pub time: Duration,
    /// What ran out, if something did; then there may be more, or more may be provable.
    pub exhausted: Option<Exhausted>,
}

/// How a game is built.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Facts that go their way whatever is played.
    pub control: Control,
    /// Who chooses when.
    pub turns: Turns,
    /// When play ends.
    pub ends: Ends,
    /// Which results there are, and how those of the roles go together.
    pub goals: Goals,
    /// What no result and no end of play depends on.
    pub relevance: Relevance,
    /// Moves that do the same.
    pub duplicates: Duplicates,
    /// How the search went.
    pub report: Report,
}

/// The part of the time that is left for some steps, so that what comes afterwards has some too.
const SHARE: u32 = 2;

impl Structure {
    /// Finds what it can within the budget. The seed is that of random play.
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
