//! Latches, which are conditions that can no longer change, and the results that are still
//! possible.
//!
//! A latch is a conjunction of facts and absent facts that stays true once it is true: a stone
//! on a square from which nothing is removed, a captured king, a walker who has left the
//! corridor (that is, who is at none of its places). If a goal cannot be true while a latch
//! holds, it is out of reach.
//!
//! 1. Random play discards the literals that change back.
//! 2. For each remaining literal, the analysis tries to prove that a step of play keeps it,
//!    first in three values with the literal fixed, then by cases. This is one step of an
//!    induction whose invariants are the proved groups of [`invariants`].
//! 3. For facts that goals require and that no single literal excludes, it searches for
//!    conjunctions: a single latch that keeps the fact from becoming true (a sudoku digit in the
//!    same row), and the set of facts of its group without which it cannot become true (the
//!    corridor).
//! 4. The goals' own circuits then show which latches exclude them: a line is dead if any of its
//!    squares is, a goal if all its lines are. Latches that decide a goal in another way,
//!    through redundant logic, are found by assuming each latch and proving the goal's value.

mod circuit;
mod observe;
mod parts;
mod range;
mod sets;
mod single;

use crate::Evidence;
use budget::{Budget, Exhausted};
use invariants::{Groups, Prover};
use netlist::GameLogic;
use std::time::Duration;

pub use range::Ranges;

/// A fact, or its absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The fact, by its position in the vocabulary.
    pub fact: u32,
    /// Whether the fact holds.
    pub holds: bool,
}

impl Literal {
    /// The states in which it holds, given the words of all facts.
    fn word(self, facts: &[u64]) -> u64 {
        let word = facts[self.fact as usize];
        if self.holds { word } else { !word }
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal {
            holds: !self.holds,
            ..self
        }
    }
}

/// A conjunction that stays true once it is true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latch {
    /// Its literals, ascending. A single literal is a latch of a base proposition: positive if
    /// the fact holds, negative if not.
    pub literals: Vec<Literal>,
    /// The evidence for it.
    pub evidence: Evidence,
    /// The time for the attempt to prove it.
    pub time: Duration,
}

/// A goal that a latch decides while it holds; proved if the latch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalLatch {
    /// The latch, by its position in [`Latches::latches`].
    pub latch: usize,
    /// The role of the goal.
    pub role: u16,
    /// The result that the goal gives.
    pub value: u8,
    /// Whether it is then always true, or never.
    pub holds: bool,
}

/// Statistics of the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Transitions of random play examined.
    pub samples: u64,
    /// Time for random play.
    pub observing: Duration,
    /// Time for latches of single facts.
    pub singles: Duration,
    /// Time for conjunctions.
    pub sets: Duration,
    /// Time for goals and for the tests of ranges.
    pub goals: Duration,
    /// Work of proofs, in node visits.
    pub steps: u64,
    /// Whether proofs were given up because their work reached its bound, which does not depend
    /// on time; then there may be more latches.
    pub bounded: bool,
    /// The part of the budget that ran out, if any; then there may be more latches.
    pub exhausted: Option<Exhausted>,
}

/// Each stage gets 1/`SHARE` of the time left, so that later stages have some too.
const SHARE: u32 = 2;

/// The latches of a game.
#[derive(Debug, Clone)]
pub struct Latches {
    /// The proved and the observed latches, single facts first. Facts that never change are left
    /// out.
    pub latches: Vec<Latch>,
    /// Goals that one latch alone decides.
    pub goals: Vec<GoalLatch>,
    /// The results that are still possible, from proved latches alone.
    pub ranges: Ranges,
    /// Statistics of the search.
    pub report: Report,
}

impl Latches {
    /// Finds latches within the budget. `seed` is the seed of random play.
    pub fn find(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Latches {
        let mut report = Report::default();
        let clock = budget.clock();
        let begun = clock.now();
        let observed = observe::observe(logic, seed, budget);
        report.samples = observed.transitions;
        let played = clock.now();
        report.observing = played - begun;

        let mut prover = Prover::new(logic, groups);
        let short = budget.share(SHARE);
        let (mut latches, given_up) =
            single::singles(logic, groups, &observed, &mut prover, &short);
        report.exhausted = short.check().err();
        report.bounded = given_up;
        let single = clock.now();
        report.singles = single - played;

        let known = single::Known::new(logic, groups, &latches);
        let wanted = circuit::wanted(logic, &known);
        let short = budget.share(SHARE);
        let (found, given_up) = sets::sets(
            logic,
            groups,
            &known,
            &wanted,
            &observed,
            &mut prover,
            &short,
        );
        report.exhausted = report.exhausted.or(short.check().err());
        report.bounded |= given_up;
        latches.extend(found);
        let set = clock.now();
        report.sets = set - single;

        let short = budget.share(SHARE);
        let (goals, given_up) = sets::goals(logic, &latches, &observed, &mut prover, &short);
        report.exhausted = report.exhausted.or(short.check().err());
        report.bounded |= given_up;
        let ranges = circuit::ranges(logic, &known, &latches, &goals, budget);
        report.steps = prover.steps();
        report.goals = clock.now() - set;
        report.exhausted = report.exhausted.or(budget.check().err());
        Latches {
            latches,
            goals,
            ranges,
            report,
        }
    }

    /// The latch of a single literal, if it is proved or random play never changed it back.
    pub fn of(&self, literal: Literal) -> Option<&Latch> {
        let same = |latch: &&Latch| latch.literals == [literal];
        self.latches.iter().find(same)
    }

    /// The numbers of proved latches of single facts: positive, negative.
    pub fn counts(&self) -> (usize, usize) {
        let singles = self.latches.iter().filter_map(|latch| {
            let proved = latch.evidence == Evidence::Proved;
            match latch.literals[..] {
                [one] if proved => Some(one.holds),
                _ => None,
            }
        });
        let (positive, negative): (Vec<bool>, Vec<bool>) = singles.partition(|&holds| holds);
        (positive.len(), negative.len())
    }
}
