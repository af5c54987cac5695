//! One game of the learner against itself.

use game::State;
use heuristics::{Features, Reference};

/// A game in progress.
pub(crate) struct Game {
    pub state: State,
    /// The state with its entries in all tables.
    pub reference: Reference,
    /// Random plies still to be played.
    pub opening: u32,
    pub plies: usize,
    /// The states in which somebody chose, in order.
    pub records: Vec<Record>,
    /// For each record the value of the best successor, as a target for each output.
    pub best: Vec<f32>,
}

/// A state in which somebody chose.
pub(crate) struct Record {
    pub state: State,
    /// Whether the best moves were played.
    pub greedy: bool,
}

impl Game {
    pub fn new(features: &Features) -> Game {
        Game {
            state: State::default(),
            reference: Reference::new(features),
            opening: 0,
            plies: 0,
            records: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Begins anew.
    pub fn restart(&mut self, initial: &State, opening: u32) {
        self.state.clone_from(initial);
        (self.opening, self.plies) = (opening, 0);
        self.records.clear();
        self.best.clear();
    }
}
