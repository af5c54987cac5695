//! Local search beside the search of the whole game: forced wins, and moves that lose to one.

use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use localsearch::{Claim, Search};
use netlist::GameLogic;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// The part of the memory for cubes, 1 / `MEMORY` for either role.
const MEMORY: usize = 16;
/// The most joint moves that are looked ahead.
const PLIES: u16 = 99;
/// A win of fewer joint moves is found by all other means as well.
const SHORT: u16 = 3;
/// Random positions of the trial, and the states for each.
const TRIALS: usize = 24;
const LOOK: u64 = 2_000;
/// Steps of a random game in the trial.
const STEPS: usize = 300;
/// States for each role where the answer must not depend on time.
const STATES: u64 = 10_000;
/// The percentage of the time for a move: at first, at least, and at most. It is halved whenever
/// nothing was found, and doubled otherwise.
const FIRST: u32 = 10;
const LEAST: u32 = 4;
const MOST: u32 = 20;

/// What local search knows of the moves of a state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advice {
    /// A move that forces the best result, with the joint moves to the end of play.
    pub wins: Option<(MoveId, u16)>,
    /// Moves after which the other role can force its best result, likewise.
    pub loses: Vec<(MoveId, u16)>,
}

/// Local search for a role, and for the other one where its win is a loss.
pub struct Local {
    own: Search,
    other: Option<Search>,
    engine: Box<dyn Engine>,
    logic: Arc<GameLogic>,
    /// The percentage of the time for a move.
    share: u32,
}

impl Local {
    /// Local search of the game, if it finds something in positions of random play.
    pub(crate) fn find(searchable: &Searchable, clock: &mut StartClock) -> Option<Local> {
        let budget = clock.begin(Stage::Local);
        let proved = searchable.proved()?;
        let role = searchable.role();
        let memory = searchable.memory() / MEMORY;
        let make = |role: RoleId| Search::new(proved, role, 100, memory, &budget);
        let own = match make(role) {
            Ok(own) => own,
            Err(why) => {
                clock.decide(Stage::Local, "left out", why.to_string());
                return None;
            }
        };
        let engine = searchable.fork();
        // What the other role wins, this one loses.
        let other = (searchable.sum() == Some(100)).then(|| make(RoleId(1 - role.0)).ok());
        let mut local = Local {
            own,
            other: other.flatten(),
            engine,
            logic: proved.compiled.logic.clone(),
            share: FIRST,
        };
        let (found, tried) = local.trial(searchable.seed(), &budget);
        let why = format!(
            "it proves wins of {SHORT} joint moves or more in {found} of {tried} random positions"
        );
        if found == 0 {
            clock.decide(Stage::Local, "left out", why);
            return None;
        }
        clock.decide(Stage::Local, "used beside the search", why);
        Some(local)
    }

    /// In how many of some random positions a win is found that takes some moves, and how many
    /// were tried.
    fn trial(&mut self, seed: u64, budget: &Budget) -> (usize, usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut found, mut tried) = (0, 0);
        for _ in 0..TRIALS {
            if budget.check().is_err() {
                break;
            }
            let Some(state) = late_state(&mut *self.engine, &mut rng, budget) else {
                continue;
            };
            tried += 1;
            let mut facts = State::default();
            self.engine.bits(&state, &mut facts);
            let searches = [Some(&mut self.own), self.other.as_mut()];
            found += usize::from(searches.into_iter().flatten().any(|search| {
                let proof = search.deepen(&facts, PLIES, LOOK, budget);
                let claim = proof.map(|proof| proof.cube.claim);
                matches!(claim, Some(Claim::Wins(plies)) if plies >= SHORT)
            }));
        }
        (found, tried)
    }

    /// The part of the time for a move that it takes.
    pub fn share(&self, budget: &Budget) -> Budget {
        match budget.remaining() {
            Some(left) => budget.clone().with_timeout(left * self.share / 100),
            None => budget.clone(),
        }
    }

    /// Looks for a forced win in a state, and for moves that lose to one. With `repeats`, the
    /// work is bounded by states and not by time.
    pub fn advise(&mut self, state: &State, repeats: bool, budget: &Budget) -> Advice {
        let mut advice = Advice::default();
        let states = if repeats { STATES } else { u64::MAX };
        let half = budget.share(2);
        let mut facts = State::default();
        if !self.engine.bits(state, &mut facts) {
            return advice;
        }
        let proof = self.own.deepen(&facts, PLIES, states, &half);
        if let Some(proof) = proof
            && let (Claim::Wins(plies), Some((role, mv))) = (proof.cube.claim, proof.decides)
            && let Some(mv) = self.known(role, mv)
        {
            advice.wins = Some((mv, plies));
        } else {
            advice.loses = self.losing(state, states, budget).unwrap_or_default();
        }
        let found = advice != Advice::default();
        self.share = match found {
            true => (self.share * 2).min(MOST),
            false => (self.share / 2).max(LEAST),
        };
        advice
    }

    /// The engine's number of a move.
    fn known(&mut self, role: RoleId, mv: MoveId) -> Option<MoveId> {
        let term = &self.logic.words.moves[role.0][mv.0 as usize];
        self.engine.find_move(role, term)
    }

    /// The moves after which the other role has a forced win. All moves are asked for short wins
    /// before any is asked for longer ones.
    fn losing(
        &mut self,
        state: &State,
        states: u64,
        budget: &Budget,
    ) -> Option<Vec<(MoveId, u16)>> {
        let other = self.other.as_mut()?;
        let role = self.own.role();
        let engine = &mut *self.engine;
        let (mut moves, mut theirs) = (Vec::new(), Vec::new());
        engine.legal(state, role, &mut moves).ok()?;
        engine.legal(state, other.role(), &mut theirs).ok()?;
        let [only] = theirs[..] else {
            return None;
        };
        let mut open: Vec<(MoveId, State)> = Vec::new();
        for mv in moves {
            let mut joint = [only; 2];
            joint[role.0] = mv;
            let (mut next, mut facts) = (State::default(), State::default());
            engine.next(state, &joint, &mut next).ok()?;
            if !engine.terminal(&next).ok()? {
                engine.bits(&next, &mut facts);
                open.push((mv, facts));
            }
        }
        let most = other.states().saturating_add(states);
        let mut losing = Vec::new();
        for plies in (1..=PLIES).step_by(other.stride()) {
            let mut later = Vec::new();
            for (mv, facts) in open {
                let left = most.saturating_sub(other.states());
                if left == 0 || budget.check().is_err() {
                    return Some(losing);
                }
                match other
                    .ask(&facts, plies, left, budget)
                    .map(|proof| proof.cube.claim)
                {
                    Some(Claim::Wins(plies)) => losing.push((mv, plies.saturating_add(1))),
                    Some(Claim::Fails(localsearch::FOREVER)) => {}
                    _ => later.push((mv, facts)),
                }
            }
            if later.is_empty() {
                break;
            }
            open = later;
        }
        Some(losing)
    }
}

/// A state in the last third of a random game.
pub(crate) fn late_state(
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    budget: &Budget,
) -> Option<State> {
    let mut states = random_line(engine, rng, budget)?;
    let late = 2 * states.len() / 3..states.len();
    Some(states.swap_remove(rng.random_range(late)))
}

/// The states of a random game but the last, at most `STEPS` of them.
pub(crate) fn random_line(
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    budget: &Budget,
) -> Option<Vec<State>> {
    let mut states = vec![engine.initial()];
    while states.len() < STEPS {
        budget.check().ok()?;
        let next = random_step(engine, &states[states.len() - 1], rng)?;
        if engine.terminal(&next).ok()? {
            break;
        }
        states.push(next);
    }
    Some(states)
}

/// The state after random moves.
pub(crate) fn random_step(
    engine: &mut dyn Engine,
    state: &State,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<State> {
    let (mut joint, mut moves) = (Vec::new(), Vec::new());
    for role in (0..engine.roles().len()).map(RoleId) {
        joint.push(engine.pick(state, role, rng.random(), &mut moves).ok()??);
    }
    let mut next = State::default();
    engine.next(state, &joint, &mut next).ok()?;
    Some(next)
}
