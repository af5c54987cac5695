//! The possible moves of the others, and their last moves.

use crate::habits::Stage;
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};

/// The most joint moves that are tried to find the others' moves.
const MOST_JOINTS: usize = 1000;

/// The moves of a role and of the other one, and that other role. `None` unless there are two
/// roles and both have a choice.
pub(crate) fn stage(
    engine: &mut dyn Engine,
    role: RoleId,
    state: &State,
) -> Option<(Stage, RoleId)> {
    if engine.roles().len() != 2 {
        return None;
    }
    let other = RoleId(1 - role.0);
    let mut moves = |role| {
        let mut moves = Vec::new();
        let legal = engine.legal(state, role, &mut moves);
        (legal.is_ok() && moves.len() > 1).then_some(moves)
    };
    let (own, theirs) = (moves(role)?, moves(other)?);
    Some((Stage { own, other: theirs }, other))
}

/// The joint move that led from one state to another, given a role's own move.
///
/// `None` if several did, if there are too many to try, or if the budget ends.
pub(crate) fn joint(
    engine: &mut dyn Engine,
    role: RoleId,
    before: &State,
    own: MoveId,
    after: &State,
    budget: &Budget,
) -> Option<Vec<MoveId>> {
    let mut joints = vec![Vec::new()];
    for other in 0..engine.roles().len() {
        let mut moves = vec![own];
        if other != role.0 {
            engine.legal(before, RoleId(other), &mut moves).ok()?;
        }
        let longer = |joint: &Vec<MoveId>| {
            let longer = |&mv| [&joint[..], &[mv]].concat();
            moves.iter().map(longer).collect::<Vec<_>>()
        };
        joints = joints.iter().flat_map(longer).collect();
        if joints.len() > MOST_JOINTS {
            return None;
        }
    }
    let mut next = State::default();
    let mut found = None;
    for joint in joints {
        budget.check().ok()?;
        engine.next(before, &joint, &mut next).ok()?;
        if next == *after && found.replace(joint).is_some() {
            return None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use testkit::toys::Matrix;

    #[test]
    fn joint_moves_are_found_from_the_next_state() {
        let mut game = Matrix::new(2, 3, 2, |_, _| Some(50));
        let budget = Budget::system();
        let (before, mut after) = (game.initial(), State::default());
        let made = [MoveId(1), MoveId(2)];
        game.next(&before, &made, &mut after).expect("it plays");
        let mut found =
            |budget: &Budget| joint(&mut game, RoleId(0), &before, made[0], &after, budget);
        assert_eq!(found(&budget), Some(made.to_vec()));
        assert_eq!(found(&budget.with_timeout(Duration::ZERO)), None);
    }
}
