//! A proof search by cubes, which answers questions as proof-number searches do.

use super::{BEST, Cubes};
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use localsearch::{Claim, FOREVER, Search, Unsuitable};
use mcts::Answer;
use std::collections::HashMap;

/// The most joint moves that are looked ahead.
const PLIES: u16 = 99;
/// The length of a proof that knows none: of a failure for ever.
const LONG: u16 = 1_000;

/// Which role's best result the last question came down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    Others,
}

/// A proof search by cubes.
pub(super) struct ByCubes {
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
    pub fn new(
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
    pub fn states(&self) -> u64 {
        let other = self.other.as_ref().map_or(0, |(other, _)| other.states());
        self.own.states() + other
    }

    pub fn ask(&mut self, state: &State, at_least: u8, states: u64, budget: &Budget) -> Answer {
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
    pub fn after(&mut self, joint: &[MoveId]) -> Answer {
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
