//! Uniformly random play to the end of a game.

use crate::{Engine, EngineError, MoveId, RoleId, State};
use rand::{Rng, RngExt};

/// How a playout ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playout {
    /// Transitions made.
    pub steps: usize,
    /// Whether a terminal state was reached. If not, the step limit was, or a role had no move.
    pub terminal: bool,
    /// Each role's result in the last state, where one is defined.
    pub goals: Vec<Option<u8>>,
}

/// Plays uniformly random legal moves from `state`, at most `max_steps` of them.
///
/// # Errors
/// If the engine could not evaluate the rules.
pub fn playout(
    engine: &mut dyn Engine,
    state: &State,
    rng: &mut impl Rng,
    max_steps: usize,
) -> Result<Playout, EngineError> {
    let roles = engine.roles().len();
    let (mut here, mut there) = (state.clone(), State::default());
    let mut moves = Vec::new();
    let mut joint: Vec<MoveId> = Vec::with_capacity(roles);
    let mut steps = 0;
    let terminal = 'play: loop {
        if engine.terminal(&here)? {
            break true;
        }
        if steps == max_steps {
            break false;
        }
        joint.clear();
        for role in 0..roles {
            engine.legal(&here, RoleId(role), &mut moves)?;
            match moves.as_slice() {
                [] => break 'play false,
                [only] => joint.push(*only),
                several => joint.push(several[rng.random_range(0..several.len())]),
            }
        }
        engine.next(&here, &joint, &mut there)?;
        std::mem::swap(&mut here, &mut there);
        steps += 1;
    };
    let goals = (0..roles)
        .map(|role| engine.goal(&here, RoleId(role)))
        .collect::<Result<_, _>>()?;
    Ok(Playout {
        steps,
        terminal,
        goals,
    })
}
