//! What many moves of a state lead to, looked at together and kept until the next ones are.

use game::{Fan, Fans, MoveId, RoleId, State};

/// Looks at many moves together, if there is something that can, and remembers what it saw last.
#[derive(Default)]
pub(crate) struct FanCache {
    fans: Option<Box<dyn Fans>>,
    fan: Fan,
    /// Whether something is foreseen of where they lead to.
    foresees: bool,
    /// Of which moves of which role in which state that is.
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

    /// Looks at what these moves of a role lead to, if that is faster than one by one.
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

    /// The place of a joint move among those that were looked at last, if it was one of them. (Nobody else has a choice
    /// where the moves of one role are.)
    pub fn index_of(&self, state: &State, joint: &[MoveId]) -> Option<usize> {
        let known = !self.moves.is_empty() && self.state == *state;
        let mv = joint.get(self.role).filter(|_| known)?;
        self.moves.iter().position(|other| other == mv)
    }

    /// Where the move of a place leads to, and whether play is over there.
    pub fn get(&self, place: usize) -> (&State, bool) {
        (self.fan.state(place), self.fan.is_over(place))
    }

    /// Who is foreseen to win after the move of a place, and within how many joint moves after it.
    pub fn winner(&self, place: usize) -> Option<(RoleId, u16)> {
        self.fan.outlook(place)?.winner()
    }
}
