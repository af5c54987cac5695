//! States of random play, for those who draw states and need to know what there is to draw.

use budget::Budget;
use game::{Engine, EngineError, GroundTerm, RoleId, State};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Duration;

/// Sample states: the initial state and states of random playouts. At most 200, found in at
/// most 300 ms.
pub fn samples(engine: &mut dyn Engine, budget: &Budget) -> Vec<Vec<GroundTerm>> {
    const MOST: usize = 200;
    let budget = budget.clone().with_timeout(Duration::from_millis(300));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut samples = Vec::new();
    while samples.len() < MOST && budget.check().is_ok() {
        let state = engine.initial();
        let room = MOST - samples.len();
        // After an error, boards are drawn from the samples so far.
        match walk(engine, state, room, &budget, &mut rng, &mut samples) {
            Ok(()) if samples.len() > 1 => {}
            _ => break,
        }
    }
    samples
}

/// Adds the states of a random playout to the samples.
fn walk(
    engine: &mut dyn Engine,
    mut state: State,
    room: usize,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
    samples: &mut Vec<Vec<GroundTerm>>,
) -> Result<(), EngineError> {
    let mut moves = Vec::new();
    for _ in 0..room {
        samples.push(engine.facts(&state));
        if budget.check().is_err() || engine.terminal(&state)? {
            break;
        }
        let mut joint = Vec::new();
        for role in 0..engine.roles().len() {
            engine.legal(&state, RoleId(role), &mut moves)?;
            if moves.is_empty() {
                return Ok(());
            }
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next)?;
        state = next;
    }
    Ok(())
}
