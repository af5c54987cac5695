//! A state that can be asked and moved.

use crate::Error;
use game::{Engine, MoveId, RoleId, State};

/// A state of a game. Roles are positions in the order of the rules; moves and facts are GDL
/// terms as text.
pub struct Position {
    engine: Box<dyn Engine>,
    state: State,
}

impl Position {
    pub(crate) fn new(engine: Box<dyn Engine>, state: State) -> Position {
        Position { engine, state }
    }

    /// The state as the engine of the game knows it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether play has ended.
    ///
    /// # Errors
    /// If the rules could not be evaluated, as for all methods below.
    pub fn is_over(&mut self) -> Result<bool, Error> {
        Ok(self.engine.terminal(&self.state)?)
    }

    /// The legal moves of a role.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    pub fn legal(&mut self, role: usize) -> Result<Vec<String>, Error> {
        let moves = self.ids(role)?;
        let term = |mv| self.engine.move_term(RoleId(role), mv).to_string();
        Ok(moves.into_iter().map(term).collect())
    }

    /// Makes a joint move: one move for each role, in order.
    ///
    /// # Errors
    /// If there is not one move for each role, or one of them is not legal here.
    pub fn play(&mut self, joint: &[impl AsRef<str>]) -> Result<(), Error> {
        let roles = self.engine.roles().len();
        if joint.len() != roles {
            return Err(Error::Moves {
                given: joint.len(),
                roles,
            });
        }
        let mut ids = Vec::new();
        for (role, mv) in joint.iter().enumerate() {
            ids.push(self.find(role, mv.as_ref())?);
        }
        let mut next = State::default();
        self.engine.next(&self.state, &ids, &mut next)?;
        self.state = next;
        Ok(())
    }

    /// The result of each role, 0 to 100; `None` where the rules define none.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    pub fn goals(&mut self) -> Result<Vec<Option<u8>>, Error> {
        let roles = (0..self.engine.roles().len()).map(RoleId);
        let goals = roles.map(|role| self.engine.goal(&self.state, role));
        Ok(goals.collect::<Result<_, _>>()?)
    }

    /// The facts that hold, sorted by their text.
    pub fn facts(&mut self) -> Vec<String> {
        let facts = self.engine.facts(&self.state);
        facts.iter().map(ToString::to_string).collect()
    }

    fn ids(&mut self, role: usize) -> Result<Vec<MoveId>, Error> {
        let mut moves = Vec::new();
        self.engine.legal(&self.state, RoleId(role), &mut moves)?;
        Ok(moves)
    }

    fn find(&mut self, role: usize, mv: &str) -> Result<MoveId, Error> {
        for id in self.ids(role)? {
            if self.engine.move_term(RoleId(role), id).to_string() == mv {
                return Ok(id);
            }
        }
        Err(Error::Illegal {
            role: self.engine.roles()[role].to_string(),
            mv: mv.to_owned(),
            legal: self.legal(role)?.join(", "),
        })
    }
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Position::new(self.engine.fork(), self.state.clone())
    }
}

impl PartialEq for Position {
    /// Whether the same facts hold in both, which must be of one game.
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}
