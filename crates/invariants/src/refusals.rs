//! Counterexamples to induction, which end the search for proofs that do not exist.

use crate::groups::Group;
use crate::imagine::{Imagined, violated};
use crate::invariant::{Assumed, Invariant};
use crate::refute::Stuck;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::GameLogic;

/// Consecutive rounds of 64 states without a counterexample, after which no more are tried.
const FRUITLESS: usize = 8;
/// Work for counterexamples before the proofs, in gates evaluated.
const WORK: u64 = 8_000_000;
/// Rounds of 64 states for each place where a proof got stuck.
const ROUNDS: usize = 4;
/// Maximum number of places examined where the proof of one invariant got stuck.
const PLACES: usize = 8;
/// Maximum number of rounds kept, and memory for them in bytes.
const SEEN: usize = 1024;
const BYTES: usize = 16 << 20;
/// Gates evaluated in the time of one step of a proof.
const GATES: u64 = 4;

/// Transitions in which all invariants hold before and some do not hold after.
pub struct Refusals<'l> {
    samples: &'l Samples,
    imagined: Imagined<'l>,
    /// So many invariants, the first ones, are known. Successors that violate them come from
    /// states that play does not reach.
    known: u32,
    seen: Vec<Round>,
    /// Places examined for the present invariant.
    places: usize,
}

/// 64 states and their successors, some of which violate an invariant.
struct Round {
    /// For each fact, the states in which it holds.
    now: Vec<u64>,
    /// For each fact, the successors in which it holds.
    next: Vec<u64>,
    /// The successors that are valid.
    valid: u64,
}

impl Round {
    /// Whether two facts hold together in a successor although they do not in the state before.
    fn clash(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.next[a] & self.next[b] & !(self.now[a] & self.now[b]) != 0
    }
}

impl<'l> Refusals<'l> {
    /// No counterexamples yet.
    pub fn new(logic: &'l GameLogic, samples: &'l Samples, known: usize, seed: u64) -> Self {
        Refusals {
            samples,
            imagined: Imagined::new(logic, seed),
            known: known as u32,
            seen: Vec::new(),
            places: 0,
        }
    }

    /// The work done, converted to steps of proofs.
    pub fn cost(&self) -> u64 {
        self.imagined.work() / GATES
    }

    /// Starts another invariant.
    pub fn begin(&mut self) {
        self.places = 0;
    }

    /// Searches for a successor that violates any invariant. Returns whether it found one.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn any(&mut self, assumed: &Assumed, budget: &Budget) -> Result<bool, Exhausted> {
        for _ in 0..FRUITLESS {
            budget.check()?;
            if self.imagined.work() > WORK {
                break;
            }
            let nowhere = Stuck::default();
            let (next, valid) = self.successors(assumed, &nowhere);
            let mut statements = assumed.iter();
            if statements.any(|statement| violated(statement, &next) & valid != 0) {
                self.keep(next, valid);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches for a successor that violates the invariant where its proof got stuck. Returns
    /// whether it found one. The total cost is at most `cost`.
    pub fn near(&mut self, id: u32, stuck: &Stuck, assumed: &Assumed, cost: u64) -> bool {
        if self.places >= PLACES {
            return false;
        }
        self.places += 1;
        for _ in 0..ROUNDS {
            if self.cost() > cost {
                return false;
            }
            let (next, valid) = self.successors(assumed, stuck);
            if violated(assumed.get(id), &next) & valid != 0 {
                self.keep(next, valid);
                return true;
            }
        }
        false
    }

    /// Imagines states, and returns their successors and which of them are valid.
    fn successors(&mut self, assumed: &Assumed, near: &Stuck) -> (Vec<u64>, u64) {
        let (next, mut valid) = self.imagined.successors(self.samples, assumed, near);
        for id in 0..self.known {
            valid &= !violated(assumed.get(id), &next);
        }
        (next, valid)
    }

    fn keep(&mut self, next: Vec<u64>, valid: u64) {
        let most = (BYTES / 16 / next.len().max(1)).clamp(64, SEEN);
        if self.seen.len() >= most {
            self.seen.drain(..most / 2);
        }
        self.seen.push(Round {
            now: self.imagined.states().to_vec(),
            next,
            valid,
        });
    }

    /// The invariants that do not hold in the successors found last.
    pub fn refused(&self, assumed: &Assumed) -> Vec<u32> {
        let Some(round) = self.seen.last() else {
            return Vec::new();
        };
        let refused = |id: &u32| violated(assumed.get(*id), &round.next) & round.valid != 0;
        (0..assumed.len() as u32).filter(refused).collect()
    }

    /// Whether one of the facts, which exclude each other, held in every state seen.
    pub fn always(&self, facts: &[u32]) -> bool {
        let seen = |round: &Round| {
            let any = (facts.iter()).fold(0, |any, &fact| any | round.next[fact as usize]);
            round.valid & !any == 0
        };
        self.seen.iter().all(seen) && self.samples.always(facts)
    }

    /// Weakens an invariant to fit all counterexamples: at most `most` weaker invariants, or
    /// none.
    ///
    /// Facts for which `clash` is true are not put together.
    pub fn left(
        &self,
        statement: &Invariant,
        most: usize,
        clash: &dyn Fn(u32, u32) -> bool,
    ) -> Vec<Invariant> {
        let Invariant::Group(group) = statement else {
            return Vec::new();
        };
        // For each part, the successors in which any of its members holds.
        let mut parts: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
        for &fact in &group.facts {
            let seen = self.seen.iter().map(|round| round.next[fact as usize]);
            let words: Vec<u64> = seen.collect();
            let fits = |part: &&mut (Vec<u32>, Vec<u64>)| {
                // Facts that already held together before are no clash: no invariant excluded
                // that.
                let mut rounds = part.1.iter().zip(&words).zip(&self.seen);
                rounds.all(|((any, word), round)| {
                    any & word == 0 || !part.0.iter().any(|&other| round.clash(other, fact))
                }) && !part.0.iter().any(|&other| clash(other, fact))
            };
            match parts.iter_mut().find(fits) {
                Some((facts, any)) => {
                    facts.push(fact);
                    for (any, word) in any.iter_mut().zip(&words) {
                        *any |= word;
                    }
                }
                None => parts.push((vec![fact], words)),
            }
        }
        let parts = parts.into_iter().filter(|(facts, _)| facts.len() > 1);
        let mut parts: Vec<Vec<u32>> = parts.map(|(facts, _)| facts).collect();
        parts.sort_by_key(|facts| std::cmp::Reverse(facts.len()));
        let parts = parts.into_iter().take(most).map(|facts| {
            let exactly = self.always(&facts);
            Invariant::Group(Group { facts, exactly })
        });
        parts.collect()
    }
}
