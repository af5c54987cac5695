//! What states are worth, as a guide to the work that their proofs take.

use crate::Numbers;
use game::{RoleId, State};
use heuristics::{StateValue, Value};

/// What a leaf with one move counts in guided searches: more than 1, so that numbers have room for
/// what states are worth.
const LEAF: f32 = 16.0;

/// How far values are trusted.
const TRUST: f32 = 0.35;

/// Values closer to 0 or 1 than this say no more than this.
const SURE: f32 = 0.005;

/// A value of states, learnt before the search, from which new states get their numbers.
///
/// A state in which the role of the question stands well takes less work to prove, and more to
/// disprove (df-pn with heuristic numbers: Nagai, 2002; evaluation functions in proof-number
/// search: Winands and Schadd, 2010). Answers stay proofs: the value only says where to search
/// first.
#[derive(Debug, Clone)]
pub struct Guide {
    value: StateValue,
}

impl From<Value> for Guide {
    /// A guide by a value that knows states by the bits of their words.
    fn from(value: Value) -> Guide {
        Guide {
            value: StateValue::known(value),
        }
    }
}

impl Guide {
    /// Sets the state whose children are asked about next.
    pub fn near(&mut self, parent: &State) {
        self.value.near(parent.words());
    }

    /// The numbers of a leaf in a question about `role`, from those that count its moves.
    ///
    /// They are `LEAF` times the root of the number of moves, times the odds against each answer to
    /// the power of `TRUST`.
    pub fn numbers(&mut self, state: &State, role: RoleId, moves: Numbers) -> Numbers {
        let worth = self
            .value
            .value(state.words(), role.0)
            .clamp(SURE, 1.0 - SURE);
        let against = ((1.0 - worth) / worth).powf(TRUST);
        let scaled = |moves: u32, odds: f32| {
            ((LEAF * (moves as f32).sqrt() * odds) as u32).clamp(1, Numbers::NEVER - 1)
        };
        match moves {
            Numbers::CLOSED => moves,
            Numbers { yes, no } => Numbers {
                yes: scaled(yes, against),
                no: scaled(no, 1.0 / against),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heuristics::{FeatureSet, Outputs, Weights};

    #[test]
    fn many_moves_cost_more_and_what_is_not_searched_stays_so() {
        let set = FeatureSet::default();
        let weights = Weights::new(&heuristics::Features::new(set.clone()), 1);
        let value = Value::of(set, weights, Outputs::Opposed).expect("it fits");
        let mut guide = Guide::from(value);
        let state = State::default();
        let mut numbers = |yes, no| guide.numbers(&state, RoleId(0), Numbers { yes, no });
        assert_eq!(numbers(1, 4), Numbers { yes: 16, no: 32 });
        let closed = Numbers::CLOSED;
        assert_eq!(numbers(closed.yes, closed.no), closed);
    }
}
