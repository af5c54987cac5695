//! Players without search: the first legal move, and a random one.

use crate::{BestMove, Player, PlayerError, Setup};
use budget::Budget;
use game::{MoveId, State};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Always plays the first legal move in the engine's order.
#[derive(Default)]
pub struct Legal {
    setup: Option<Setup>,
}

impl Player for Legal {
    fn name(&self) -> &str {
        "legal"
    }

    fn start(&mut self, setup: Setup, _budget: &Budget) -> Result<(), PlayerError> {
        self.setup = Some(setup);
        Ok(())
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        let moves = legal_moves(self.setup.as_mut(), state, best, budget)?;
        best.publish(moves[0]);
        Ok(moves[0])
    }
}

/// Plays a uniformly random legal move.
#[derive(Default)]
pub struct Random {
    setup: Option<Setup>,
    rng: Option<Xoshiro256PlusPlus>,
}

impl Player for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn start(&mut self, setup: Setup, _budget: &Budget) -> Result<(), PlayerError> {
        // Two random players with the same seed should not mirror each other.
        let seed = setup.seed.wrapping_add(setup.role.0 as u64);
        self.rng = Some(Xoshiro256PlusPlus::seed_from_u64(seed));
        self.setup = Some(setup);
        Ok(())
    }

    fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Result<MoveId, PlayerError> {
        let moves = legal_moves(self.setup.as_mut(), state, best, budget)?;
        let rng = self.rng.as_mut().ok_or(PlayerError::NotStarted)?;
        let mv = moves[rng.random_range(0..moves.len())];
        best.publish(mv);
        Ok(mv)
    }
}

/// The legal moves, at least one; only one where the budget does not suffice for all. Publishes one
/// as soon as it is known.
fn legal_moves(
    setup: Option<&mut Setup>,
    state: &State,
    best: &BestMove,
    budget: &Budget,
) -> Result<Vec<MoveId>, PlayerError> {
    let setup = setup.ok_or(PlayerError::NotStarted)?;
    let engine = &mut *setup.playable.engine;
    let publish = |mv| best.publish(mv);
    let moves = game::legal_in_time(engine, state, setup.role, budget, &publish)?;
    match moves.is_empty() {
        true => Err(PlayerError::NoLegalMove),
        false => Ok(moves),
    }
}
