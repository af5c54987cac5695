//! The states that all moves of a node lead to, evaluated together.

use game::{Fan, Fans, MoveId, RoleId, State};

/// Evaluates many moves of a state together, if the game has a `Fans`, and keeps the last
/// results.
#[derive(Default)]
pub(crate) struct FanCache {
    fans: Option<Box<dyn Fans>>,
    fan: Fan,
    /// Whether the results have foreseen wins.
    foresees: bool,
    /// The state, the role and the moves that the results are of.
    moves: Vec<MoveId>,
    role: usize,
    state: State,
}

impl FanCache {
    pub fn new(mut fans: Box<dyn Fans>, foresee: bool) -> FanCache {
        FanCache {
            foresees: foresee && fans.foresee(),
            fans: Some(fans),
            ..FanCache::default()
        }
    }

    /// Evaluates these moves of a role, if that is faster than one by one.
    pub fn evaluate(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: usize,
        moves: &[MoveId],
    ) -> bool {
        let (fans, foresees) = (self.fans.as_mut(), self.foresees);
        let Some(fans) = fans.filter(|fans| foresees || moves.len() >= fans.least()) else {
            return false;
        };
        self.moves.clear();
        let seen = fans.fan(state, joint, RoleId(role), moves, &mut self.fan);
        if seen.is_ok() {
            self.moves.extend_from_slice(moves);
            self.role = role;
            self.state.clone_from(state);
        }
        seen.is_ok()
    }

    /// The index of a joint move among those that were evaluated last, if it was one of them. No
    /// other role has a choice there, so that its own moves are enough to compare.
    pub fn index_of(&self, state: &State, joint: &[MoveId]) -> Option<usize> {
        let mv = joint.get(self.role)?;
        let known = !self.moves.is_empty() && self.state == *state;
        let mut moves = self.moves.iter().filter(|_| known);
        moves.position(|other| other == mv)
    }

    /// The state after the move at an index, and whether it is terminal.
    pub fn get(&self, index: usize) -> (&State, bool) {
        (self.fan.state(index), self.fan.is_over(index))
    }

    /// The role that is foreseen to win after the move at an index, and within how many plies.
    pub fn winner(&self, index: usize) -> Option<(RoleId, u16)> {
        self.fan.outlook(index)?.winner()
    }
}
