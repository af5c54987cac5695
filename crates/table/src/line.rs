//! The line of play at a table: every position so far, and what can be played in the last one.

use crate::game::Game;
use budget::Budget;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use show::Scene;
use std::time::Duration;

/// The most time for one question to the rules.
const PATIENCE: Duration = Duration::from_secs(5);

/// The line of play.
pub(crate) struct Line {
    engine: Box<dyn Engine>,
    states: Vec<State>,
    /// The joint moves between the states.
    moves: Vec<Vec<GroundTerm>>,
    /// For each joint move, whether each role had a choice.
    choices: Vec<Vec<bool>>,
    /// The legal moves of each role in the last state; none if play is over.
    legal: Vec<Vec<(MoveId, GroundTerm)>>,
    end: Option<End>,
}

/// Why play is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// The rules say so, with a result for each role, if there is one.
    Results(Vec<Option<u8>>),
    /// The rules cannot be evaluated any further, or give a role no move.
    Broken(String),
}

impl Line {
    /// The line without any move.
    pub fn new(game: &Game) -> Line {
        let engine = game.playable().engine;
        let mut line = Line {
            states: vec![engine.initial()],
            moves: Vec::new(),
            choices: Vec::new(),
            legal: Vec::new(),
            end: None,
            engine,
        };
        line.look();
        line
    }

    /// The number of joint moves.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The last state.
    pub fn state(&self) -> &State {
        &self.states[self.moves.len()]
    }

    /// The joint moves.
    pub fn moves(&self) -> &[Vec<GroundTerm>] {
        &self.moves
    }

    /// The legal moves of a role in the last state.
    pub fn legal(&self, role: usize) -> &[(MoveId, GroundTerm)] {
        self.legal.get(role).map_or(&[], Vec::as_slice)
    }

    /// Why play is over; `None` if it is not.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The last state before which one of these roles had a choice, as a number of joint moves.
    pub fn last_choice(&self, roles: &dyn Fn(usize) -> bool) -> Option<usize> {
        let chose = |choices: &Vec<bool>| {
            let mut all = choices.iter().enumerate();
            all.any(|(role, &choice)| choice && roles(role))
        };
        self.choices.iter().rposition(chose)
    }

    /// The facts of a state.
    pub fn facts(&mut self, ply: usize) -> Vec<GroundTerm> {
        self.engine.facts(&self.states[ply])
    }

    /// A state as it is drawn.
    pub fn scene(&mut self, game: &Game, ply: usize) -> Scene {
        game.scene(&mut *self.engine, &self.states[ply])
    }

    /// The last state after a role's move, the others playing any move, as it is drawn.
    pub fn try_out(&mut self, game: &Game, role: usize, at: usize) -> Option<Scene> {
        self.prepare();
        let mut joint: Vec<MoveId> = Vec::new();
        for (other, legal) in self.legal.iter().enumerate() {
            let at = if other == role { at } else { 0 };
            joint.push(legal.get(at)?.0);
        }
        let mut next = State::default();
        self.engine
            .next(&self.states[self.moves.len()], &joint, &mut next)
            .ok()?;
        Some(game.scene(&mut *self.engine, &next))
    }

    /// The state after a line of expected decisions, as it is drawn. Roles of whom nothing is
    /// expected play their first move. Ends at the first decision that cannot be played.
    pub fn follow(&mut self, game: &Game, expected: &[(RoleId, GroundTerm)]) -> Option<Scene> {
        /// The most forced moves between two decisions.
        const FORCED: usize = 50;
        self.prepare();
        let mut state = self.state().clone();
        let (mut rest, mut forced) = (expected, 0);
        while !rest.is_empty() && !self.engine.terminal(&state).ok()? {
            let (mut joint, mut moves) = (Vec::new(), Vec::new());
            let (left, mut choice) = (rest.len(), false);
            for role in (0..self.engine.roles().len()).map(RoleId) {
                self.engine.legal(&state, role, &mut moves).ok()?;
                choice |= moves.len() > 1;
                let own = rest.first().filter(|(whose, _)| *whose == role);
                let own = own.and_then(|(_, term)| self.engine.find_move(role, term));
                let own = own.filter(|mv| moves.len() > 1 && moves.contains(mv));
                rest = &rest[usize::from(own.is_some())..];
                joint.push(own.or(moves.first().copied())?);
            }
            forced = if rest.len() == left { forced + 1 } else { 0 };
            if choice && forced > 0 || forced > FORCED {
                break;
            }
            let mut next = State::default();
            self.engine.next(&state, &joint, &mut next).ok()?;
            state = next;
        }
        Some(game.scene(&mut *self.engine, &state))
    }

    /// Plays a joint move, given by positions in the lists of legal moves.
    ///
    /// # Errors
    /// If the rules cannot be evaluated.
    pub fn play(&mut self, joint: &[usize]) -> Result<(), EngineError> {
        self.prepare();
        let chosen = joint.iter().zip(&self.legal).map(|(&at, legal)| &legal[at]);
        let (ids, terms): (Vec<MoveId>, Vec<GroundTerm>) = chosen.cloned().unzip();
        let mut next = State::default();
        self.engine
            .next(&self.states[self.moves.len()], &ids, &mut next)?;
        self.choices
            .push(self.legal.iter().map(|legal| legal.len() > 1).collect());
        self.moves.push(terms);
        self.states.push(next);
        self.look();
        Ok(())
    }

    /// Plays a joint move, given as terms.
    ///
    /// # Errors
    /// A message that names the first move that is not legal.
    pub fn replay(&mut self, joint: &[GroundTerm]) -> Result<(), String> {
        if joint.len() != self.legal.len() {
            return Err(match self.end {
                Some(_) => "there are moves after the end of play".to_owned(),
                None => format!(
                    "there are {} moves for {} roles",
                    joint.len(),
                    self.legal.len()
                ),
            });
        }
        let position = |(legal, term): (&Vec<(MoveId, GroundTerm)>, &GroundTerm)| {
            let exact = legal.iter().position(|(_, other)| other == term);
            let found = exact.or_else(|| {
                legal
                    .iter()
                    .position(|(_, other)| other.eq_ignore_case(term))
            });
            found.ok_or_else(|| format!("move {}: {term} is not legal", self.moves.len() + 1))
        };
        let joint: Result<Vec<usize>, String> =
            self.legal.iter().zip(joint).map(position).collect();
        self.play(&joint?).map_err(|error| error.to_string())
    }

    /// Goes back to the state after so many joint moves.
    pub fn back(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.choices.truncate(plies);
        self.states.truncate(plies + 1);
        self.look();
    }

    /// Gives the engine its time for the next question.
    fn prepare(&mut self) {
        self.engine
            .set_budget(&Budget::system().with_timeout(PATIENCE));
    }

    /// Finds out whether the last state is the end, and what is legal there.
    fn look(&mut self) {
        self.prepare();
        self.legal.clear();
        self.end = self
            .found()
            .unwrap_or_else(|error| Some(End::Broken(error.to_string())));
        if self.end.is_some() {
            self.legal.clear();
        }
    }

    fn found(&mut self) -> Result<Option<End>, EngineError> {
        let state = &self.states[self.moves.len()];
        let roles = self.engine.roles().len();
        if self.engine.terminal(state)? {
            let goals = (0..roles).map(|role| self.engine.goal(state, RoleId(role)));
            return goals
                .collect::<Result<_, _>>()
                .map(|goals| Some(End::Results(goals)));
        }
        let mut moves = Vec::new();
        for role in (0..roles).map(RoleId) {
            self.engine.legal(state, role, &mut moves)?;
            if moves.is_empty() {
                let name = &self.engine.roles()[role.0];
                return Ok(Some(End::Broken(format!("{name} has no legal move"))));
            }
            let term = |&mv: &MoveId| (mv, self.engine.move_term(role, mv));
            self.legal.push(moves.iter().map(term).collect());
        }
        Ok(None)
    }
}
