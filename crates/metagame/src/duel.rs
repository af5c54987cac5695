//! Short matches between two methods, from random openings, with both in every seat.

use crate::searcher::{Failed, Searcher};
use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// Random plies at the beginning of a match: at least and at most.
const OPENING: [u32; 2] = [2, 7];
/// Plies after which a match is cut. It counts as a draw.
const LENGTH: u32 = 600;
/// Time for a move, at least and at most.
const MOVE: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];
/// Matches that should fit into the time. Moves are as long as that allows, by the length of the
/// matches so far.
const MATCHES: u32 = 12;

/// The score of a duel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Score {
    /// Points of the first side: 1 for a win, ½ for a draw.
    pub points: f64,
    /// Matches played.
    pub matches: u32,
    /// Whether a side cannot play this game at all: the first or the second.
    pub unsuitable: [bool; 2],
    /// The time for a move, of the last match.
    pub time: Duration,
}

/// A side of a duel: makes its searches, for a role and with a seed.
pub(crate) type Side<'s> = &'s mut dyn FnMut(RoleId, u64) -> Box<dyn Searcher>;

/// Plays matches of two roles until the budget ends. `plies` is how long a match is expected to
/// be.
pub(crate) fn duel(
    engine: &mut dyn Engine,
    mut sides: [Side<'_>; 2],
    plies: f64,
    seed: u64,
    budget: &Budget,
) -> Result<Score, EngineError> {
    let (mut score, mut played) = (Score::default(), 0u32);
    while budget.check().is_ok() {
        let number = score.matches;
        // Both seats of an opening get the same time. Strong play may be longer than expected.
        if number % 2 == 0 {
            let left = budget.remaining().unwrap_or(MOVE[1] * LENGTH);
            let mean = f64::from(played) / f64::from(number.max(1));
            let rest = f64::from(MATCHES.saturating_sub(number).max(2)) * plies.max(mean).max(1.0);
            score.time = left.div_f64(rest).clamp(MOVE[0], MOVE[1]);
        }
        // Both sides play each opening in each seat.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(u64::from(number / 2)));
        let first = (number % 2) as usize;
        let mut searches = [0, 1].map(|role| {
            let side = if role == 0 { first } else { 1 - first };
            (
                side,
                sides[side](RoleId(role), seed.wrapping_add(number.into())),
            )
        });
        match play(engine, &mut searches, score.time, &mut rng, budget)? {
            Played::Result { result, plies } => {
                played += plies;
                score.points += if first == 0 { result } else { 1.0 - result };
                score.matches += 1;
            }
            Played::Unsuitable(side) => {
                score.unsuitable[side] = true;
                break;
            }
            Played::Interrupted => break,
        }
    }
    Ok(score)
}

enum Played {
    /// The result of the first role, compared with the second: 0, ½ or 1.
    Result { result: f64, plies: u32 },
    /// A side cannot play this game.
    Unsuitable(usize),
    /// The budget ended first.
    Interrupted,
}

fn play(
    engine: &mut dyn Engine,
    searches: &mut [(usize, Box<dyn Searcher>); 2],
    time: Duration,
    rng: &mut Xoshiro256PlusPlus,
    budget: &Budget,
) -> Result<Played, EngineError> {
    let opening = rng.random_range(OPENING[0]..=OPENING[1]);
    let (mut state, mut next) = (engine.initial(), State::default());
    let mut moves: [Vec<MoveId>; 2] = Default::default();
    let over = |result, plies| Ok(Played::Result { result, plies });
    for ply in 0..LENGTH {
        if engine.terminal(&state)? {
            let goals = [0, 1].map(|role| engine.goal(&state, RoleId(role)));
            let [one, other] =
                [goals[0].clone()?, goals[1].clone()?].map(Option::unwrap_or_default);
            let result = match one.cmp(&other) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            };
            return over(result, ply);
        }
        if budget.check().is_err() {
            return Ok(Played::Interrupted);
        }
        let mut joint = Vec::with_capacity(2);
        for (role, moves) in moves.iter_mut().enumerate() {
            engine.legal(&state, RoleId(role), moves)?;
            let mv = match moves.as_slice() {
                [] => return over(0.5, ply),
                [only] => *only,
                several if ply < opening => several[rng.random_range(0..several.len())],
                _ => {
                    let (side, search) = &mut searches[role];
                    match search.choose(&state, &budget.clone().with_timeout(time)) {
                        Ok(mv) => mv,
                        Err(Failed::Unsuitable) => return Ok(Played::Unsuitable(*side)),
                        Err(Failed::Engine(error)) => return Err(error),
                    }
                }
            };
            joint.push(mv);
        }
        engine.next(&state, &joint, &mut next)?;
        std::mem::swap(&mut state, &mut next);
    }
    over(0.5, LENGTH)
}
