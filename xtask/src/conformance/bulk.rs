//! Bulk expansion as an engine, so that traces can be replayed on it.

use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use lanes::{Ask, Children, Expander, Pair};

/// An engine that plays moves with an [`Expander`]. For the state that it generated last it
/// returns the expander's results. For other states, such as the initial one, it returns those
/// of `inner`, which shares its states and moves.
pub struct Bulk {
    inner: Box<dyn Engine>,
    expander: Expander<4>,
    /// The state generated last; it is the only child.
    made: Option<State>,
    children: Children,
}

impl Bulk {
    pub fn new(inner: Box<dyn Engine>, expander: Expander<4>) -> Bulk {
        Bulk {
            inner,
            expander,
            made: None,
            children: Children::default(),
        }
    }

    fn is_made(&self, state: &State) -> bool {
        self.made.as_ref() == Some(state)
    }
}

impl Engine for Bulk {
    testkit::forward!(inner: roles initial terms);

    fn name(&self) -> &'static str {
        "lanes"
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        match self.is_made(state) {
            true => Ok(self.children.terminal(0)),
            false => self.inner.terminal(state),
        }
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        if !self.is_made(state) {
            return self.inner.legal(state, role, moves);
        }
        moves.clear();
        moves.extend(self.children.legal(0, role.0));
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        let pair = Pair { state, joint };
        let (ask, budget) = (Ask::default(), Budget::system());
        (self.expander).expand(&[pair], ask, &mut self.children, &budget)?;
        *next = State::from_words(self.children.state(0).to_vec());
        self.made = Some(next.clone());
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        // The expander computes goals only for terminal states.
        match self.is_made(state) && self.children.terminal(0) {
            true => Ok(self.children.goals(0)[role.0]),
            false => self.inner.goal(state, role),
        }
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Bulk::new(self.inner.fork(), self.expander.fork()))
    }
}
