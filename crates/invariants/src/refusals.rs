//! Counterexamples to induction: they end the search for a proof that does not exist.

use crate::groups::Group;
use crate::imagine::{Imagined, violated};
use crate::invariant::{Assumed, Invariant};
use crate::refute::Stuck;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::GameLogic;

/// Rounds of 64 states in vain before others are not tried.
const FRUITLESS: usize = 8;
/// Work of looking for counterexamples before proofs, in gates.
const WORK: u64 = 8_000_000;
/// Rounds of 64 states for each place where a proof got stuck.
const ROUNDS: usize = 4;
/// Places where the proof of a statement got stuck that are looked at.
const PLACES: usize = 8;
/// Rounds that are remembered, and memory for them.
const SEEN: usize = 1024;
const BYTES: usize = 16 << 20;
/// Gates evaluated in the time of one step of a proof.
const GATES: u64 = 4;

/// States after which statements do not hold, though all statements did before.
pub struct Refusals<'l> {
    samples: &'l Samples,
    imagined: Imagined<'l>,
    seen: Vec<Round>,
    /// Places looked at for the present statement.
    places: usize,
}

/// 64 states and their successors, some of which refused a statement.
struct Round {
    /// For each fact, in which of the states it holds.
    now: Vec<u64>,
    /// And in which successors.
    next: Vec<u64>,
    /// The successors that there are.
    valid: u64,
}

impl Round {
    /// Whether two facts hold together in a successor though they did not before.
    fn clash(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.next[a] & self.next[b] & !(self.now[a] & self.now[b]) != 0
    }
}

impl<'l> Refusals<'l> {
    /// None yet.
    pub fn new(logic: &'l GameLogic, samples: &'l Samples, seed: u64) -> Self {
        Refusals {
            samples,
            imagined: Imagined::new(logic, seed),
            seen: Vec::new(),
            places: 0,
        }
    }

    /// What was spent, as if it had been steps of proofs.
    pub fn cost(&self) -> u64 {
        self.imagined.work() / GATES
    }

    /// Another statement is looked at.
    pub fn begin(&mut self) {
        self.places = 0;
    }

    /// Looks for a successor that refuses any statement; whether there is one.
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
            let (next, valid) = self.imagined.successors(self.samples, assumed, &nowhere);
            let mut statements = assumed.iter();
            if statements.any(|statement| violated(statement, &next) & valid != 0) {
                self.keep(next, valid);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for a successor that refuses the statement where its proof got stuck; whether there is
    /// one. At most `cost` is spent altogether.
    pub fn near(&mut self, id: u32, stuck: &Stuck, assumed: &Assumed, cost: u64) -> bool {
        if self.places >= PLACES {
            return false;
        }
        self.places += 1;
        for _ in 0..ROUNDS {
            if self.cost() > cost {
                return false;
            }
            let (next, valid) = self.imagined.successors(self.samples, assumed, stuck);
            if violated(assumed.get(id), &next) & valid != 0 {
                self.keep(next, valid);
                return true;
            }
        }
        false
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

    /// The statements that do not hold in the successors found last.
    pub fn refused(&self, assumed: &Assumed) -> Vec<u32> {
        let Some(round) = self.seen.last() else {
            return Vec::new();
        };
        let refused = |id: &u32| violated(assumed.get(*id), &round.next) & round.valid != 0;
        (0..assumed.len() as u32).filter(refused).collect()
    }

    /// Whether always one of the facts, which exclude each other, was seen to hold.
    pub fn always(&self, facts: &[u32]) -> bool {
        let seen = |round: &Round| {
            let any = (facts.iter()).fold(0, |any, &fact| any | round.next[fact as usize]);
            round.valid & !any == 0
        };
        self.seen.iter().all(seen) && self.samples.always(facts)
    }

    /// What is left of a statement after all that was seen: nothing, or some that say less, `most`
    /// at most. Facts of which `clash` is true are not put together again.
    pub fn left(
        &self,
        statement: &Invariant,
        most: usize,
        clash: &dyn Fn(u32, u32) -> bool,
    ) -> Vec<Invariant> {
        let Invariant::Group(group) = statement else {
            return Vec::new();
        };
        // For each part, where any of its members was seen.
        let mut parts: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
        for &fact in &group.facts {
            let seen = self.seen.iter().map(|round| round.next[fact as usize]);
            let words: Vec<u64> = seen.collect();
            let fits = |part: &&mut (Vec<u32>, Vec<u64>)| {
                // A clash is none if the two held together before, when nothing was said of them.
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
