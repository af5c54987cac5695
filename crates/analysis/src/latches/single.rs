//! Latches of single facts, and what they exclude.

use super::observe::Observed;
use super::{Latch, Literal};
use crate::Evidence;
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Lit};

/// The signal of a literal.
pub(super) fn signal(logic: &GameLogic, literal: Literal) -> Lit {
    logic.facts[literal.fact as usize] ^ !literal.holds
}

/// The signal that a literal holds after the step.
pub(super) fn next(logic: &GameLogic, literal: Literal) -> Lit {
    logic.next[literal.fact as usize] ^ !literal.holds
}

/// The literals that were not seen to change back, with what could be proved.
pub(super) fn singles(
    logic: &GameLogic,
    groups: &Groups,
    observed: &Observed,
    prover: &mut Prover<'_>,
    budget: &Budget,
) -> Vec<Latch> {
    let mut latches = Vec::new();
    for fact in 0..logic.facts.len() as u32 {
        for holds in [true, false] {
            let literal = Literal { fact, holds };
            let Some(samples) = observed.kept(literal) else {
                continue;
            };
            if groups.constant(fact).is_some() {
                continue;
            }
            let begun = budget.clock().now();
            let proved = budget.check().is_ok() && stays(logic, prover, literal);
            let evidence = match (proved, samples) {
                (true, _) => Evidence::Proved,
                (false, 0) => continue,
                (false, samples) => Evidence::Observed { samples },
            };
            latches.push(Latch {
                literals: vec![literal],
                evidence,
                time: budget.clock().now() - begun,
            });
        }
    }
    latches
}

/// Whether a literal is proved to hold after a step if it held before.
fn stays(logic: &GameLogic, prover: &mut Prover<'_>, literal: Literal) -> bool {
    let given = [signal(logic, literal)];
    // What holds in final states alone is no latch: there is nothing after it to hold in.
    let stays = prover.under(&given, true, |prover| prover.never(!next(logic, literal)));
    stays.unwrap_or(false)
}

/// Proved latches of single facts, by fact.
pub(super) struct Known {
    /// For each fact, whether it is a negative (0) and a positive (1) latch.
    latched: Vec<[bool; 2]>,
    constants: Vec<Option<bool>>,
    /// For each fact, those that it excludes.
    exclusive: Vec<Vec<u32>>,
}

impl Known {
    pub fn new(logic: &GameLogic, groups: &Groups, latches: &[Latch]) -> Known {
        let facts = logic.facts.len();
        let mut latched = vec![[false; 2]; facts];
        for latch in latches {
            if latch.evidence == Evidence::Proved
                && let [one] = latch.literals[..]
            {
                latched[one.fact as usize][usize::from(one.holds)] = true;
            }
        }
        let of_facts = groups.of_facts(facts);
        let exclusive = of_facts.iter().enumerate().map(|(fact, numbers)| {
            let members = numbers
                .iter()
                .flat_map(|&group| &groups.groups[group as usize].facts);
            let mut others: Vec<u32> = members
                .copied()
                .filter(|&other| other as usize != fact)
                .collect();
            others.sort_unstable();
            others.dedup();
            others
        });
        Known {
            exclusive: exclusive.collect(),
            constants: (0..facts as u32).map(|f| groups.constant(f)).collect(),
            latched,
        }
    }

    /// Whether the literal is a proved latch.
    pub fn is_latch(&self, literal: Literal) -> bool {
        self.latched[literal.fact as usize][usize::from(literal.holds)]
    }

    /// The value of a fact that never changes.
    pub fn constant(&self, fact: u32) -> Option<bool> {
        self.constants[fact as usize]
    }

    /// The facts that never hold together with this one.
    pub fn exclusive(&self, fact: u32) -> &[u32] {
        &self.exclusive[fact as usize]
    }

    /// The latched literals each of which alone says that this one is false for ever.
    pub fn killers(&self, literal: Literal) -> Vec<Literal> {
        let mut killers = Vec::new();
        if self.is_latch(!literal) {
            killers.push(!literal);
        }
        if literal.holds {
            let others = self.exclusive(literal.fact).iter();
            let others = others.map(|&fact| Literal { fact, holds: true });
            killers.extend(others.filter(|&other| self.is_latch(other)));
        }
        killers
    }
}
