//! Short matches between two methods, from random openings, with both in every seat.
//!
//! With more than two roles each side has about half of them, and each opening is played again
//! with the sides exchanged.

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
    /// Points of the first side: 1 for a win, ½ for a draw. With more than two roles, half of what
    /// its results are better in the mean, of 100, is added to ½.
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

/// Plays matches until the budget ends. `plies` is how long a match is expected to
/// be.
pub(crate) fn duel(
    engine: &mut dyn Engine,
    mut sides: [Side<'_>; 2],
    plies: f64,
    seed: u64,
    budget: &Budget,
) -> Result<Score, EngineError> {
    let roles = engine.roles().len();
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
        let seats = (0..roles).map(|role| {
            let side = side_of(role, roles, number);
            let search = sides[side](RoleId(role), seed.wrapping_add(number.into()));
            Seat { side, search }
        });
        let mut seats: Vec<Seat> = seats.collect();
        match play(engine, &mut seats, score.time, &mut rng, budget)? {
            Played::Result { points, plies } => {
                played += plies;
                score.points += points;
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

/// The side that has a role in a match. Odd matches exchange the sides of the match before, and
/// each two matches the roles that are together.
fn side_of(role: usize, roles: usize, number: u32) -> usize {
    let (pair, exchanged) = (number as usize / 2, number as usize % 2);
    let first = match roles {
        // Equally many on both sides, by turns.
        0..=2 => role == 0,
        _ => (role + pair) % roles < roles.div_ceil(2),
    };
    usize::from(!first) ^ exchanged
}

/// A role of a match.
struct Seat {
    side: usize,
    search: Box<dyn Searcher>,
}

enum Played {
    /// The points of the first side, 0 to 1.
    Result { points: f64, plies: u32 },
    /// A side cannot play this game.
    Unsuitable(usize),
    /// The budget ended first.
    Interrupted,
}

fn play(
    engine: &mut dyn Engine,
    seats: &mut [Seat],
    time: Duration,
    rng: &mut Xoshiro256PlusPlus,
    budget: &Budget,
) -> Result<Played, EngineError> {
    let opening = rng.random_range(OPENING[0]..=OPENING[1]);
    let (mut state, mut next) = (engine.initial(), State::default());
    let mut moves: Vec<Vec<MoveId>> = vec![Vec::new(); seats.len()];
    let over = |points, plies| Ok(Played::Result { points, plies });
    for ply in 0..LENGTH {
        if engine.terminal(&state)? {
            let goals = (0..seats.len()).map(|role| engine.goal(&state, RoleId(role)));
            let goals: Result<Vec<Option<u8>>, EngineError> = goals.collect();
            return over(points(seats, &goals?), ply);
        }
        if budget.check().is_err() {
            return Ok(Played::Interrupted);
        }
        let mut joint = Vec::with_capacity(seats.len());
        for (role, moves) in moves.iter_mut().enumerate() {
            engine.legal(&state, RoleId(role), moves)?;
            let mv = match moves.as_slice() {
                [] => return over(0.5, ply),
                [only] => *only,
                several if ply < opening => several[rng.random_range(0..several.len())],
                _ => {
                    let Seat { side, search } = &mut seats[role];
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

/// The points of the first side for these results.
fn points(seats: &[Seat], goals: &[Option<u8>]) -> f64 {
    let mean = |side: usize| {
        let own = seats
            .iter()
            .zip(goals)
            .filter(|(seat, _)| seat.side == side);
        let results: Vec<f64> = own
            .map(|(_, goal)| f64::from(goal.unwrap_or_default()))
            .collect();
        results.iter().sum::<f64>() / results.len().max(1) as f64
    };
    let ahead = mean(0) - mean(1);
    match seats.len() {
        // Who is ahead has won, by whatever.
        0..=2 if ahead != 0.0 => 0.5 + ahead.signum() / 2.0,
        _ => 0.5 + ahead / 200.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_has_every_role_equally_often() {
        for roles in 2..=6 {
            let matches = 2 * roles as u32;
            for role in 0..roles {
                let first = (0..matches).filter(|&number| side_of(role, roles, number) == 0);
                assert_eq!(first.count(), roles, "{role} of {roles}");
            }
            for number in 0..matches {
                let sides = |number| (0..roles).map(move |role| side_of(role, roles, number));
                let own = sides(number).filter(|&side| side == 0).count();
                assert!(
                    own >= roles / 2 && own <= roles.div_ceil(2),
                    "{own} of {roles}"
                );
                if number % 2 == 0 {
                    assert!(sides(number).zip(sides(number + 1)).all(|(a, b)| a != b));
                }
            }
        }
    }

    #[test]
    fn points_are_those_of_the_first_side() {
        struct Nobody;
        impl Searcher for Nobody {
            fn choose(&mut self, _: &State, _: &Budget) -> Result<MoveId, Failed> {
                Err(Failed::Unsuitable)
            }
        }
        let of = |sides: &[usize], goals: &[u8]| {
            let seat = |&side| Seat {
                side,
                search: Box::new(Nobody),
            };
            let seats: Vec<Seat> = sides.iter().map(seat).collect();
            let goals: Vec<Option<u8>> = goals.iter().map(|&goal| Some(goal)).collect();
            points(&seats, &goals)
        };
        assert_eq!(of(&[0, 1], &[60, 40]), 1.0);
        assert_eq!(of(&[1, 0], &[60, 40]), 0.0);
        assert_eq!(of(&[0, 1], &[50, 50]), 0.5);
        assert_eq!(of(&[0, 1, 0], &[100, 0, 0]), 0.75);
        assert_eq!(of(&[0, 1, 1], &[0, 100, 0]), 0.25);
        assert_eq!(of(&[0, 1, 1, 0], &[100, 0, 0, 100]), 1.0);
    }
}
