//! Games in all the forms that tests compare.
#![allow(dead_code, reason = "every test uses its own part")]

pub mod walker;

use budget::Budget;
use datalog::Program;
use game::{Engine, GroundTerm, MoveId, RoleId, State};
use invariants::{Groups, exclusion};
use lanes::Choice;
use netlist::{GameLogic, lower};
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use reasoner::Reasoner;
use std::time::Duration;

/// A game as lanes and as engines play it.
pub struct Game {
    pub name: String,
    pub logic: GameLogic,
    /// Uses the same bits for states as `logic`, and the same numbers for moves.
    pub engine: PropnetEngine,
    /// The reference for all answers.
    pub oracle: Reasoner,
}

impl Game {
    pub fn new(name: &str, source: &str) -> Game {
        let sheet = gdl_parse::parse(source, &Default::default()).sheet;
        let program = Program::from_sheet(&sheet);
        let budget = Budget::system();
        let built = compile::build_network(&program, &budget)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        Game {
            name: name.into(),
            logic: lower(&built.network, &budget).expect("no deadline"),
            engine: PropnetEngine::new(&built.network, &budget).expect("a network"),
            oracle: Reasoner::from_program(&program, &budget).expect("a sound game"),
        }
    }

    pub fn fixture(name: &str) -> Game {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        Game::new(name, &std::fs::read_to_string(path).expect("a fixture"))
    }

    /// All fixtures that have a network, one at a time.
    pub fn fixtures() -> impl Iterator<Item = Game> {
        testkit::fixtures().into_iter().map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            Game::new(&name, &std::fs::read_to_string(&path).expect("a fixture"))
        })
    }

    /// Choices of moves with what can quickly be proved of them.
    pub fn proved_choices(&self) -> Vec<Choice> {
        let budget = Budget::system().with_timeout(Duration::from_millis(100));
        let groups = Groups::find(&self.logic, 1, &budget);
        let choice = |choice: invariants::ExclusiveMoves| Choice {
            leaves: choice.leaves,
            forced: choice.forced,
            scan_from: lanes::SCAN_FROM,
        };
        let proved = exclusion(&self.logic, &groups, &budget);
        proved.choices.into_iter().map(choice).collect()
    }

    pub fn roles(&self) -> usize {
        self.logic.roles()
    }

    /// The oracle's form of a state.
    pub fn there(&mut self, state: &State) -> State {
        let facts = self.engine.facts(state);
        self.oracle.state_of(&facts).expect("facts of the game")
    }

    /// All legal joint moves of a state, by the network's engine; none where a role has no
    /// move.
    pub fn joints(&mut self, state: &State) -> Vec<Vec<MoveId>> {
        let mut joints = vec![Vec::new()];
        let mut moves = Vec::new();
        for role in 0..self.roles() {
            self.engine
                .legal(state, RoleId(role), &mut moves)
                .expect("a sound game");
            moves.sort_unstable();
            let longer = joints.iter().flat_map(|joint| {
                moves.iter().map(move |&mv| {
                    let mut joint = joint.clone();
                    joint.push(mv);
                    joint
                })
            });
            joints = longer.collect();
        }
        joints
    }

    pub fn next(&mut self, state: &State, joint: &[MoveId]) -> State {
        let mut next = State::default();
        self.engine
            .next(state, joint, &mut next)
            .expect("a sound game");
        next
    }

    /// The facts of the successors under all legal joint moves, by the oracle.
    pub fn successors(&mut self, state: &State) -> Vec<Vec<GroundTerm>> {
        let there = self.there(state);
        let mut joints = vec![Vec::new()];
        for role in 0..self.roles() {
            let mut moves = Vec::new();
            self.oracle
                .legal(&there, RoleId(role), &mut moves)
                .expect("a sound game");
            let longer = joints.iter().flat_map(|joint| {
                moves.iter().map(move |&mv| {
                    let mut joint: Vec<MoveId> = joint.clone();
                    joint.push(mv);
                    joint
                })
            });
            joints = longer.collect();
        }
        let mut next = State::default();
        let states = joints.iter().map(|joint| {
            self.oracle
                .next(&there, joint, &mut next)
                .expect("a sound game");
            self.oracle.facts(&next)
        });
        states.collect()
    }

    /// At most `most` states of random play that are not terminal and where every role can
    /// move.
    pub fn states(&mut self, seed: u64, most: usize) -> Vec<State> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut states = Vec::new();
        while states.len() < most {
            let before = states.len();
            let mut state = self.engine.initial();
            while states.len() < most && !self.engine.terminal(&state).expect("a sound game") {
                let joints = self.joints(&state);
                let Some(joint) = (!joints.is_empty()).then(|| rng.random_range(0..joints.len()))
                else {
                    break;
                };
                let next = self.next(&state, &joints[joint]);
                states.push(std::mem::replace(&mut state, next));
            }
            if states.len() == before {
                break;
            }
        }
        states
    }
}

/// The same choices, made by a scan even of two moves.
pub fn scanned(choices: &[Choice]) -> Vec<Choice> {
    let mut scanned = choices.to_vec();
    scanned.iter_mut().for_each(|choice| choice.scan_from = 2);
    scanned
}

/// How far a statistic that should follow the chi-square distribution lies from its mean, in
/// standard deviations of the normal distribution (Wilson and Hilferty, 1931).
pub fn deviation(chi_square: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}

/// The chi-square statistic of counts that should be equal.
pub fn even(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let squares = counts.iter().map(|&n| (n as f64 - expected).powi(2));
    squares.sum::<f64>() / expected
}
