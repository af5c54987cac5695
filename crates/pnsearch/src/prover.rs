//! Questions and answers.

use crate::expand::Batch;
use crate::graph::Graph;
use budget::Budget;
use dfpn::{Answer, Judge, Numbers, ProofSearch};
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};

/// Nodes that there is always room for.
const FEW: usize = 1 << 10;

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
    pub(crate) graph: Graph,
    /// The states generated, and the most allowed.
    pub(crate) states: u64,
    pub(crate) most: u64,
    /// The leaves of a batch, and the paths to them.
    pub(crate) batch: Batch,
    pub(crate) descents: u32,
    pub(crate) batches: u32,
    pub(crate) expansions: u32,
    pub(crate) scratch: Vec<MoveId>,
}

impl Prover {
    /// A prover for `role`, in about `memory` bytes.
    ///
    /// `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, memory: usize, missing: u8) -> Prover {
        let words = engine.initial().words().len();
        Prover {
            roles: engine.roles().len(),
            engine,
            fans: None,
            fan: Fan::default(),
            foresees: false,
            judge: Judge::new(role, missing),
            graph: Graph::new(memory, words, FEW),
            states: 0,
            most: 0,
            batch: Batch::default(),
            descents: 0,
            batches: 0,
            expansions: 0,
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
        self.most = self.states.saturating_add(states);
        let mut root = match self.graph.find(state.words(), self.judge.at_least) {
            Some(known) => known,
            None => {
                if !self.graph.has_room(1) {
                    self.graph.collect(0);
                }
                let first = || Numbers { yes: 1, no: 1 };
                self.graph
                    .find_or_insert(state.words(), self.judge.at_least, first)
            }
        };
        let node = &mut self.graph.nodes[root as usize];
        if node.numbers.is_known() || node.numbers == Numbers::CLOSED {
            // The moves that decide it have to be found again.
            (node.numbers, node.count) = (Numbers { yes: 1, no: 1 }, 0);
        }
        root = self.search(root, budget)?;
        let node = &self.graph.nodes[root as usize];
        Ok(self.judge.answer(node.numbers, node.plies))
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
        self.graph.turn = self.graph.turn.wrapping_add(1);
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
        let known = self.graph.find(next.words(), self.judge.at_least);
        let known = known.map(|at| &self.graph.nodes[at as usize]);
        Ok(known.map_or(Answer::Open, |node| {
            self.judge.answer(node.numbers, node.plies)
        }))
    }
}
