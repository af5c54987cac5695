//! One random playout, with the moves that were played.

use crate::tally::Tally;
use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How a playout ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// In a terminal state with these goals.
    Terminal(Vec<Option<u8>>),
    /// A role has no legal move.
    Stuck(RoleId),
    /// At the step limit.
    TooLong,
    /// The budget ended.
    Cut,
    /// The rules could not be evaluated.
    Broken(EngineError),
}

/// A playout.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// The joint moves.
    pub moves: Vec<Vec<MoveId>>,
    /// The last state.
    pub last: State,
    /// How it ended.
    pub end: End,
}

/// Plays random moves from the initial state. Legal moves are noted in the tally.
pub(crate) fn walk(
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    max_steps: usize,
    tally: &mut Tally,
    budget: &Budget,
) -> Walk {
    let mut walk = Walk {
        moves: Vec::new(),
        last: engine.initial(),
        end: End::TooLong,
    };
    while walk.moves.len() < max_steps {
        if budget.check().is_err() {
            walk.end = End::Cut;
            break;
        }
        match step(engine, rng, &mut walk, tally) {
            Ok(None) => {}
            Ok(Some(end)) => {
                walk.end = end;
                break;
            }
            // A question that was cut says nothing about the rules, unless it took all the time.
            Err(EngineError::Exhausted(_)) if budget.check().is_err() && tally.moves > 0 => {
                walk.end = End::Cut;
                break;
            }
            Err(error) => {
                walk.end = End::Broken(error);
                break;
            }
        }
    }
    walk
}

/// Plays a joint move, unless the playout ends.
fn step(
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    walk: &mut Walk,
    tally: &mut Tally,
) -> Result<Option<End>, EngineError> {
    let roles = engine.roles().len();
    if engine.terminal(&walk.last)? {
        let goals = (0..roles).map(|role| engine.goal(&walk.last, RoleId(role)));
        return Ok(Some(End::Terminal(goals.collect::<Result<_, _>>()?)));
    }
    let (mut joint, mut moves) = (Vec::with_capacity(roles), Vec::new());
    for role in (0..roles).map(RoleId) {
        engine.legal(&walk.last, role, &mut moves)?;
        if moves.is_empty() {
            return Ok(Some(End::Stuck(role)));
        }
        tally.legal(role, &moves);
        joint.push(moves[rng.random_range(0..moves.len())]);
    }
    let mut next = State::default();
    engine.next(&walk.last, &joint, &mut next)?;
    tally.moves += 1;
    walk.last = next;
    walk.moves.push(joint);
    Ok(None)
}
