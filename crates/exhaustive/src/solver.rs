//! Questions about the moves of a state.

use crate::answer::{Answer, Interval, Verdict};
use crate::children::Choices;
use crate::search::{Halt, LONGEST, Reading, Search, Sum};
use crate::table::Mode;
use budget::{Budget, Exhausted};
use game::{Engine, EngineError, MoveId, RoleId, State};

/// How far a question is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most own moves to look ahead, the first included.
    pub own_moves: u32,
    /// The most states to visit for one question.
    pub states: u64,
}

impl Default for Limits {
    /// Search to the end of the game, but visit at most a million states.
    fn default() -> Self {
        Limits {
            own_moves: u32::MAX,
            states: 1_000_000,
        }
    }
}

/// The answers to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// One answer for each move, in the order asked.
    pub answers: Vec<Answer>,
    /// Whether a state was met in which the role and others choose at the same time. If not,
    /// the other [`Reading`] has the same answers.
    pub simultaneous: bool,
    /// States visited.
    pub states: u64,
    /// What ran out, if anything did: states ([`Exhausted::Memory`]), memory or time.
    pub exhausted: Option<Exhausted>,
}

/// Solves states of one game for one role.
pub struct Solver<'a> {
    engine: &'a mut dyn Engine,
    role: RoleId,
    limits: Limits,
}

impl<'a> Solver<'a> {
    /// A solver for the results of `role`.
    pub fn new(engine: &'a mut dyn Engine, role: RoleId, limits: Limits) -> Self {
        Solver {
            engine,
            role,
            limits,
        }
    }

    /// For each legal move, whether the role gets at least `value` after it.
    ///
    /// There are no answers in a terminal state, nor where a role has no move.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules. An exhausted budget or limit is no error; it
    /// leaves moves [`Verdict::Unknown`].
    pub fn at_least(
        &mut self,
        state: &State,
        value: u8,
        reading: Reading,
        budget: &Budget,
    ) -> Result<Outcome, EngineError> {
        let mut moves = Vec::new();
        if !self.engine.terminal(state)? {
            self.engine.legal(state, self.role, &mut moves)?;
        }
        self.ask(state, &moves, value, reading, budget)
    }

    /// Like [`Solver::at_least`], for some of the legal moves.
    ///
    /// # Errors
    /// As there.
    pub fn ask(
        &mut self,
        state: &State,
        moves: &[MoveId],
        value: u8,
        reading: Reading,
        budget: &Budget,
    ) -> Result<Outcome, EngineError> {
        let start = |mv: &MoveId| Answer {
            mv: *mv,
            verdict: Verdict::Unknown,
            own_moves: 0,
        };
        let mut outcome = Outcome {
            answers: moves.iter().map(start).collect(),
            simultaneous: false,
            states: 0,
            exhausted: None,
        };
        let Some(choices) = Choices::of(self.engine, state, self.role)? else {
            outcome.answers.clear();
            return Ok(outcome);
        };
        outcome.simultaneous = choices.own.len() > 1 && choices.others.len() > 1;
        let mut search = Search::new(
            self.engine,
            self.role,
            value,
            reading,
            budget,
            self.limits.states,
        );
        let halted = deepen(&mut search, state, &choices, &mut outcome, self.limits);
        outcome.simultaneous |= search.simultaneous;
        outcome.states = search.states;
        match halted {
            Ok(()) => {}
            Err(Halt::Exhausted(why)) => outcome.exhausted = Some(why),
            Err(Halt::Engine(error)) => return Err(error),
        }
        Ok(outcome)
    }

    /// For each legal move, the bounds of the result.
    ///
    /// There are no answers in a terminal state, nor where a role has no move. The limits hold
    /// for each of the questions that this takes.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules.
    pub fn intervals(
        &mut self,
        state: &State,
        budget: &Budget,
    ) -> Result<Vec<Interval>, EngineError> {
        let first = self.at_least(state, 100, Reading::Conceded, budget)?;
        let mut bounds = Vec::new();
        for answer in &first.answers {
            bounds.push(self.interval(state, answer, first.simultaneous, budget)?);
        }
        Ok(bounds)
    }

    /// The interval of one move, given the answer to "at least 100" in the reading where the
    /// role knows most.
    fn interval(
        &mut self,
        state: &State,
        first: &Answer,
        simultaneous: bool,
        budget: &Budget,
    ) -> Result<Interval, EngineError> {
        let (mv, mut verdict, mut simultaneous) = (first.mv, first.verdict, simultaneous);
        let mut bounds = Interval {
            mv,
            lower: 0,
            upper: 100,
        };
        // Ask downwards from above, until the answer is yes.
        while let Verdict::No(upper) = verdict {
            bounds.upper = upper;
            if upper == 0 {
                return Ok(bounds);
            }
            let outcome = self.ask(state, &[mv], upper, Reading::Conceded, budget)?;
            simultaneous |= outcome.simultaneous;
            verdict = outcome
                .answers
                .first()
                .map_or(Verdict::Unknown, |a| a.verdict);
        }
        if let (Verdict::Yes(lower), false) = (verdict, simultaneous) {
            bounds.lower = lower;
            return Ok(bounds);
        }
        // Ask upwards from below, as long as the answer is yes.
        while bounds.lower < bounds.upper {
            let value = bounds.lower + 1;
            let outcome = self.ask(state, &[mv], value, Reading::Guaranteed, budget)?;
            match outcome.answers.first().map(|answer| answer.verdict) {
                Some(Verdict::Yes(lower)) => bounds.lower = lower,
                _ => break,
            }
        }
        Ok(bounds)
    }
}

/// Iterative deepening by one own move at a time, until all is answered.
fn deepen(
    search: &mut Search<'_>,
    state: &State,
    choices: &Choices,
    outcome: &mut Outcome,
    limits: Limits,
) -> Result<(), Halt> {
    // The search does not count a forced move as an own move, but the answers do.
    let chooses = u32::from(choices.own.len() > 1);
    for ahead in 1..=limits.own_moves.min(LONGEST) {
        search.cut = false;
        for answer in &mut outcome.answers {
            for mode in [Mode::Attack, Mode::Defend] {
                if answer.verdict == Verdict::Unknown {
                    let left = ahead - chooses;
                    answer.verdict = after(search, state, choices, answer.mv, mode, left)?;
                    answer.own_moves = ahead;
                }
            }
        }
        let open = |answer: &Answer| answer.verdict == Verdict::Unknown;
        if !search.cut || !outcome.answers.iter().any(open) {
            return Ok(());
        }
    }
    Ok(())
}

/// The verdict on a move, where the others choose and know the move.
fn after(
    search: &mut Search<'_>,
    state: &State,
    choices: &Choices,
    mv: MoveId,
    mode: Mode,
    left: u32,
) -> Result<Verdict, Halt> {
    let Some(own) = choices.own.iter().position(|&legal| legal == mv) else {
        return Ok(Verdict::Unknown);
    };
    let mut sum = Sum::new(false, mode);
    let mut joint = Vec::new();
    let mut next = State::default();
    for others in 0..choices.others.len() {
        choices.joint(search.role, own, others, &mut joint);
        search.engine.next(state, &joint, &mut next)?;
        let verdict = search.value(&next, mode, left, 1)?;
        if sum.add(verdict) {
            return Ok(verdict);
        }
    }
    Ok(sum.verdict())
}
