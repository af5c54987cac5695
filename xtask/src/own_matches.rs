//! Matches of a player against itself, as a source of positions.

use crate::stage::Stage;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use players::BestMove;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// The most joint moves of a match.
const LONGEST: usize = 1000;

/// A state in which one role chooses, and the number of choices before it.
pub struct Step {
    pub state: State,
    pub role: RoleId,
    pub choices: usize,
}

impl Step {
    /// The state after a move of the role.
    ///
    /// # Errors
    /// Fails if the engine does.
    pub fn after(&self, engine: &mut dyn Engine, mv: MoveId) -> Result<State, EngineError> {
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for role in (0..engine.roles().len()).map(RoleId) {
            engine.legal(&self.state, role, &mut legal)?;
            joint.push(if role == self.role { mv } else { legal[0] });
        }
        let mut next = State::default();
        engine.next(&self.state, &joint, &mut next)?;
        Ok(next)
    }
}

/// A match that was played.
pub struct Match {
    /// The states in which the player chose, and no other role did.
    pub steps: Vec<Step>,
    /// All choices, in the order of states and roles.
    pub terms: Vec<GroundTerm>,
}

impl Match {
    /// Plays a match: up to `opening` random choices first, then those of the player.
    ///
    /// # Errors
    /// Fails if the engine or the player does, or a role has no move.
    pub fn play(
        engine: &mut dyn Engine,
        stage: &mut Stage,
        opening: usize,
        clock: Duration,
        mut rng: Xoshiro256PlusPlus,
    ) -> anyhow::Result<Match> {
        let (mut steps, mut terms) = (Vec::new(), Vec::new());
        let opening = rng.random_range(0..=opening);
        let mut state = engine.initial();
        for _ in 0..LONGEST {
            if engine.terminal(&state)? {
                break;
            }
            let (mut joint, mut choosers) = (Vec::new(), Vec::new());
            for role in (0..engine.roles().len()).map(RoleId) {
                let mut legal = Vec::new();
                engine.legal(&state, role, &mut legal)?;
                anyhow::ensure!(!legal.is_empty(), "a role has no move");
                joint.push(legal[rng.random_range(0..legal.len())]);
                if legal.len() > 1 {
                    choosers.push(role);
                }
            }
            let choices = terms.len();
            for &role in &choosers {
                if choices >= opening {
                    joint[role.0] = stage.choose(&state, role, &BestMove::default(), clock)?;
                }
                terms.push(engine.move_term(role, joint[role.0]));
            }
            let mut next = State::default();
            engine.next(&state, &joint, &mut next)?;
            if let ([role], true) = (&choosers[..], choices >= opening) {
                let role = *role;
                steps.push(Step {
                    state,
                    role,
                    choices,
                });
            }
            state = next;
        }
        Ok(Match { steps, terms })
    }
}
