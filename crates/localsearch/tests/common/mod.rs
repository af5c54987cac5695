//! Games, states in cubes, and plain search, for tests.
#![allow(dead_code)]

use budget::Budget;
use compile::{Compiled, Proved};
use game::{Engine, MoveId, RoleId, State};
use localsearch::{Cube, Literal};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// A game with what is proved of it.
pub struct Game {
    pub engine: Box<dyn Engine>,
    pub compiled: Arc<Compiled>,
    pub proved: Proved,
    pub rng: Xoshiro256PlusPlus,
}

impl Game {
    pub fn fixture(name: &str) -> Game {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        Game::of(&std::fs::read_to_string(path).unwrap())
    }

    pub fn of(rules: &str) -> Game {
        let budget = Budget::system();
        let compiled = Arc::new(compile::compile(rules, &budget).unwrap());
        Game {
            engine: prepare::engine_of(&compiled, &budget).unwrap(),
            proved: Proved::find(compiled.clone(), 1, &budget),
            compiled,
            rng: Xoshiro256PlusPlus::seed_from_u64(7),
        }
    }

    pub fn bits(&self, state: &State) -> State {
        let mut bits = State::default();
        assert!(self.engine.bits(state, &mut bits));
        bits
    }

    /// A state after `plies` random joint moves, or fewer if play ends before.
    pub fn random_state(&mut self, plies: usize) -> State {
        let mut state = self.engine.initial();
        for _ in 0..plies {
            let Some(next) = self.random_step(&state) else {
                break;
            };
            state = next;
        }
        state
    }

    pub fn random_step(&mut self, state: &State) -> Option<State> {
        let mut joint = Vec::new();
        let mut moves = Vec::new();
        for role in 0..self.engine.roles().len() {
            let random = self.rng.random();
            let picked = self.engine.pick(state, RoleId(role), random, &mut moves);
            joint.push(picked.unwrap()?);
        }
        let mut next = State::default();
        self.engine.next(state, &joint, &mut next).unwrap();
        (!self.engine.terminal(&next).unwrap()).then_some(next)
    }

    fn holds(facts: &[bool], literal: Literal) -> bool {
        facts[literal.fact() as usize] == literal.holds()
    }

    /// A random state in the cube in which everything holds that was proved, made from `like`;
    /// `None` if none is found.
    pub fn state_in(&mut self, literals: &[Literal], phase: usize, like: &State) -> Option<State> {
        let bits = self.bits(like);
        let count = self.compiled.logic.facts.len();
        let mut facts: Vec<bool> = (0..count)
            .map(|fact| bits.words()[fact / 64] >> (fact % 64) & 1 == 1)
            .collect();
        let groups = self.proved.groups.clone();
        let of_fact = groups.of_facts(count);
        let set = |facts: &mut Vec<bool>, fact: u32| {
            for &group in &of_fact[fact as usize] {
                for &other in &groups.groups[group as usize].facts {
                    facts[other as usize] = false;
                }
            }
            facts[fact as usize] = true;
        };
        for _ in 0..self.rng.random_range(0..8) {
            // Something else somewhere.
            let fact = self.rng.random_range(0..count as u32);
            match facts[fact as usize] {
                true => facts[fact as usize] = false,
                false => set(&mut facts, fact),
            }
        }
        let phases = &self.compiled.phased.phases;
        let mut wanted = literals.to_vec();
        for (&fact, &value) in phases.facts.iter().zip(&phases.values[phase]) {
            wanted.push(Literal::new(fact, value));
        }
        for _ in 0..3 {
            for literal in &wanted {
                match literal.holds() {
                    true if !facts[literal.fact() as usize] => set(&mut facts, literal.fact()),
                    holds => facts[literal.fact() as usize] = holds,
                }
            }
            for group in groups.groups.iter().filter(|group| group.exactly) {
                if !group.facts.iter().any(|&fact| facts[fact as usize]) {
                    let denied = |fact: &&u32| wanted.contains(&Literal::new(**fact, false));
                    let open: Vec<&u32> = group.facts.iter().filter(|fact| !denied(fact)).collect();
                    if !open.is_empty() {
                        set(&mut facts, *open[self.rng.random_range(0..open.len())]);
                    }
                }
            }
            for both in &groups.equal {
                facts[both.fact as usize] = facts[both.like as usize] != both.opposite;
            }
            for &(fact, value) in &groups.constants {
                facts[fact as usize] = value;
            }
        }
        let in_groups = groups.groups.iter().all(|group| {
            let count = group
                .facts
                .iter()
                .filter(|&&fact| facts[fact as usize])
                .count();
            count == 1 || count == 0 && !group.exactly
        });
        let is_in = wanted.iter().all(|&literal| Game::holds(&facts, literal));
        if !in_groups || !is_in {
            return None;
        }
        let words = &self.compiled.logic.words.facts;
        let terms: Vec<_> = words
            .iter()
            .zip(&facts)
            .filter(|both| *both.1)
            .map(|both| both.0.clone())
            .collect();
        self.engine.state_of(&terms).ok()
    }

    /// Whether the role can force the result within `plies` joint moves, by plain search; `None`
    /// if it is unclear who chooses.
    pub fn forces(&mut self, state: &State, role: usize, at_least: u8, plies: u16) -> Option<bool> {
        if self.engine.terminal(state).unwrap() {
            let goal = self.engine.goal(state, RoleId(role)).unwrap().unwrap_or(0);
            return Some(goal >= at_least);
        }
        if plies == 0 {
            return Some(false);
        }
        let roles = self.engine.roles().len();
        let mut lists = vec![Vec::new(); roles];
        for (role, list) in lists.iter_mut().enumerate() {
            self.engine.legal(state, RoleId(role), list).unwrap();
        }
        if lists.iter().any(Vec::is_empty) || lists.iter().filter(|list| list.len() > 1).count() > 1
        {
            return None;
        }
        let chooser = lists.iter().position(|list| list.len() > 1).unwrap_or(role);
        let own = chooser == role;
        let mut joint: Vec<MoveId> = lists.iter().map(|list| list[0]).collect();
        let mut unclear = false;
        for &mv in &lists[chooser] {
            joint[chooser] = mv;
            let mut next = State::default();
            self.engine.next(state, &joint, &mut next).unwrap();
            match self.forces(&next, role, at_least, plies - 1) {
                None => unclear = true,
                Some(yes) if yes == own => return Some(own),
                Some(_) => {}
            }
        }
        if unclear { None } else { Some(!own) }
    }

    /// Whether a state shows that a claim of a cube is wrong, as far as `most` joint moves tell.
    pub fn refutes(
        &mut self,
        state: &State,
        cube: &Cube,
        role: usize,
        at_least: u8,
        most: u16,
    ) -> bool {
        let plies = cube.claim.plies();
        match cube.claim.wins() {
            true => plies <= most && self.forces(state, role, at_least, plies) != Some(true),
            false => self.forces(state, role, at_least, plies.min(most)) != Some(false),
        }
    }
}
