//! Questions and answers.

use crate::children::{Family, Leaf};
use crate::history::History;
use crate::search::Frame;
use budget::Budget;
use dfpn::{Answer, Judge, Numbers, ProofSearch, Table};
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};

/// Proves what a role can force.
pub struct Prover {
    pub(crate) engine: Box<dyn Engine>,
    /// The evaluator of many moves side by side, and its last result.
    pub(crate) fans: Option<Box<dyn Fans>>,
    pub(crate) fan: Fan,
    /// Whether the evaluator has outlooks.
    pub(crate) foresees: bool,
    pub(crate) judge: Judge,
    pub(crate) roles: usize,
    /// Answers of states that are decided, as numbers of which one is 0.
    pub(crate) table: Table<Numbers>,
    pub(crate) history: History,
    /// The states generated, the most allowed, and the count at which the budget is checked
    /// next.
    pub(crate) states: u64,
    pub(crate) most: u64,
    pub(crate) due: u64,
    /// The states on the current line, the one that was asked about first.
    pub(crate) line: Vec<Frame>,
    /// Families kept for reuse. Children own theirs in boxes, which move to and fro.
    #[allow(clippy::vec_box)]
    pub(crate) families: Vec<Box<Family>>,
    /// States that are expanded together.
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) scratch: Vec<MoveId>,
}

impl Prover {
    /// A prover for `role`, in about `memory` bytes, beside the states on one line.
    ///
    /// `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, memory: usize, missing: u8) -> Prover {
        let roles = engine.roles().len();
        Prover {
            roles,
            engine,
            fans: None,
            fan: Fan::default(),
            foresees: false,
            judge: Judge::new(role, missing),
            table: Table::new(memory),
            history: History::new(roles),
            states: 0,
            most: 0,
            due: 0,
            line: Vec::new(),
            families: Vec::new(),
            leaves: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Evaluates many moves side by side from now on.
    ///
    /// `fans` must use the states of the prover's engine. Answers stay the same.
    pub fn fan_out(&mut self, fans: Box<dyn Fans>) {
        self.fans = Some(fans);
    }

    /// Uses wins that are one move away from now on, without generating the move.
    ///
    /// This needs an evaluator of many moves with outlooks. `sum` is what the results of two
    /// roles add up to in every terminal state.
    pub fn foresee(&mut self, sum: Option<u32>) {
        self.foresees = self.fans.as_mut().is_some_and(|fans| fans.foresee());
        self.judge.sum = sum.filter(|_| self.roles == 2);
    }

    fn answer_to(
        &mut self,
        state: &State,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        if let Some(numbers) = self.judge.end(&mut *self.engine, state, None)? {
            return Ok(self.judge.answer(numbers, 0));
        }
        (self.most, self.due) = (self.states.saturating_add(states), self.states);
        let name = self.table.name(state, self.judge.at_least);
        // `after` looks for the children of this state.
        let (numbers, plies) = self.search(state, name, budget)?;
        Ok(self.judge.answer(numbers, plies))
    }
}

impl ProofSearch for Prover {
    fn role(&self) -> RoleId {
        self.judge.role
    }

    fn states(&self) -> u64 {
        self.states
    }

    fn next_turn(&mut self) {
        self.table.next_turn();
    }

    fn ask(
        &mut self,
        state: &State,
        at_least: u8,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        self.judge.at_least = at_least.min(100);
        self.engine.set_budget(budget);
        let answer = self.answer_to(state, states, budget);
        // What is known is asked later without a limit.
        self.engine.set_budget(&budget.clone().without_deadline());
        match answer {
            Err(EngineError::Exhausted(_)) => Ok(Answer::Open),
            answer => answer,
        }
    }

    fn after(&mut self, state: &State, joint: &[MoveId]) -> Result<Answer, EngineError> {
        let mut next = State::default();
        self.engine.next(state, joint, &mut next)?;
        self.states += 1;
        if let Some(numbers) = self.judge.end(&mut *self.engine, &next, None)? {
            return Ok(self.judge.answer(numbers, 0));
        }
        let known = self.table.get(self.table.name(&next, self.judge.at_least));
        Ok(known.map_or(Answer::Open, |(numbers, plies)| {
            self.judge.answer(numbers, plies)
        }))
    }
}
