//! Who chooses in a state.

use game::{Engine, EngineError, MoveId, RoleId, State};

/// The role that chooses in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chooser {
    /// No role: every role has a single move.
    Nobody,
    /// One role, among this many moves.
    One(usize, usize),
    /// Several at once, or a role has no move: nothing is proved here.
    Unclear,
}

impl Chooser {
    /// The role that chooses, given the number of moves of each role.
    pub fn among(counts: &[u32]) -> Chooser {
        let mut choosing = (0..).zip(counts).filter(|(_, count)| **count != 1);
        match (choosing.next(), choosing.next()) {
            (None, _) => Chooser::Nobody,
            (Some((role, &count)), None) if count > 0 => Chooser::One(role, count as usize),
            _ => Chooser::Unclear,
        }
    }
}

/// The role that chooses in a state. `joint` becomes the joint move of everyone's first move, and
/// `moves` those of the choosing role; `scratch` is memory that is reused.
///
/// # Errors
/// If the engine could not evaluate the rules.
pub fn find_chooser(
    engine: &mut dyn Engine,
    state: &State,
    joint: &mut Vec<MoveId>,
    moves: &mut Vec<MoveId>,
    scratch: &mut Vec<MoveId>,
) -> Result<Chooser, EngineError> {
    joint.clear();
    let mut found = Chooser::Nobody;
    for role in 0..engine.roles().len() {
        engine.legal(state, RoleId(role), scratch)?;
        match (scratch.len(), &found) {
            (1, _) => {}
            (0, _) | (_, Chooser::One(..)) => return Ok(Chooser::Unclear),
            (count, _) => {
                std::mem::swap(scratch, moves);
                found = Chooser::One(role, count);
                joint.push(moves[0]);
                continue;
            }
        }
        joint.push(scratch[0]);
    }
    Ok(found)
}
