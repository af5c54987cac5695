//! Imagined states: they satisfy all assumed invariants, but play need not reach them. Their
//! successors are counterexamples to induction.
//!
//! An invariant that does not hold in a successor of such a state cannot be proved from the
//! assumptions, nor from fewer of them. It can be dropped at once, and no possible proof is
//! lost. The states are made from states of random play, by giving some of the groups another
//! member. The closer they are to play, the more of their moves are meaningful.

use crate::invariant::{Assumed, Invariant};
use crate::play::Play;
use crate::refute::Stuck;
use crate::samples::Samples;
use netlist::GameLogic;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// States imagined at once: one per bit of a word.
const LANES: u32 = 64;
/// Cost of one fact of an imagined state, in gates evaluated.
const FACT: usize = 8;
/// Attempts to find a member for a group that has none.
const REPAIRS: usize = 4;

/// A generator of such states, 64 at a time.
pub struct Imagined<'l> {
    logic: &'l GameLogic,
    play: Play<'l>,
    rng: Xoshiro256PlusPlus,
    /// For each fact, the states in which it holds.
    holds: Vec<u64>,
    rounds: usize,
}

impl<'l> Imagined<'l> {
    /// Makes a generator; `seed` is the seed of all random choices.
    pub fn new(logic: &'l GameLogic, seed: u64) -> Self {
        Imagined {
            logic,
            play: Play::new(logic, seed),
            rng: Xoshiro256PlusPlus::seed_from_u64(!seed),
            holds: vec![0; logic.facts.len()],
            rounds: 0,
        }
    }

    /// The states imagined last: for each fact, a word of the states in which it holds.
    pub fn states(&self) -> &[u64] {
        &self.holds
    }

    /// The work done, in gates evaluated.
    pub fn work(&self) -> u64 {
        self.play.work() + (self.rounds * self.holds.len() * FACT) as u64
    }

    /// Imagines 64 states that satisfy the assumptions and returns their successors.
    ///
    /// The vector has for each fact a word of the successors in which it holds; the last word
    /// gives the valid successors. The states resemble `near`, the place where a proof got
    /// stuck.
    pub fn successors(
        &mut self,
        samples: &Samples,
        assumed: &Assumed,
        near: &Stuck,
    ) -> (Vec<u64>, u64) {
        self.imagine(samples, assumed, near);
        let valid = self.valid(assumed);
        let holds = &self.holds;
        self.play.enter(|fact| holds[fact as usize]);
        let valid = valid & self.play.go_on_with(&near.made);
        let facts = self.logic.facts.iter();
        let next = facts.map(|&fact| self.play.word(fact) & valid).collect();
        (next, valid)
    }

    fn imagine(&mut self, samples: &Samples, assumed: &Assumed, near: &Stuck) {
        let block = self.rng.random_range(0..samples.blocks());
        self.holds.copy_from_slice(samples.states(block));
        let groups: Vec<u32> = (0..assumed.len() as u32)
            .filter(|&id| !members(assumed, id).is_empty())
            .collect();
        let changes = match self.rounds % 4 {
            0 => 1 + self.rounds / 4 % 4,
            1 => groups.len().div_ceil(8),
            2 => groups.len().div_ceil(2),
            _ => groups.len(),
        };
        self.rounds += 1;
        for _ in 0..changes.min(groups.len()) {
            let id = groups[self.rng.random_range(0..groups.len())];
            let lanes: u64 = self.rng.random();
            if self.rng.random() {
                self.borrow(id, lanes, samples, assumed);
            } else {
                self.draw(id, lanes, assumed);
            }
        }
        // Change a similar share of the facts that are in no group.
        let other = samples.states(self.rng.random_range(0..samples.blocks()));
        let share = changes * self.holds.len() / groups.len().max(1);
        for _ in 0..share.clamp(1, self.holds.len()) {
            let fact = self.rng.random_range(0..self.holds.len());
            if assumed.of(fact as u32).is_empty() {
                let lanes: u64 = self.rng.random();
                let word = match self.rng.random() {
                    true => other[fact],
                    false => self.rng.random(),
                };
                self.holds[fact] = self.holds[fact] & !lanes | word & lanes;
            }
        }
        for &(fact, value) in &near.facts {
            if value {
                self.put(fact, u64::MAX, assumed);
            }
        }
        for &(fact, value) in &near.facts {
            if !value {
                self.holds[fact as usize] = 0;
            }
        }
        for id in groups {
            self.repair(id, assumed);
        }
        for fact in 0..self.holds.len() as u32 {
            if let Some((_, value)) = assumed.constant(fact) {
                self.holds[fact as usize] = if value { u64::MAX } else { 0 };
            }
        }
    }

    /// Gives a group in some lanes the member that it has in other sampled states.
    fn borrow(&mut self, id: u32, lanes: u64, samples: &Samples, assumed: &Assumed) {
        let states = samples.states(self.rng.random_range(0..samples.blocks()));
        for at in 0..members(assumed, id).len() {
            let fact = members(assumed, id)[at];
            let now = lanes & states[fact as usize];
            self.put(fact, now, assumed);
        }
    }

    /// Gives a group in some lanes a random member.
    fn draw(&mut self, id: u32, lanes: u64, assumed: &Assumed) {
        let facts = members(assumed, id);
        for lane in 0..LANES {
            if lanes >> lane & 1 == 1 {
                let fact = facts[self.rng.random_range(0..facts.len())];
                self.put(fact, 1 << lane, assumed);
            }
        }
    }

    /// Makes a fact true in some lanes, and every fact that it excludes false.
    fn put(&mut self, fact: u32, lanes: u64, assumed: &Assumed) {
        if lanes == 0 {
            return;
        }
        for &id in assumed.of(fact) {
            for &other in members(assumed, id) {
                self.holds[other as usize] &= !lanes;
            }
        }
        self.holds[fact as usize] |= lanes;
    }

    /// Gives an `exactly` group a member in the lanes where it has none, if some member excludes
    /// no fact that holds there.
    fn repair(&mut self, id: u32, assumed: &Assumed) {
        let Invariant::Group(group) = assumed.get(id) else {
            return;
        };
        if !group.exactly {
            return;
        }
        for _ in 0..REPAIRS {
            let missing = !self.any(id, assumed);
            if missing == 0 {
                return;
            }
            let lanes = (0..LANES).filter(|lane| missing >> lane & 1 == 1);
            for lane in lanes {
                let fact = group.facts[self.rng.random_range(0..group.facts.len())];
                let free = |&other: &u32| self.any(other, assumed) >> lane & 1 == 0;
                let fits = assumed.of(fact).iter().all(free);
                if fits {
                    self.holds[fact as usize] |= 1 << lane;
                }
            }
        }
    }

    /// The lanes in which any member of the group holds.
    fn any(&self, id: u32, assumed: &Assumed) -> u64 {
        let facts = members(assumed, id).iter();
        facts.fold(0, |any, &fact| any | self.holds[fact as usize])
    }

    /// The lanes in which every invariant holds.
    fn valid(&self, assumed: &Assumed) -> u64 {
        let violated = assumed
            .iter()
            .map(|invariant| violated(invariant, &self.holds));
        violated.fold(u64::MAX, |valid, violated| valid & !violated)
    }
}

fn members(assumed: &Assumed, id: u32) -> &[u32] {
    match assumed.get(id) {
        Invariant::Group(group) => &group.facts,
        _ => &[],
    }
}

/// The states, out of 64, in which an invariant does not hold.
pub fn violated(invariant: &Invariant, holds: &[u64]) -> u64 {
    match invariant {
        Invariant::Group(group) => {
            let words = group.facts.iter().map(|&fact| holds[fact as usize]);
            let (any, two) = words.fold((0, 0), |(any, two), word| (any | word, two | any & word));
            two | if group.exactly { !any } else { 0 }
        }
        Invariant::Constant(fact, value) => {
            holds[*fact as usize] ^ if *value { u64::MAX } else { 0 }
        }
        Invariant::Dropped => 0,
    }
}
