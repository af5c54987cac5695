//! What is kept of games from one match to the next.

use crate::Plan;
use analysis::form::Form;
use heuristics::{Outputs, Value};

/// What was learnt about a game, in its canonical order of facts, so that it holds under any
/// names.
#[derive(Debug, Clone)]
pub struct Learnt {
    /// The value of states with one bit for each fact.
    pub value: Value,
    /// The number of games that it was learnt from.
    pub games: u64,
    /// The number of positions that it was learnt from.
    pub positions: u64,
}

impl Learnt {
    /// What is to be kept of a value of states in the order of a game's facts.
    pub fn of(value: &Value, form: &Form, games: u64, positions: u64) -> Learnt {
        let mut order = vec![None; form.facts.len()];
        for (fact, &number) in (0..).zip(&form.facts) {
            order[number as usize] = Some(fact);
        }
        Learnt {
            value: value.reordered(&order),
            games,
            positions,
        }
    }

    /// The value of states in the order of a game's facts. `None` if it is not one of this game.
    pub fn value_for(&self, form: &Form) -> Option<Value> {
        let roles = form.moves.len();
        let outputs = match self.value.outputs {
            Outputs::Opposed => roles == 2,
            Outputs::Each { roles: outputs } => outputs == roles,
        };
        let bits = self.value.features.data().bits.len();
        if !outputs || bits != form.facts.len() {
            return None;
        }
        let order: Vec<Option<u32>> = form.facts.iter().copied().map(Some).collect();
        Some(self.value.reordered(&order))
    }
}

/// Keeps what was found out about games. `game` is the certificate of a [`Form`].
///
/// What cannot be read is not there, and what cannot be written is lost: play never depends on
/// it.
pub trait Archive: Send + Sync {
    /// The plan for a game.
    fn plan(&self, game: u64) -> Option<Plan>;

    /// Keeps a plan in place of the one before.
    fn keep_plan(&self, game: u64, plan: &Plan);

    /// What was learnt about a game.
    fn learnt(&self, game: u64) -> Option<Learnt>;

    /// Keeps what was learnt, unless what is kept was learnt from more games. Returns before it
    /// is written where that takes long.
    fn keep_learnt(&self, game: u64, learnt: Learnt);
}
