//! Questions and answers.

use crate::children::{Family, Leaf};
use crate::history::History;
use crate::search::Frame;
use budget::Budget;
use dfpn::{Answer, ProofSearch, Subject, Table};
use game::{Engine, EngineError, Fans, MoveId, RoleId, State};

/// Proves what a role can force.
pub struct Prover {
    pub(crate) subject: Subject,
    /// Answers of states that are decided, as numbers of which one is 0.
    pub(crate) table: Table,
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
}

impl Prover {
    /// A prover for `role`, in about `memory` bytes, beside the states on one line.
    ///
    /// `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, memory: usize, missing: u8) -> Prover {
        Prover::about(Subject::new(engine, role, missing), memory)
    }

    /// The same for a subject.
    pub fn about(subject: Subject, memory: usize) -> Prover {
        Prover::with_table(subject, Table::new(memory))
    }

    /// Provers for so many threads, in about `memory` bytes together, beside the states on one
    /// line of each. They share a table: what one proves, the others know.
    pub fn several(subject: Subject, memory: usize, threads: usize) -> Vec<Prover> {
        let table = Table::new(memory);
        let prover = |subject| Prover::with_table(subject, table.share());
        let mut provers: Vec<Prover> = (1..threads).map(|_| prover(subject.fork())).collect();
        provers.push(prover(subject));
        provers
    }

    fn with_table(subject: Subject, table: Table) -> Prover {
        let roles = subject.roles;
        Prover {
            subject,
            table,
            history: History::new(roles),
            states: 0,
            most: 0,
            due: 0,
            line: Vec::new(),
            families: Vec::new(),
            leaves: Vec::new(),
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
        (self.most, self.due) = (self.states.saturating_add(states), self.states);
        let name = self.table.name(state, self.subject.judge.at_least);
        let (numbers, plies) = self.search(state, name, budget)?;
        Ok(self.subject.judge.answer(numbers, plies))
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
        self.table.next_turn();
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
        let known = self
            .table
            .get(self.table.name(&next, self.subject.judge.at_least));
        Ok(known.map_or(Answer::Open, |(numbers, plies)| {
            self.subject.judge.answer(numbers, plies)
        }))
    }
}
