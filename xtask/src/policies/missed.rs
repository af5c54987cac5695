//! How often uniform playouts miss a win.

use anyhow::Context;
use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use prepare::{Options, prepare};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most steps of a playout.
const MAX_STEPS: usize = 1000;

/// The share of uniform playouts in which a role, alone to choose, could have won at once and did
/// not; `None` if the budget ends before the first one.
///
/// # Errors
/// If the game cannot be played.
pub fn share(
    text: &str,
    role: usize,
    playouts: usize,
    budget: &Budget,
) -> anyhow::Result<Option<f64>> {
    let prepared = prepare(text, &Options::default(), budget).context("cannot be played")?;
    let mut engine = prepared.engine;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut missed, mut played) = (0, 0);
    while played < playouts && budget.check().is_ok() {
        missed += usize::from(misses(&mut *engine, role, &mut random)?);
        played += 1;
    }
    Ok((played > 0).then(|| missed as f64 / played as f64))
}

/// Whether a win is missed in one playout.
fn misses(
    engine: &mut dyn Engine,
    role: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Result<bool, EngineError> {
    let (mut state, mut next) = (engine.initial(), State::default());
    let mut moves = vec![Vec::new(); engine.roles().len()];
    for _ in 0..MAX_STEPS {
        if engine.terminal(&state)? {
            break;
        }
        for (role, moves) in moves.iter_mut().enumerate() {
            engine.legal(&state, RoleId(role), moves)?;
        }
        if moves.iter().any(Vec::is_empty) {
            break;
        }
        let draw = moves
            .iter()
            .map(|moves| moves[random.random_range(0..moves.len())]);
        let joint: Vec<MoveId> = draw.collect();
        let mut choosing = moves.iter().enumerate();
        if choosing.all(|(other, moves)| (moves.len() > 1) == (other == role)) {
            let mut other = joint.clone();
            let mut wins = Vec::new();
            for &mv in &moves[role] {
                other[role] = mv;
                engine.next(&state, &other, &mut next)?;
                if engine.terminal(&next)? && engine.goal(&next, RoleId(role))? == Some(100) {
                    wins.push(mv);
                }
            }
            if !wins.is_empty() && !wins.contains(&joint[role]) {
                return Ok(true);
            }
        }
        engine.next(&state, &joint, &mut next)?;
        std::mem::swap(&mut state, &mut next);
    }
    Ok(false)
}
