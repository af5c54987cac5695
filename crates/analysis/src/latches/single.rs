//! Latches of single facts, and what they exclude.

use super::observe::Observed;
use super::{Latch, Literal};
use crate::Evidence;
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Lit};
use std::cmp::Reverse;
use std::time::Duration;

/// Node visits for one literal in successive rounds. The first is small and suffices for most
/// literals that can be proved.
const STEPS: [u64; 3] = [1 << 9, 1 << 12, 1 << 17];
/// Node visits for all literals, after which no more are tried.
const ALL: u64 = 3 << 23;

/// The signal of a literal.
pub(super) fn signal(logic: &GameLogic, literal: Literal) -> Lit {
    logic.facts[literal.fact as usize] ^ !literal.holds
}

/// The signal that a literal holds after the step.
pub(super) fn next(logic: &GameLogic, literal: Literal) -> Lit {
    logic.next[literal.fact as usize] ^ !literal.holds
}

/// The literals that random play never changed back, with the results of their proofs. Also
/// returns whether attempts were given up.
pub(super) fn singles(
    logic: &GameLogic,
    groups: &Groups,
    observed: &Observed,
    prover: &mut Prover<'_>,
    budget: &Budget,
) -> (Vec<Latch>, bool) {
    let mut open = Vec::new();
    for fact in 0..logic.facts.len() as u32 {
        for holds in [true, false] {
            let literal = Literal { fact, holds };
            if groups.constant(fact).is_none()
                && let Some(samples) = observed.kept(literal)
            {
                open.push(Attempt {
                    literal,
                    samples,
                    proved: None,
                    time: Duration::ZERO,
                });
            }
        }
    }
    let begun = prover.steps();
    // A literal that holds only in terminal states is no latch, since no state follows.
    prover.under(&[], true, |prover| {
        // The literals with most samples first.
        open.sort_by_key(|attempt| (Reverse(attempt.samples), attempt.literal));
        for steps in STEPS {
            for attempt in &mut open {
                let spent = prover.steps() - begun >= ALL;
                if attempt.proved.is_some() || spent || budget.check().is_err() {
                    continue;
                }
                let began = budget.clock().now();
                attempt.proved = stays(logic, prover, attempt.literal, steps);
                attempt.time += budget.clock().now() - began;
            }
        }
    });
    open.sort_by_key(|attempt| (attempt.literal.fact, !attempt.literal.holds));
    let given_up = open.iter().any(|attempt| attempt.proved.is_none());
    let latches = open.into_iter().filter_map(|attempt| {
        let evidence = match (attempt.proved, attempt.samples) {
            (Some(true), _) => Evidence::Proved,
            (_, 0) => return None,
            (_, samples) => Evidence::Observed { samples },
        };
        Some(Latch {
            literals: vec![attempt.literal],
            evidence,
            time: attempt.time,
        })
    });
    (latches.collect(), given_up)
}

/// A literal that may be a latch.
struct Attempt {
    literal: Literal,
    /// Number of transitions in which it held and stayed.
    samples: u64,
    /// Whether it is proved; `None` until the attempt is finished.
    proved: Option<bool>,
    time: Duration,
}

/// Whether a literal is proved to hold after a step if it held before; `None` if `steps` visits
/// did not suffice.
fn stays(logic: &GameLogic, prover: &mut Prover<'_>, literal: Literal, steps: u64) -> Option<bool> {
    let given = [signal(logic, literal)];
    let stays = prover.under(&given, false, |prover| {
        prover.bound(steps);
        let stays = prover.never(!next(logic, literal));
        (stays || !prover.is_spent()).then_some(stays)
    });
    prover.bound(u64::MAX);
    stays.unwrap_or(Some(false))
}

/// Proved latches of single facts, by fact.
pub(super) struct Known {
    /// For each fact, whether it is a negative (0) and a positive (1) latch.
    latched: Vec<[bool; 2]>,
    constants: Vec<Option<bool>>,
    /// For each fact, the facts that it excludes.
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

    /// The latched literals each of which alone makes this one permanently false.
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
