//! Lanes that are stepped by hand.

use super::Game;
use bitcode::{Evaluator, Interpreter, Plane};
use budget::Budget;
use game::{Engine, State};
use lanes::{Banks, Choice, LOOK, MOVE, Places, Policy, RESULTS, RandomPlanes, Step, load, unload};
use netlist::Phased;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

pub const W: usize = 2;
pub const LANES: usize = Plane::<W>::LANES;

/// The programs of a game's phases, and lanes that are all in one phase.
pub struct Walker {
    pub machines: Vec<(Step, Interpreter)>,
    pub phase: usize,
    pub memory: Vec<Plane<W>>,
    /// The list of the guided roles, in all lanes.
    pub list: Vec<u32>,
    random: RandomPlanes<W>,
    more: SplitMix64,
}

impl Walker {
    /// Lanes that begin in the initial state.
    pub fn new(
        game: &Game,
        logic: &Phased,
        choices: &[Choice],
        policy: &Policy,
        seed: u64,
    ) -> Walker {
        let phases = logic.logics.len();
        let machines = (0..phases).map(|phase| {
            let logics = [0, 1, 2].map(|ahead| logic.ahead(phase, ahead));
            let step = Step::with(
                logics,
                choices,
                policy,
                Banks::of(phase, phases),
                &Budget::system(),
            );
            let interpreter = Interpreter::new(&step.code);
            (step, interpreter)
        });
        let machines: Vec<(Step, Interpreter)> = machines.collect();
        let planes = machines.iter().map(|(_, m)| Evaluator::<W>::planes(m));
        let mut walker = Walker {
            phase: 0,
            memory: vec![Plane::FALSE; planes.max().unwrap_or(0)],
            machines,
            list: Vec::new(),
            random: RandomPlanes::new(seed),
            more: SplitMix64::seed_from_u64(seed + 1),
        };
        let initial = game.engine.initial();
        walker.put(|_| &initial);
        walker
    }

    pub fn places(&self) -> &Places {
        &self.machines[self.phase].0.places
    }

    /// Sets every lane to a state of the present phase.
    pub fn put<'s>(&mut self, state: impl Fn(usize) -> &'s State) {
        let here = self.places().here();
        load(&mut self.memory[here], |lane| Some(state(lane).words()));
    }

    /// The state of a lane.
    pub fn state(&self, lane: usize) -> State {
        let mut words = Vec::new();
        unload(&self.memory[self.places().here()], lane, &mut words);
        State::from_words(words)
    }

    /// The next state of a lane, after a move.
    pub fn next(&self, lane: usize, words: &mut Vec<u64>) {
        unload(&self.memory[self.places().next()], lane, words);
    }

    /// Evaluates the states, and draws the choices.
    pub fn look(&mut self) {
        let (Step { places, .. }, machine) = &self.machines[self.phase];
        for choice in &places.choices {
            self.random.fill(&mut self.memory[choice.random.clone()]);
        }
        machine.run(LOOK, &mut self.memory);
        for choice in &places.choices {
            choice.mend(&mut self.memory, &Plane::TRUE, || self.more.next_u64());
        }
        machine.run(RESULTS, &mut self.memory);
    }

    /// Applies the chosen moves. The states are as before until [`Walker::go_on`].
    pub fn make(&mut self) {
        for guided in &self.machines[self.phase].0.places.guided {
            let mut left = Plane::TRUE;
            self.memory[guided.chosen.clone()].fill(Plane::FALSE);
            for mv in &self.list {
                let Ok(at) = guided.moves.binary_search(mv) else {
                    continue;
                };
                let legal = self.memory[guided.legal.start + at];
                self.memory[guided.chosen.start + at] =
                    legal.zip(&left, |legal, left| legal & left);
                left = left.zip(&legal, |left, legal| left & !legal);
            }
            if let Some(follows) = guided.follows {
                self.memory[follows] = left.zip(&left, |left, _| !left);
            }
        }
        for scan in &self.machines[self.phase].0.places.scans {
            let more = || self.more.next_u64();
            scan.choose(&mut self.memory, &Plane::TRUE, &mut Vec::new(), more);
        }
        self.machines[self.phase].1.run(MOVE, &mut self.memory);
    }

    /// Moves on to the next states.
    pub fn go_on(&mut self) {
        let (next, then) = (self.places().next(), self.places().then());
        self.memory.copy_within(next, then.start);
        self.phase = (self.phase + 1) % self.machines.len();
    }
}
