//! Questions and answers.

use crate::children::{Child, Family};
use crate::table::Table;
use crate::team::Member;
use crate::{Numbers, ProofSearch, Subject};
use budget::Budget;
use game::{Engine, EngineError, Fans, MoveId, RoleId, State};

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The role can force this result, whatever all others do.
    Yes {
        /// At least the result asked for.
        at_least: u8,
        /// The most joint moves to the end of play if it does.
        plies: u16,
    },
    /// The others together can hold the role to this result.
    No {
        /// Less than the result asked for.
        at_most: u8,
        /// The most joint moves to the end of play if they do.
        plies: u16,
    },
    /// Neither was proved.
    Open,
}

/// The share of memory for states on the current path is 1 / `BESIDE`, but there is always room
/// for `FEW` of them.
const BESIDE: usize = 4;
const FEW: usize = 1 << 12;

/// Proves what a role can force.
pub struct Prover {
    pub(crate) subject: Subject,
    pub(crate) table: Table,
    /// The states generated, the most allowed, and the count at which the budget is checked
    /// next.
    pub(crate) states: u64,
    pub(crate) most: u64,
    pub(crate) due: u64,
    pub(crate) stopped: bool,
    /// Families kept for reuse.
    pub(crate) families: Vec<Family>,
    /// The number of children with memory in these families, and in those on the current path.
    ///
    /// `room` is about the most of both together; beyond it the search goes no deeper.
    pub(crate) kept: usize,
    pub(crate) live: usize,
    pub(crate) room: usize,
    pub(crate) joint: Vec<MoveId>,
    pub(crate) moves: Vec<MoveId>,
    /// If other threads search for the same answer: what is known of them.
    pub(crate) team: Option<Member>,
}

impl Prover {
    /// A prover for `role`, in about `memory` bytes, most of which are the table.
    ///
    /// `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, memory: usize, missing: u8) -> Prover {
        Prover::about(Subject::new(engine, role, missing), memory)
    }

    /// The same for a subject.
    pub fn about(subject: Subject, memory: usize) -> Prover {
        let table = Table::new(memory - memory / BESIDE);
        Prover::beside(subject, table, memory / BESIDE)
    }

    /// Provers for so many threads, in about `memory` bytes together. They share a table: what one
    /// finds out, the others know.
    pub fn several(subject: Subject, memory: usize, threads: usize) -> Vec<Prover> {
        let table = Table::new(memory - memory / BESIDE);
        let beside = memory / BESIDE / threads.max(1);
        let prover = |subject| Prover::beside(subject, table.share(), beside);
        let mut provers: Vec<Prover> = (1..threads).map(|_| prover(subject.fork())).collect();
        provers.push(prover(subject));
        provers
    }

    /// A prover with this table, and so many bytes for states on its path.
    fn beside(subject: Subject, table: Table, bytes: usize) -> Prover {
        let child = size_of::<Child>() + subject.engine.initial().heap();
        Prover {
            subject,
            table,
            kept: 0,
            live: 0,
            room: (bytes / 2 / child).max(FEW),
            states: 0,
            most: 0,
            due: 0,
            stopped: false,
            families: Vec::new(),
            joint: Vec::new(),
            moves: Vec::new(),
            team: None,
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

    fn search(
        &mut self,
        state: &State,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        if let Some(answer) = self.subject.over(state)? {
            return Ok(answer);
        }
        let name = self.table.name(state, self.subject.judge.at_least);
        (self.most, self.due) = (self.states.saturating_add(states), self.states);
        (self.stopped, self.live) = (false, 0);
        if let Some(team) = &mut self.team {
            team.begin();
        }
        let (numbers, plies) = self.descend(state, name, Numbers::CLOSED, 0, budget)?;
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
        let answer = self.search(state, states, budget);
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
