//! Proof cubes for the questions that proof numbers leave open.
//!
//! Where wins are local, cubes take a thirtieth of the states from nine joint moves on, and more
//! than proof numbers for short wins; where wins hang on the whole board, they take more for all.
//! So proof numbers are asked first, and cubes only about what they leave open, in games where
//! that answers something: both are tried on positions of random play in the start clock.

mod search;

use crate::local::late_state;
use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use budget::Budget;
use compile::Proved;
use game::{Engine, EngineError, MoveId, RoleId, State};
use mcts::{Answer, Helper, ProofSearch};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::ByCubes;
use std::sync::Arc;

/// The result that cubes are about.
const BEST: u8 = 100;
/// Positions of the trial, and the states that each may take.
const TRIALS: usize = 48;
const LOOK: u64 = 10_000;
/// Of the positions that proof numbers leave open, cubes have to answer at least 1 / `WORTH`.
const WORTH: u32 = 8;
/// The memory of each search in the trial, in bytes.
const MEMORY: usize = 16 << 20;
/// Questions that may take fewer states are left to proof numbers alone.
const LEAST: u64 = 1_000;
/// Cubes get 1 / `PART` of the states, each of which takes them longer.
const PART: u64 = 2;

/// What is needed to make cubes for a game.
pub(crate) struct Cubes {
    proved: Proved,
    /// What the results of two roles add up to.
    sum: Option<u16>,
}

impl Cubes {
    /// Cubes for the proofs of a game, if they answer what proof numbers leave open.
    pub(crate) fn find(searchable: &Searchable, clock: &mut StartClock) -> Option<Arc<Cubes>> {
        let budget = clock.begin(Stage::Prover);
        let cubes = Cubes {
            proved: searchable.proved()?.clone(),
            sum: searchable.sum(),
        };
        let role = searchable.role();
        let mut engine = searchable.fork();
        let mut made = match ByCubes::new(&cubes, &*engine, role, MEMORY, &budget) {
            Ok(made) => made,
            Err(why) => {
                clock.decide(Stage::Prover, "proof numbers alone", why.to_string());
                return None;
            }
        };
        let mut numbers = searchable.prover(MEMORY);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(searchable.seed());
        let (mut tried, mut open, mut answered) = (0, 0, 0);
        for _ in 0..TRIALS {
            let Some(state) = late_state(&mut *engine, &mut rng, &budget) else {
                continue;
            };
            let by_numbers = numbers.ask(&state, BEST, LOOK, &budget);
            if budget.check().is_err() {
                break;
            }
            tried += 1;
            if by_numbers != Ok(Answer::Open) {
                continue;
            }
            open += 1;
            let by_cubes = made.ask(&state, BEST, LOOK / PART, &budget);
            answered += u32::from(by_cubes != Answer::Open);
        }
        let helps = answered > 0 && answered * WORTH >= open;
        let why = format!(
            "of {tried} random positions proof numbers leave {open} open, and cubes answer {answered} of these"
        );
        let decided = if helps {
            "proof cubes help"
        } else {
            "proof numbers alone"
        };
        clock.decide(Stage::Prover, decided, why);
        helps.then(|| Arc::new(cubes))
    }
}

impl Helper for Cubes {
    fn help(
        &self,
        numbers: Box<dyn ProofSearch>,
        engine: &dyn Engine,
        memory: usize,
    ) -> Box<dyn ProofSearch> {
        match ByCubes::new(self, engine, numbers.role(), memory, &Budget::system()) {
            Ok(cubes) => Box::new(Both {
                numbers,
                cubes,
                by_cubes: false,
            }),
            Err(_) => numbers,
        }
    }
}

/// Proof numbers, and cubes for what they leave open.
struct Both {
    numbers: Box<dyn ProofSearch>,
    cubes: ByCubes,
    /// Whether cubes answered the last question.
    by_cubes: bool,
}

impl ProofSearch for Both {
    fn role(&self) -> RoleId {
        self.numbers.role()
    }

    fn states(&self) -> u64 {
        self.numbers.states() + self.cubes.states()
    }

    fn next_turn(&mut self) {
        self.numbers.next_turn();
    }

    fn ask(
        &mut self,
        state: &State,
        at_least: u8,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        self.by_cubes = false;
        let answer = self.numbers.ask(state, at_least, states, budget)?;
        if answer != Answer::Open || states < LEAST || budget.check().is_err() {
            return Ok(answer);
        }
        let answer = self.cubes.ask(state, at_least, states / PART, budget);
        self.by_cubes = answer != Answer::Open;
        Ok(answer)
    }

    fn after(&mut self, state: &State, joint: &[MoveId]) -> Result<Answer, EngineError> {
        match self.by_cubes {
            true => Ok(self.cubes.after(joint)),
            false => self.numbers.after(state, joint),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Whether two answers to a question are both given, and then the same one.
    fn same(one: Answer, other: Answer) -> bool {
        match (one, other) {
            (Answer::Open, _) | (_, Answer::Open) => false,
            (Answer::Yes { .. }, Answer::Yes { .. }) | (Answer::No { .. }, Answer::No { .. }) => {
                true
            }
            _ => panic!("{one:?} contradicts {other:?}"),
        }
    }

    /// Asks proof numbers and cubes the same in states of random play, and about the states after
    /// each move. Returns how many answers both gave about the states, and about those after.
    fn agree(game: &str) -> [usize; 2] {
        let path = format!("fixtures/games/{game}.gdl");
        let text = std::fs::read_to_string(testkit::root().join(Path::new(&path)));
        let budget = Budget::system();
        let compiled = compile::compile(&text.expect("a fixture"), &budget);
        let compiled = Arc::new(compiled.expect("it is well formed"));
        let mut engine = prepare::engine_of(&compiled, &budget).expect("it has a network");
        let cubes = Cubes {
            proved: Proved::find(compiled, 1, &budget),
            sum: Some(100),
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut both = [0; 2];
        for role in [RoleId(0), RoleId(1)] {
            let mut numbers = dfpn::Prover::new(engine.fork(), role, MEMORY, 0);
            let made = ByCubes::new(&cubes, &*engine, role, MEMORY, &budget);
            let mut made = made.expect("its rules suit cubes");
            for number in 0..24 {
                let Some(state) = late_state(&mut *engine, &mut rng, &budget) else {
                    continue;
                };
                let at_least = [BEST, 1][number % 2];
                let by_cubes = made.ask(&state, at_least, LOOK, &budget);
                let by_numbers = numbers.ask(&state, at_least, LOOK, &budget);
                let by_numbers = by_numbers.expect("it plays");
                both[0] += usize::from(same(by_cubes, by_numbers));
                for joint in joint_moves(&mut *engine, &state) {
                    let after = made.after(&joint);
                    let mut next = State::default();
                    engine.next(&state, &joint, &mut next).expect("it is legal");
                    let again = numbers.ask(&next, at_least, LOOK, &budget);
                    both[1] += usize::from(same(after, again.expect("it plays")));
                }
            }
        }
        both
    }

    /// The joint moves of a state in which one role of two chooses.
    fn joint_moves(engine: &mut dyn Engine, state: &State) -> Vec<[MoveId; 2]> {
        let mut moves = [Vec::new(), Vec::new()];
        for (role, moves) in moves.iter_mut().enumerate() {
            let legal = engine.legal(state, RoleId(role), moves);
            legal.expect("it plays");
        }
        let [first, second] = &moves;
        let pair = |&one: &MoveId| second.iter().map(move |&other| [one, other]);
        first.iter().flat_map(pair).collect()
    }

    #[test]
    fn cubes_and_numbers_never_contradict_each_other() {
        for game in [
            "breakthrough_small",
            "sheep_and_wolf",
            "connect_four_small",
            "escort_latch_breakthrough",
        ] {
            let [states, after] = agree(game);
            assert!(states > 10 && after > 5, "{game}: {states}, {after}");
        }
    }
}
