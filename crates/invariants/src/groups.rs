//! The invariants of the facts: what holds in every reachable state.

use crate::candidates::candidates;
use crate::equal::equal;
use crate::induction::prove;
use crate::invariant::Invariant;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::{Equal, Exclusive, GameLogic, Known};

/// A set of facts of which at most one holds in every reachable state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The facts, by their position in the vocabulary, ascending; at least two.
    pub facts: Vec<u32>,
    /// Whether one of them always holds.
    pub exactly: bool,
}

/// The proved invariants of a game. They hold in every state that legal play can reach,
/// including final states.
///
/// A fact may be in several groups, or in none. Nothing here depends on how the logic is
/// written: the facts are those of the vocabulary, whichever passes the netlist goes through.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// Groups of facts that exclude each other.
    pub groups: Vec<Group>,
    /// Facts that never change, with their value, ascending.
    pub constants: Vec<(u32, bool)>,
    /// Facts that always equal others, or their complements.
    pub equal: Vec<Equal>,
    /// Statistics of the search for proofs.
    pub report: Report,
}

/// Statistics of the search for proofs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Blocks of 64 sampled states that suggested the candidates.
    pub samples: usize,
    /// Candidates that sampling suggested.
    pub candidates: usize,
    /// Invariants that were weakened or dropped because no proof was found.
    pub failed: usize,
    /// Number of candidates that may have a proof which takes more steps than the search allows.
    /// The bounds are counted in steps, so the search ends at the same point every time.
    pub given_up: usize,
    /// Node visits during proofs.
    pub steps: u64,
    /// The part of the budget that ran out, if any; then there may be more to prove.
    pub exhausted: Option<Exhausted>,
}

impl Groups {
    /// Takes candidates from random play and keeps those that are proved within the budget.
    /// `seed` is the seed of random play.
    pub fn find(logic: &GameLogic, seed: u64, budget: &Budget) -> Groups {
        let samples = Samples::new(logic, seed, budget);
        let candidates = candidates(logic, &samples, budget);
        let (proved, report) = prove(logic, &samples, candidates, seed, budget);
        let mut groups = Groups::collect(proved, report);
        match equal(
            logic,
            &samples,
            |fact| groups.constant(fact).is_some(),
            budget,
        ) {
            Ok(equal) => groups.equal = equal,
            Err(why) => groups.report.exhausted = Some(why),
        }
        groups
    }

    /// Proves what it can of the given groups. Groups may lose facts, be split, or be dropped.
    ///
    /// Numbers that are not facts of the logic are left out: a fact that does not exist never
    /// holds.
    pub fn prove(logic: &GameLogic, candidates: Vec<Group>, seed: u64, budget: &Budget) -> Groups {
        let samples = Samples::new(logic, seed, budget);
        let candidates = candidates.into_iter().map(|mut group| {
            group
                .facts
                .retain(|&fact| (fact as usize) < logic.facts.len());
            group.facts.sort_unstable();
            group.facts.dedup();
            Invariant::Group(group)
        });
        let (proved, report) = prove(logic, &samples, candidates.collect(), seed, budget);
        Groups::collect(proved, report)
    }

    /// For each of `facts` facts, the numbers of its groups.
    pub fn of_facts(&self, facts: usize) -> Vec<Vec<u32>> {
        let mut of = vec![Vec::new(); facts];
        for (number, group) in self.groups.iter().enumerate() {
            for &fact in &group.facts {
                of[fact as usize].push(number as u32);
            }
        }
        of
    }

    /// The value of a fact, if it never changes.
    pub fn constant(&self, fact: u32) -> Option<bool> {
        let constants = &self.constants;
        let at = constants.binary_search_by_key(&fact, |constant| constant.0);
        at.ok().map(|at| constants[at].1)
    }

    /// The same invariants in the form that passes over the netlist take.
    pub fn known(&self) -> Known {
        let exclusive = |group: &Group| Exclusive {
            facts: group.facts.clone(),
            exactly: group.exactly,
        };
        Known {
            groups: self.groups.iter().map(exclusive).collect(),
            constants: self.constants.clone(),
            equal: self.equal.clone(),
        }
    }

    /// Sorts the invariants, without those that others imply.
    fn collect(proved: Vec<Invariant>, report: Report) -> Groups {
        let (mut constants, mut kept) = (Vec::new(), Vec::new());
        for invariant in proved {
            match invariant {
                Invariant::Group(group) => kept.push(group),
                Invariant::Constant(fact, value) => constants.push((fact, value)),
                Invariant::Dropped => {}
            }
        }
        constants.sort_unstable();
        let constant = |fact: &u32| {
            let at = constants.binary_search_by_key(fact, |constant| constant.0);
            at.ok().map(|at| constants[at].1)
        };
        // Where one member always holds, the others never do; those are constants of their own.
        kept.retain(|group| !group.facts.iter().any(|fact| constant(fact) == Some(true)));
        for group in &mut kept {
            group.facts.retain(|fact| constant(fact).is_none());
        }
        kept.retain(|group| group.facts.len() > 1);
        // A group comes after all that may contain it.
        kept.sort_by_key(|group| (std::cmp::Reverse(group.facts.len()), !group.exactly));
        let facts = kept.iter().flat_map(|group| &group.facts).max();
        let mut of_fact: Vec<Vec<usize>> =
            vec![Vec::new(); facts.map_or(0, |&fact| fact as usize + 1)];
        let mut groups: Vec<Group> = Vec::new();
        for group in kept {
            let contains = |&other: &usize| {
                let other = &groups[other];
                let mut facts = group.facts.iter();
                (other.exactly || !group.exactly)
                    && facts.all(|fact| other.facts.binary_search(fact).is_ok())
            };
            if of_fact[group.facts[0] as usize].iter().any(contains) {
                continue;
            }
            for &fact in &group.facts {
                of_fact[fact as usize].push(groups.len());
            }
            groups.push(group);
        }
        groups.sort_by(|a, b| a.facts.cmp(&b.facts));
        Groups {
            groups,
            constants,
            equal: Vec::new(),
            report,
        }
    }
}
