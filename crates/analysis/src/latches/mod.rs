//! What can no longer change: latches, and the results that are still possible.
//!
//! A latch is a conjunction of facts and absent facts that holds for ever once it holds: a stone on
//! a square that nothing is removed from, a captured king, a walker who has left the corridor
//! (which is that he is at none of its places). Where a goal cannot be true while a latch holds,
//! it never will be again.
//!
//! 1. Random play drops the literals that are seen to change back.
//! 2. For each of the others a proof is tried that a step of play keeps it, first in three values
//!    with the literal fixed, then by cases. That is one step of an induction: the proved groups of
//!    [`invariants`] are its invariants.
//! 3. For the facts that goals ask for and no single literal excludes, conjunctions are sought: a
//!    single latch that keeps the fact from coming true (a sudoku digit in the same row), and the
//!    set of facts of its group without which it cannot come true (the corridor).
//! 4. The goals' own circuits then say which latches exclude them: a line is dead if any of its
//!    squares is, a goal is if all its lines are. Latches that decide a goal in another way, behind
//!    logic that is redundant, are found by fixing each and asking.

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

/// A fact that holds, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The fact, by its position in the vocabulary.
    pub fact: u32,
    /// Whether it holds.
    pub holds: bool,
}

impl Literal {
    /// Where it holds, of the words of all facts.
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

/// A conjunction that holds for ever once it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latch {
    /// What it says, ascending. One literal is a latch of a base proposition: positive if the fact
    /// holds, negative if not.
    pub literals: Vec<Literal>,
    /// How sure it is.
    pub evidence: Evidence,
    /// What the attempt to prove it took.
    pub time: Duration,
}

/// A goal that is decided while a latch holds: proved, if the latch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalLatch {
    /// The latch, by its position in [`Latches::latches`].
    pub latch: usize,
    /// Whose goal.
    pub role: u16,
    /// The result that it stands for.
    pub value: u8,
    /// Whether it is then always true, or never.
    pub holds: bool,
}

/// How the search went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Transitions of random play looked at.
    pub samples: u64,
    /// Time for random play.
    pub observing: Duration,
    /// Time for latches of single facts.
    pub singles: Duration,
    /// Time for conjunctions.
    pub sets: Duration,
    /// Time for goals and the test of ranges.
    pub goals: Duration,
    /// Work of proofs, in visits of nodes.
    pub steps: u64,
    /// Whether proofs were given up because their work reached its bound, which does not depend on
    /// time; then there may be more.
    pub bounded: bool,
    /// What ran out, if something did; then there may be more.
    pub exhausted: Option<Exhausted>,
}

/// The part of the time that is left for each step, so that what comes afterwards has some too.
const SHARE: u32 = 2;

/// The latches of a game.
#[derive(Debug, Clone)]
pub struct Latches {
    /// Those that are proved or were observed: single facts first. Facts that never change are
    /// left out.
    pub latches: Vec<Latch>,
    /// Goals that one latch alone decides.
    pub goals: Vec<GoalLatch>,
    /// Which results are still possible, from proved latches alone.
    pub ranges: Ranges,
    /// How the search went.
    pub report: Report,
}

impl Latches {
    /// Finds what it can within the budget. The seed is that of random play.
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

    /// The latch of a single literal, if it is known to be one or was not seen to change back.
    pub fn of(&self, literal: Literal) -> Option<&Latch> {
        let same = |latch: &&Latch| latch.literals == [literal];
        self.latches.iter().find(same)
    }

    /// How many proved latches of single facts there are: positive, negative.
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
