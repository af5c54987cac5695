//! An engine that plays from the table.

use crate::StateGraph;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use std::sync::Arc;

/// An engine that looks everything up. Its states are numbers of states in the table.
pub struct TableEngine {
    graph: Arc<StateGraph>,
    /// The engine that converts facts and moves to terms and back.
    inner: Box<dyn Engine>,
}

impl TableEngine {
    /// Creates an engine for the game of `inner`, whose states are in `graph`.
    pub fn new(graph: Arc<StateGraph>, inner: Box<dyn Engine>) -> Self {
        TableEngine { graph, inner }
    }

    fn number(&self, state: &State) -> Result<usize, EngineError> {
        match state.words() {
            [number] if (*number as usize) < self.graph.len() => Ok(*number as usize),
            _ => Err(EngineError::Rules("the state is of another engine".into())),
        }
    }

    fn check_role(&self, role: RoleId) -> Result<usize, EngineError> {
        if role.0 < self.graph.roles {
            Ok(role.0)
        } else {
            let number = role.0;
            let text = format!("there is no role number {number}");
            Err(EngineError::Rules(text))
        }
    }
}

fn state(number: u32) -> State {
    State::from_words(vec![number.into()])
}

impl Engine for TableEngine {
    fn name(&self) -> &'static str {
        "table"
    }

    fn roles(&self) -> &[GroundTerm] {
        self.inner.roles()
    }

    fn initial(&self) -> State {
        state(0)
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        Ok(self.graph.nodes[self.number(state)?].terminal)
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        let role = self.check_role(role)?;
        let legal = self.graph.legal(self.number(state)?, role);
        moves.clear();
        moves.extend_from_slice(legal);
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        let (given, roles) = (joint.len(), self.graph.roles);
        if given != roles {
            let text = format!("{given} moves for {roles} roles");
            return Err(EngineError::Rules(text));
        }
        let to = self.graph.next(self.number(state)?, joint);
        let to = to.ok_or_else(|| EngineError::Rules("the joint move is not legal".into()))?;
        next.words_mut().clear();
        next.words_mut().push(to.into());
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        let role = self.check_role(role)?;
        let number = self.number(state)?;
        Ok(self.graph.goals[number * self.graph.roles + role])
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        match self.number(state) {
            Ok(number) => self.inner.facts(&self.graph.states[number]),
            Err(_) => Vec::new(),
        }
    }

    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError> {
        let known = self.inner.state_of(facts)?;
        match self.graph.numbers.get(&known) {
            Some(&number) => Ok(state(number)),
            None => Err(EngineError::Rules("play does not reach this state".into())),
        }
    }

    fn move_term(&mut self, role: RoleId, mv: MoveId) -> GroundTerm {
        self.inner.move_term(role, mv)
    }

    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        self.inner.find_move(role, term)
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(TableEngine {
            graph: self.graph.clone(),
            inner: self.inner.fork(),
        })
    }
}
