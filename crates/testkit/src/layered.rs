//! Random games with transpositions, written without any GDL code that could share a bug.

use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};

/// A random game: layers of nodes with random moves, results and terminal nodes.
#[derive(Debug, Clone)]
pub struct Layered {
    roles: Vec<GroundTerm>,
    seed: u64,
    layers: u64,
    /// The number of nodes in a layer. It is small, so that paths meet.
    width: u64,
    /// Whether roles may choose at once.
    together: bool,
}

impl Layered {
    /// Creates the game with this seed and this number of layers.
    pub fn new(roles: usize, seed: u64, layers: u64) -> Self {
        let name = |role: usize| GroundTerm::constant(&format!("r{role}"));
        Layered {
            roles: (0..roles).map(name).collect(),
            seed,
            layers,
            width: 4,
            together: true,
        }
    }

    /// The same game, except that no two roles choose at once.
    pub fn in_turn(self) -> Self {
        Layered {
            together: false,
            ..self
        }
    }

    /// A pseudo-random number for these numbers (the finaliser of SplitMix64).
    fn random(&self, parts: &[u64]) -> u64 {
        parts.iter().fold(self.seed, |sum, &part| {
            let mut z = (sum ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        })
    }
}

impl Engine for Layered {
    fn name(&self) -> &'static str {
        "layered"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }

    fn initial(&self) -> State {
        State::from_words(vec![0, 0])
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        let (layer, node) = (state.words()[0], state.words()[1]);
        let early = layer > 0 && self.random(&[1, layer, node]).is_multiple_of(6);
        Ok(layer >= self.layers || early)
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        let (layer, node) = (state.words()[0], state.words()[1]);
        // Usually one role chooses, sometimes all do, sometimes none.
        let who = self.random(&[2, layer, node]) % (self.roles.len() as u64 + 2);
        let all = self.together && who == self.roles.len() as u64;
        let count = match all || who == role.0 as u64 {
            true => 1 + self.random(&[3, layer, node, role.0 as u64]) % 3,
            false => 1,
        };
        moves.clear();
        moves.extend((0..count as u32).map(MoveId));
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        let mut parts = vec![4, state.words()[0], state.words()[1]];
        parts.extend(joint.iter().map(|mv| u64::from(mv.0)));
        let node = self.random(&parts) % self.width;
        *next = State::from_words(vec![state.words()[0] + 1, node]);
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        let parts = [5, state.words()[0], state.words()[1], role.0 as u64];
        Ok([Some(0), Some(25), Some(50), Some(100), None][self.random(&parts) as usize % 5])
    }

    fn facts(&mut self, _state: &State) -> Vec<GroundTerm> {
        Vec::new()
    }

    fn state_of(&mut self, _facts: &[GroundTerm]) -> Result<State, EngineError> {
        Err(EngineError::Rules("not needed".into()))
    }

    fn move_term(&mut self, _role: RoleId, mv: MoveId) -> GroundTerm {
        GroundTerm::constant(&mv.0.to_string())
    }

    fn find_move(&mut self, _role: RoleId, _term: &GroundTerm) -> Option<MoveId> {
        None
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}
