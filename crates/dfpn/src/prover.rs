//! Questions and answers.

use crate::children::{Child, Family};
use crate::table::{Numbers, Table};
use budget::Budget;
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};

/// What is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The role can force that much, whatever all others do.
    Yes {
        /// No less than was asked for.
        at_least: u8,
        /// Joint moves to the end of play if it does, at most.
        plies: u16,
    },
    /// The others together can hold it to that much.
    No {
        /// Less than was asked for.
        at_most: u8,
        /// Joint moves to the end of play if they do, at most.
        plies: u16,
    },
    /// Neither was proved.
    Open,
}

/// The results that were seen where play ended, of those that answer a question in one way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    /// The least that is enough.
    pub least: u8,
    /// The most that is not.
    pub most: u8,
}

/// The part of the memory that is for states on the way, and how many there are room for in any case.
const BESIDE: usize = 4;
const FEW: usize = 1 << 12;

/// Proves what a role can force.
pub struct Prover {
    pub(crate) engine: Box<dyn Engine>,
    /// What looks at many moves together, and what it said last.
    pub(crate) fans: Option<Box<dyn Fans>>,
    pub(crate) fan: Fan,
    /// Whether it foresees something.
    pub(crate) foresees: bool,
    /// What the results of two roles add up to, if that is known.
    pub(crate) sum: Option<u32>,
    pub(crate) role: RoleId,
    pub(crate) roles: usize,
    /// The result where the rules define none.
    pub(crate) missing: u8,
    pub(crate) table: Table,
    /// For each question, 0 to 100.
    pub(crate) ends: Box<[Ends]>,
    /// What is asked for now.
    pub(crate) at_least: u8,
    /// States made, how many may be, and when the time is to be looked at.
    pub(crate) states: u64,
    pub(crate) most: u64,
    pub(crate) due: u64,
    pub(crate) stopped: bool,
    /// Not in use, to be used again.
    pub(crate) families: Vec<Family>,
    /// Children that there is memory for in these, and in those on the way to where it looks; and how many there may be
    /// of both, about, before it looks no deeper.
    pub(crate) kept: usize,
    pub(crate) live: usize,
    pub(crate) room: usize,
    pub(crate) scratch: Vec<MoveId>,
    pub(crate) joint: Vec<MoveId>,
    pub(crate) moves: Vec<MoveId>,
}

impl Prover {
    /// One that looks at the game of `engine` with the eyes of `role`, in about `memory` bytes, most of which are the
    /// table. `missing` is the result where the rules define none.
    pub fn new(engine: Box<dyn Engine>, role: RoleId, memory: usize, missing: u8) -> Prover {
        let ends = Ends {
            least: 100,
            most: 0,
        };
        let child = size_of::<Child>() + engine.initial().heap();
        Prover {
            roles: engine.roles().len(),
            engine,
            fans: None,
            fan: Fan::default(),
            foresees: false,
            sum: None,
            role,
            missing,
            table: Table::new(memory - memory / BESIDE),
            kept: 0,
            live: 0,
            room: (memory / BESIDE / 2 / child).max(FEW),
            ends: vec![ends; 101].into(),
            at_least: 0,
            states: 0,
            most: 0,
            due: 0,
            stopped: false,
            families: Vec::new(),
            scratch: Vec::new(),
            joint: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Looks at many moves together, from now on, as this does, which has to know the states of its engine. What it finds
    /// is the same.
    pub fn fan_out(&mut self, fans: Box<dyn Fans>) {
        self.fans = Some(fans);
    }

    /// From now on makes use of wins that are a move away, before that is made, if it looks at many moves together and these
    /// are foreseen. The results of two roles add up to `sum`, where they do wherever play ends.
    pub fn foresee(&mut self, sum: Option<u32>) {
        self.foresees = self.fans.as_mut().is_some_and(|fans| fans.foresee());
        self.sum = sum.filter(|_| self.roles == 2);
    }

    /// The role that it is about.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// States made by all questions so far.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// What was found out so far may be forgotten before what is found out from now on.
    pub fn next_turn(&mut self) {
        self.table.next_turn();
    }

    /// Whether the role gets at least `at_least`, 0 to 100, from `state` on, by looking at about `states` states
    /// more, or fewer if the budget ends. Asked again, it goes on where it was.
    ///
    /// If there is an answer, [`Prover::after`] has it for the moves that decide it, then, unless so much was looked
    /// at that some of it was forgotten.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules. That the budget ends is none.
    pub fn ask(
        &mut self,
        state: &State,
        at_least: u8,
        states: u64,
        budget: &Budget,
    ) -> Result<Answer, EngineError> {
        self.at_least = at_least.min(100);
        if let Some(numbers) = self.end(state, None)? {
            return Ok(self.answer(numbers, 0));
        }
        let name = self.table.name(state, self.at_least);
        (self.most, self.due) = (self.states.saturating_add(states), self.states);
        (self.stopped, self.live) = (false, 0);
        let (numbers, plies) = self.descend(state, name, Numbers::CLOSED, 0, budget)?;
        Ok(self.answer(numbers, plies))
    }

    /// What is known of the last question where `joint` leads to from `state`, without a further look.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules.
    pub fn after(&mut self, state: &State, joint: &[MoveId]) -> Result<Answer, EngineError> {
        let mut next = State::default();
        self.engine.next(state, joint, &mut next)?;
        self.states += 1;
        if let Some(numbers) = self.end(&next, None)? {
            return Ok(self.answer(numbers, 0));
        }
        let known = self.table.get(self.table.name(&next, self.at_least));
        Ok(known.map_or(Answer::Open, |(numbers, plies)| self.answer(numbers, plies)))
    }

    fn answer(&self, numbers: Numbers, plies: u16) -> Answer {
        let ends = self.ends[usize::from(self.at_least)];
        match numbers {
            Numbers { yes: 0, .. } => Answer::Yes {
                at_least: ends.least.max(self.at_least),
                plies,
            },
            Numbers { no: 0, .. } => Answer::No {
                at_most: ends.most.min(self.at_least.saturating_sub(1)),
                plies,
            },
            _ => Answer::Open,
        }
    }
}
