//! Positions that are set up on an engine.

use crate::position::{Moves, Place, Position};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};

/// A position in the engine's own types.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The state.
    pub state: State,
    /// The role to move.
    pub role: RoleId,
    /// The right moves, in the engine's order.
    pub right: Vec<MoveId>,
    /// All other legal moves.
    pub wrong: Vec<MoveId>,
}

/// Why a position cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game has no such role.
    #[error("the game has no role {0}")]
    Role(GroundTerm),
    /// A move of the play is not legal in its state.
    #[error("move {number} of the play, {mv}, is not legal for {role}")]
    Play {
        /// Its number, from 1.
        number: usize,
        /// The move.
        mv: GroundTerm,
        /// The role that moves.
        role: GroundTerm,
    },
    /// The play ends in the middle of a joint move.
    #[error("the play ends where {0} has to choose at the same time")]
    Unfinished(GroundTerm),
    /// The game ends before the play.
    #[error("the game ends after {0} moves of the play")]
    Ended(usize),
    /// A listed move is not legal.
    #[error("{0} is not legal")]
    Illegal(GroundTerm),
    /// All moves are right, or none is.
    #[error("all legal moves are right, or all are wrong")]
    NoQuestion,
}

impl Scene {
    /// Sets a position up.
    ///
    /// # Errors
    /// Fails if it is not a position of this game, or if all moves or none of them are right.
    pub fn new(engine: &mut dyn Engine, position: &Position) -> Result<Scene, SceneError> {
        let role = engine
            .roles()
            .iter()
            .position(|role| *role == position.role);
        let role = RoleId(role.ok_or_else(|| SceneError::Role(position.role.clone()))?);
        let state = match &position.place {
            Place::State(facts) => engine.state_of(facts)?,
            Place::Play(moves) => play(engine, moves)?,
        };
        let mut legal = Vec::new();
        if !engine.terminal(&state)? {
            engine.legal(&state, role, &mut legal)?;
        }
        let (Moves::Best(named) | Moves::Avoid(named)) = &position.moves;
        let mut listed = Vec::new();
        for term in named {
            let mv = engine.find_move(role, term).filter(|mv| legal.contains(mv));
            listed.push(mv.ok_or_else(|| SceneError::Illegal(term.clone()))?);
        }
        let (listed, others): (Vec<_>, Vec<_>) =
            legal.into_iter().partition(|mv| listed.contains(mv));
        if listed.is_empty() || others.is_empty() {
            return Err(SceneError::NoQuestion);
        }
        let (right, wrong) = match position.moves {
            Moves::Best(_) => (listed, others),
            Moves::Avoid(_) => (others, listed),
        };
        Ok(Scene {
            state,
            role,
            right,
            wrong,
        })
    }
}

/// The state after these choices from the initial state, and after the forced moves that
/// follow.
fn play(engine: &mut dyn Engine, choices: &[GroundTerm]) -> Result<State, SceneError> {
    let mut state = engine.initial();
    let mut rest = choices;
    let mut moves = Vec::new();
    loop {
        let made = choices.len() - rest.len();
        if engine.terminal(&state)? {
            return match rest {
                [] => Ok(state),
                _ => Err(SceneError::Ended(made)),
            };
        }
        let mut joint = Vec::new();
        for role in (0..engine.roles().len()).map(RoleId) {
            engine.legal(&state, role, &mut moves)?;
            if let [only] = moves[..] {
                joint.push(only);
                continue;
            }
            let name = engine.roles()[role.0].clone();
            let number = choices.len() - rest.len() + 1;
            let Some((term, left)) = rest.split_first() else {
                return match number == made + 1 {
                    true => Ok(state),
                    false => Err(SceneError::Unfinished(name)),
                };
            };
            rest = left;
            let mv = engine.find_move(role, term).filter(|mv| moves.contains(mv));
            joint.push(mv.ok_or_else(|| SceneError::Play {
                number,
                mv: term.clone(),
                role: name,
            })?);
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next)?;
        state = next;
    }
}
