//! What a proof search is about: a game, and a role in it.

use crate::{Answer, Guide, Judge, Numbers};
use budget::Budget;
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};
use heuristics::Value;

/// How many siblings a leaf counts for in searches that plunge.
const DEEP: u32 = 4;

/// A game and the role that questions are about, with what evaluates states.
///
/// All proof searches of this project have one.
pub struct Subject {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// The number of roles.
    pub roles: usize,
    /// The evaluator of many moves side by side, and its last result.
    pub fans: Option<Box<dyn Fans>>,
    /// The result of that evaluator.
    pub fan: Fan,
    /// Whether the evaluator has outlooks.
    pub foresees: bool,
    /// What ends of play answer.
    pub judge: Judge,
    /// What states are worth, if that is known: a guide to the work that their proofs take.
    pub guide: Option<Guide>,
    /// Whether proof numbers lead deep before they lead wide ([`Subject::plunge`]).
    pub plunges: bool,
    /// Memory for lists of moves.
    pub scratch: Vec<MoveId>,
}

impl Subject {
    /// A game and a role. `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, missing: u8) -> Subject {
        Subject {
            roles: engine.roles().len(),
            engine,
            fans: None,
            fan: Fan::default(),
            foresees: false,
            guide: None,
            plunges: false,
            judge: Judge::new(role, missing),
            scratch: Vec::new(),
        }
    }

    /// The same for another thread.
    pub fn fork(&self) -> Subject {
        let mut fans = self.fans.as_ref().map(|fans| fans.fork());
        let foresees = self.foresees && fans.as_mut().is_some_and(|fans| fans.foresee());
        Subject {
            engine: self.engine.fork(),
            roles: self.roles,
            fans,
            fan: Fan::default(),
            foresees,
            guide: self.guide.clone(),
            plunges: self.plunges,
            judge: self.judge.clone(),
            scratch: Vec::new(),
        }
    }

    /// Uses wins that are one move away from now on, if the evaluator of many moves has outlooks.
    /// `sum` is what the results of two roles add up to in every terminal state.
    pub fn foresee(&mut self, sum: Option<u32>) {
        self.foresees = self.fans.as_mut().is_some_and(|fans| fans.foresee());
        self.judge.sum = sum.filter(|_| self.roles == 2);
    }

    /// Searches first where states are worth proving, by a value of the engine's states.
    ///
    /// Without effect if their bits are no facts.
    pub fn guide(&mut self, value: &Value) {
        self.guide = self.engine.is_plain().then(|| value.clone().into());
    }

    /// Goes deep before it goes wide: beside a leaf, open siblings count little, so that a state
    /// looks easier to prove once it is expanded. Suits games that have to be counted out to the
    /// end of play.
    pub fn plunge(&mut self) {
        self.plunges = true;
    }

    /// In searches by proof numbers: what an open sibling adds to a number.
    pub fn sibling(&self) -> u32 {
        match (&self.guide, self.plunges) {
            (Some(_), false) => 2,
            _ => 1,
        }
    }

    /// In searches by proof numbers: the numbers of a leaf, from those that count its moves.
    pub fn leaf(&mut self, state: &State, moves: Numbers) -> Numbers {
        match (&mut self.guide, self.plunges) {
            (Some(guide), _) => guide.numbers(state, self.judge.role, moves),
            (None, true) => moves.times(DEEP),
            (None, false) => moves,
        }
    }

    /// Begins a question: the engine heeds the budget from now on.
    pub fn begin(&mut self, at_least: u8, budget: &Budget) {
        self.judge.begin(at_least);
        self.engine.set_budget(budget);
    }

    /// Ends a question. An engine that ran out of time leaves it open.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules.
    pub fn end(
        &mut self,
        answer: Result<Answer, EngineError>,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        // What is known is asked later without a limit.
        self.engine.set_budget(&budget.clone().without_deadline());
        match answer {
            Err(EngineError::Exhausted(_)) => Ok(Answer::Open),
            answer => answer,
        }
    }

    /// The answer if the state is terminal.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules.
    pub fn over(&mut self, state: &State) -> Result<Option<Answer>, EngineError> {
        let numbers = self.judge.end(&mut *self.engine, state, None)?;
        Ok(numbers.map(|numbers| self.judge.answer(numbers, 0)))
    }

    /// The state after a joint move, and the answer if it is terminal.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules.
    pub fn after(
        &mut self,
        state: &State,
        joint: &[MoveId],
    ) -> Result<(State, Option<Answer>), EngineError> {
        let mut next = State::default();
        self.engine.next(state, joint, &mut next)?;
        let over = self.over(&next)?;
        Ok((next, over))
    }
}
