//! The joint moves of a state, split into those of the role and of the others.

use game::{Engine, EngineError, MoveId, RoleId, State};

/// The moves of a state, seen from one role.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// The moves of the role.
    pub own: Vec<MoveId>,
    /// The joint moves of the others, each with one move for each of them in order.
    pub others: Vec<Vec<MoveId>>,
}

/// The most joint moves of the others. A state with more is not searched.
const MOST: usize = 1 << 14;

impl Choices {
    /// The choices in a state that is not terminal. `None` if a role has no move, or the others
    /// have too many joint moves.
    pub fn of(
        engine: &mut dyn Engine,
        state: &State,
        role: RoleId,
    ) -> Result<Option<Choices>, EngineError> {
        let mut choices = Choices {
            own: Vec::new(),
            others: vec![Vec::new()],
        };
        let mut moves = Vec::new();
        for other in (0..engine.roles().len()).map(RoleId) {
            if other == role {
                engine.legal(state, role, &mut choices.own)?;
                continue;
            }
            engine.legal(state, other, &mut moves)?;
            if choices.others.len().saturating_mul(moves.len()) > MOST {
                return Ok(None);
            }
            if let [only] = moves[..] {
                choices.others.iter_mut().for_each(|joint| joint.push(only));
                continue;
            }
            let longer = |joint: &Vec<MoveId>| {
                let joint = joint.clone();
                moves.clone().into_iter().map(move |mv| {
                    let mut longer = joint.clone();
                    longer.push(mv);
                    longer
                })
            };
            choices.others = choices.others.iter().flat_map(longer).collect();
        }
        let some = !choices.own.is_empty() && !choices.others.is_empty();
        Ok(some.then_some(choices))
    }

    /// The joint move at these positions, one move for each role in order.
    pub fn joint(&self, role: RoleId, own: usize, others: usize, joint: &mut Vec<MoveId>) {
        joint.clear();
        joint.extend_from_slice(&self.others[others]);
        joint.insert(role.0, self.own[own]);
    }
}
