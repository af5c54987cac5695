//! Hand-written engines for tests of search and players.
//!
//! The games are small enough that the right move is known. They contain no GDL code that could
//! share a bug.

use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};

/// Take-away: the roles take turns to take tokens from a table, and the role that takes the
/// last one wins.
///
/// The words of a state are the number of tokens left and the role to move. Move 0 is `noop`,
/// move `n` is `(take n)`. With one role it is a puzzle that cannot be lost.
#[derive(Debug, Clone)]
pub struct TakeAway {
    roles: Vec<GroundTerm>,
    tokens: u64,
    most: u64,
}

impl TakeAway {
    /// Creates a game of `roles` roles that begins with `tokens` tokens. A move takes 1 to
    /// `most` of them.
    pub fn new(roles: usize, tokens: u64, most: u64) -> Self {
        TakeAway {
            roles: names(roles),
            tokens,
            most,
        }
    }

    /// The state with `tokens` tokens left and `turn` to move.
    pub fn state(&self, tokens: u64, turn: RoleId) -> State {
        State::from_words(vec![tokens, turn.0 as u64])
    }
}

impl Engine for TakeAway {
    fn name(&self) -> &'static str {
        "take-away"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.state(self.tokens, RoleId(0))
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        Ok(state.words()[0] == 0)
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        moves.clear();
        let (tokens, turn) = (state.words()[0], state.words()[1]);
        if tokens == 0 {
            return Ok(());
        }
        if turn == role.0 as u64 {
            moves.extend((1..=self.most.min(tokens)).map(|n| MoveId(n as u32)));
        } else {
            moves.push(MoveId(0));
        }
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        let taken: u64 = joint.iter().map(|mv| u64::from(mv.0)).sum();
        let turn = (state.words()[1] + 1) % self.roles.len() as u64;
        next.words_mut().clear();
        next.words_mut()
            .extend([state.words()[0].saturating_sub(taken), turn]);
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        let last = (state.words()[1] + self.roles.len() as u64 - 1) % self.roles.len() as u64;
        Ok(Some(if last == role.0 as u64 { 100 } else { 0 }))
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        let turn = &self.roles[state.words()[1] as usize];
        vec![
            compound("control", vec![turn.clone()]),
            compound("tokens", vec![number(state.words()[0])]),
        ]
    }

    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError> {
        for turn in 0..self.roles.len() {
            for tokens in 0..=self.tokens {
                let state = self.state(tokens, RoleId(turn));
                if self.facts(&state) == facts {
                    return Ok(state);
                }
            }
        }
        Err(EngineError::Rules("no such state".into()))
    }

    fn move_term(&mut self, _role: RoleId, mv: MoveId) -> GroundTerm {
        match mv.0 {
            0 => GroundTerm::constant("noop"),
            n => compound("take", vec![number(u64::from(n))]),
        }
    }

    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        (0..=self.most)
            .map(|n| MoveId(n as u32))
            .find(|&mv| self.move_term(role, mv) == *term)
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

/// A matrix game: every role chooses, all at once or in turn, once or several times, and a
/// table defines the goals.
///
/// The words of a state are the moves played so far. Moves are numbers below `moves`.
#[derive(Debug, Clone)]
pub struct Matrix {
    roles: Vec<GroundTerm>,
    moves: u32,
    rounds: usize,
    in_turn: bool,
    /// The goals for the moves played, of all rounds, ordered by role.
    payoff: fn(&[u64], RoleId) -> Option<u8>,
}

impl Matrix {
    /// Creates a game with these numbers of roles, moves and rounds, and these goals.
    pub fn new(
        roles: usize,
        moves: u32,
        rounds: usize,
        payoff: fn(&[u64], RoleId) -> Option<u8>,
    ) -> Self {
        Matrix {
            roles: names(roles),
            moves,
            rounds,
            in_turn: false,
            payoff,
        }
    }

    /// The same game, except that the roles choose one after the other and see earlier choices.
    /// The only move of the other roles is 0.
    pub fn in_turn(self) -> Self {
        Matrix {
            in_turn: true,
            ..self
        }
    }

    /// Whether a role chooses in a state.
    fn chooses(&self, state: &State, role: usize) -> bool {
        !self.in_turn || state.words().len() % self.roles.len() == role
    }
}

impl Engine for Matrix {
    fn name(&self) -> &'static str {
        "matrix"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }

    fn initial(&self) -> State {
        State::default()
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        Ok(state.words().len() >= self.rounds * self.roles.len())
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        let count = match self.chooses(state, role.0) {
            true => self.moves,
            false => 1,
        };
        moves.clear();
        moves.extend((0..count).map(MoveId));
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        next.clone_from(state);
        let words = next.words_mut();
        let made = joint.iter().enumerate();
        let made = made.filter(|(role, _)| self.chooses(state, *role));
        words.extend(made.map(|(_, mv)| u64::from(mv.0)));
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        Ok((self.payoff)(state.words(), role))
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        let played =
            |(at, &mv): (usize, &u64)| compound("played", vec![number(at as u64), number(mv)]);
        state.words().iter().enumerate().map(played).collect()
    }

    fn state_of(&mut self, _facts: &[GroundTerm]) -> Result<State, EngineError> {
        Err(EngineError::Rules("not needed".into()))
    }

    fn move_term(&mut self, _role: RoleId, mv: MoveId) -> GroundTerm {
        number(u64::from(mv.0))
    }

    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        (0..self.moves)
            .map(MoveId)
            .find(|&mv| self.move_term(role, mv) == *term)
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

fn names(roles: usize) -> Vec<GroundTerm> {
    (0..roles)
        .map(|role| GroundTerm::constant(&format!("player{role}")))
        .collect()
}

fn number(n: u64) -> GroundTerm {
    GroundTerm::constant(&n.to_string())
}

fn compound(name: &str, arguments: Vec<GroundTerm>) -> GroundTerm {
    GroundTerm::Compound(name.into(), arguments)
}
