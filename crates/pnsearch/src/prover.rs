//! Questions and answers.

use crate::expand::Batch;
use crate::graph::Graph;
use budget::Budget;
use dfpn::{Answer, Numbers, ProofSearch, Subject};
use game::{Engine, EngineError, Fans, MoveId, RoleId, State};

/// Nodes that there is always room for.
const FEW: usize = 1 << 10;

/// Proves what a role can force.
pub struct Prover {
    pub(crate) subject: Subject,
    pub(crate) graph: Graph,
    /// The states generated, and the most allowed.
    pub(crate) states: u64,
    pub(crate) most: u64,
    /// The leaves of a batch, and the paths to them.
    pub(crate) batch: Batch,
    pub(crate) descents: u32,
    pub(crate) batches: u32,
    pub(crate) expansions: u32,
}

impl Prover {
    /// A prover for `role`, in about `memory` bytes.
    ///
    /// `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, memory: usize, missing: u8) -> Prover {
        Prover::about(Subject::new(engine, role, missing), memory)
    }

    /// The same for a subject.
    pub fn about(subject: Subject, memory: usize) -> Prover {
        let words = subject.engine.initial().words().len();
        Prover {
            subject,
            graph: Graph::new(memory, words, FEW),
            states: 0,
            most: 0,
            batch: Batch::default(),
            descents: 0,
            batches: 0,
            expansions: 0,
        }
    }

    /// Evaluates many moves side by side from now on.
    ///
    /// `fans` must use the states of the prover's engine. Answers stay the same.
    pub fn fan_out(&mut self, fans: Box<dyn Fans>) {
        self.subject.fans = Some(fans);
    }

    /// Uses wins that are one move away from now on, without generating the move.
    ///
    /// This needs an evaluator of many moves with outlooks. `sum` is what the results of two
    /// roles add up to in every terminal state.
    pub fn foresee(&mut self, sum: Option<u32>) {
        self.subject.foresee(sum);
    }

    fn answer_to(
        &mut self,
        state: &State,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        if let Some(answer) = self.subject.over(state)? {
            return Ok(answer);
        }
        self.most = self.states.saturating_add(states);
        let mut root = match self.graph.find(state.words(), self.subject.judge.at_least) {
            Some(known) => known,
            None => {
                if !self.graph.has_room(1) {
                    self.graph.collect(0);
                }
                let first = || Numbers { yes: 1, no: 1 };
                self.graph
                    .find_or_insert(state.words(), self.subject.judge.at_least, first)
            }
        };
        let node = &mut self.graph.nodes[root as usize];
        if node.numbers.is_known() || node.numbers == Numbers::CLOSED {
            // The moves that decide it have to be found again.
            (node.numbers, node.count) = (Numbers { yes: 1, no: 1 }, 0);
        }
        root = self.search(root, budget)?;
        let node = &self.graph.nodes[root as usize];
        Ok(self.subject.judge.answer(node.numbers, node.plies))
    }
}

impl ProofSearch for Prover {
    fn role(&self) -> RoleId {
        self.subject.judge.role
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
        self.subject.begin(at_least, budget);
        let answer = self.answer_to(state, states, budget);
        self.subject.end(answer, budget)
    }

    fn after(&mut self, state: &State, joint: &[MoveId]) -> Result<Answer, EngineError> {
        let (next, over) = self.subject.after(state, joint)?;
        self.states += 1;
        if let Some(answer) = over {
            return Ok(answer);
        }
        let known = self.graph.find(next.words(), self.subject.judge.at_least);
        let known = known.map(|at| &self.graph.nodes[at as usize]);
        Ok(known.map_or(Answer::Open, |node| {
            self.subject.judge.answer(node.numbers, node.plies)
        }))
    }
}
