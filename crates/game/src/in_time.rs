//! Legal moves within a deadline.

use crate::{Engine, EngineError, MoveId, RoleId, State};
use budget::Budget;

/// The legal moves of `role`, or one of them if the budget does not suffice for all. One is
/// published as soon as it is known, even after the deadline. Empty if there is none.
///
/// Bounds the engine by `budget` from then on ([`Engine::set_budget`]).
///
/// # Errors
/// If the rules could not be evaluated, or if no move was found before the work was called off.
pub fn legal_in_time(
    engine: &mut dyn Engine,
    state: &State,
    role: RoleId,
    budget: &Budget,
    publish: &dyn Fn(MoveId),
) -> Result<Vec<MoveId>, EngineError> {
    engine.set_budget(&budget.clone().without_deadline());
    let Some(some) = engine.some_legal(state, role)? else {
        return Ok(Vec::new());
    };
    publish(some);
    engine.set_budget(budget);
    let mut moves = Vec::new();
    match engine.legal(state, role, &mut moves) {
        Err(EngineError::Exhausted(_)) => Ok(vec![some]),
        listed => listed.map(|()| moves),
    }
}
