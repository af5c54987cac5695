//! Engines that take time on a clock of the test.

use budget::ManualClock;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use std::sync::Arc;
use std::time::Duration;

/// An engine whose transitions take time on a manual clock, so that tests of deadlines repeat.
pub struct Slow {
    engine: Box<dyn Engine>,
    clock: Arc<ManualClock>,
    cost: Duration,
}

impl Slow {
    /// `engine`, with transitions that take `cost` each on `clock`.
    pub fn new(engine: Box<dyn Engine>, clock: Arc<ManualClock>, cost: Duration) -> Slow {
        Slow {
            engine,
            clock,
            cost,
        }
    }
}

impl Engine for Slow {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn roles(&self) -> &[GroundTerm] {
        self.engine.roles()
    }

    fn initial(&self) -> State {
        self.engine.initial()
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        self.engine.terminal(state)
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        self.engine.legal(state, role, moves)
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        self.clock.advance(self.cost);
        self.engine.next(state, joint, next)
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        self.engine.goal(state, role)
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        self.engine.facts(state)
    }

    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError> {
        self.engine.state_of(facts)
    }

    fn move_term(&mut self, role: RoleId, mv: MoveId) -> GroundTerm {
        self.engine.move_term(role, mv)
    }

    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        self.engine.find_move(role, term)
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Slow {
            engine: self.engine.fork(),
            clock: self.clock.clone(),
            cost: self.cost,
        })
    }
}
