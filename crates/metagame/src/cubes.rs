//! Proof cubes for the questions that proof numbers leave open.
//!
//! Where wins are local, cubes take a thirtieth of the states from nine joint moves on, and more
//! than proof numbers for short wins; where wins hang on the whole board, they take more for all.
//! So proof numbers are asked first, and cubes only about what they leave open, in games where
//! that answers something: both are tried on positions of random play in the start clock.

use crate::local::late_state;
use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use budget::Budget;
use compile::Proved;
use dfpn::Answer;
use game::{Engine, EngineError, MoveId, RoleId, State};
use localsearch::{Claim, FOREVER, Search, Unsuitable};
use mcts::{Helper, Prover};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::Arc;

/// The result that cubes are about.
const BEST: u8 = 100;
/// The most joint moves that are looked ahead.
const PLIES: u16 = 99;
/// The length of a proof that knows none: of a failure for ever.
const LONG: u16 = 1_000;
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
            let Some(state) = late_state(&mut *engine, &mut rng) else {
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
        numbers: Box<dyn Prover>,
        engine: &dyn Engine,
        memory: usize,
    ) -> Box<dyn Prover> {
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
    numbers: Box<dyn Prover>,
    cubes: ByCubes,
    /// Whether cubes answered the last question.
    by_cubes: bool,
}

impl Prover for Both {
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

/// Which role's best result the last question came down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    Others,
}

/// A proof search by cubes.
struct ByCubes {
    own: Search,
    /// Where results add up, the best result of the other role.
    other: Option<(Search, u16)>,
    engine: Box<dyn Engine>,
    /// The number of each of the engine's moves in the logic.
    moves: HashMap<(RoleId, MoveId), MoveId>,
    /// The greatest result below the best one, of the role and of the other.
    second: [u8; 2],
    asked: Option<Whose>,
}

impl ByCubes {
    fn new(
        cubes: &Cubes,
        engine: &dyn Engine,
        role: RoleId,
        memory: usize,
        budget: &Budget,
    ) -> Result<ByCubes, Unsuitable> {
        let proved = &cubes.proved;
        let make = |role: RoleId| Search::new(proved, role, BEST, memory / 2, budget);
        let own = make(role)?;
        let logic = &proved.compiled.logic;
        let other = RoleId(1 - role.0.min(1));
        let sum = cubes.sum.filter(|_| logic.roles() == 2);
        let opponent = sum.and_then(|sum| Some((make(other).ok()?, sum)));
        let mut engine = engine.fork();
        let mut moves = HashMap::new();
        for (role, terms) in logic.words.moves.iter().enumerate() {
            for (number, term) in (0..).zip(terms) {
                if let Some(mv) = engine.find_move(RoleId(role), term) {
                    moves.insert((RoleId(role), mv), MoveId(number));
                }
            }
        }
        let second = |role: RoleId| {
            let results = logic.goals.get(role.0).into_iter().flatten();
            let results = results.map(|&(result, _)| result);
            results.filter(|&result| result < BEST).max().unwrap_or(0)
        };
        Ok(ByCubes {
            second: [second(role), second(other)],
            own,
            other: opponent,
            engine,
            moves,
            asked: None,
        })
    }

    /// Whose best result a question comes down to, if to any.
    fn whose(&self, at_least: u8) -> Option<Whose> {
        let [own, other] = self.second;
        if at_least > own {
            return Some(Whose::Own);
        }
        // The role has less if and only if the other one has more than the rest.
        let (_, sum) = self.other.as_ref()?;
        let rest = sum.checked_sub(at_least.into())?;
        (rest < BEST.into() && rest >= other.into()).then_some(Whose::Others)
    }

    fn answer(&self, whose: Whose, claim: Claim) -> Answer {
        let sum = self.other.as_ref().map_or(0, |(_, sum)| *sum);
        let rest = |result: u8| sum.saturating_sub(result.into()).min(BEST.into()) as u8;
        let [own, other] = self.second;
        match (whose, claim) {
            (Whose::Own, Claim::Wins(plies)) => Answer::Yes {
                at_least: BEST,
                plies,
            },
            (Whose::Others, Claim::Wins(plies)) => Answer::No {
                at_most: rest(BEST),
                plies,
            },
            (Whose::Own, Claim::Fails(FOREVER)) => Answer::No {
                at_most: own,
                plies: LONG,
            },
            (Whose::Others, Claim::Fails(FOREVER)) => Answer::Yes {
                at_least: rest(other),
                plies: LONG,
            },
            (_, Claim::Fails(_)) => Answer::Open,
        }
    }

    fn search(&mut self, whose: Whose) -> Option<&mut Search> {
        match whose {
            Whose::Own => Some(&mut self.own),
            Whose::Others => self.other.as_mut().map(|(search, _)| search),
        }
    }
}

impl ByCubes {
    fn states(&self) -> u64 {
        let other = self.other.as_ref().map_or(0, |(other, _)| other.states());
        self.own.states() + other
    }

    fn ask(&mut self, state: &State, at_least: u8, states: u64, budget: &Budget) -> Answer {
        self.asked = None;
        let mut facts = State::default();
        if !self.engine.bits(state, &mut facts) {
            return Answer::Open;
        }
        let whose = self.whose(at_least);
        let Some((whose, search)) = whose.and_then(|whose| Some((whose, self.search(whose)?)))
        else {
            return Answer::Open;
        };
        let proof = search.deepen(&facts, PLIES, states, budget);
        self.asked = Some(whose);
        let claim = proof.map(|proof| proof.cube.claim);
        claim.map_or(Answer::Open, |claim| self.answer(whose, claim))
    }

    /// What is known after a joint move in the state of the last question.
    fn after(&mut self, joint: &[MoveId]) -> Answer {
        let moves = joint.iter().enumerate();
        let known = |(role, &mv)| self.moves.get(&(RoleId(role), mv)).copied();
        let moves: Vec<Option<MoveId>> = moves.map(known).collect();
        let Some(whose) = self.asked else {
            return Answer::Open;
        };
        let claim = self.search(whose).and_then(|search| search.after(&moves));
        claim.map_or(Answer::Open, |claim| self.answer(whose, claim))
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
                let Some(state) = late_state(&mut *engine, &mut rng) else {
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
