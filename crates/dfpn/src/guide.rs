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
    use heuristics::{
        Blank, Evaluator, FeatureSet, Features, Outputs, Reference, Table, Tuple, Weights,
    };
    use std::sync::Arc;

    #[test]
    fn many_moves_cost_more_and_what_is_not_searched_stays_so() {
        let set = FeatureSet::default();
        let weights = Weights::new(&Features::new(set.clone()), 1);
        let value = Value::of(set, weights, Outputs::Opposed).expect("it fits");
        let mut guide = Guide::from(value);
        let state = State::default();
        let mut numbers = |yes, no| guide.numbers(&state, RoleId(0), Numbers { yes, no });
        assert_eq!(numbers(1, 4), Numbers { yes: 16, no: 32 });
        let closed = Numbers::CLOSED;
        assert_eq!(numbers(closed.yes, closed.no), closed);
    }

    #[test]
    fn what_is_worth_more_takes_less_to_prove_and_more_to_disprove() {
        // One fact, which is good for the first role.
        let set = FeatureSet {
            bits: vec![Some((0, 1))],
            sizes: vec![2],
            tables: vec![Table {
                sizes: vec![2],
                blank: Blank::Nothing,
            }],
            tuples: vec![Tuple {
                table: 0,
                variables: vec![Some(0)],
            }],
            ..FeatureSet::default()
        };
        let features = Arc::new(Features::new(set.clone()));
        let mut weights = Weights::new(&features, 1);
        let (mut evaluator, mut reference) =
            (Evaluator::new(features.clone()), Reference::new(&features));
        for _ in 0..200 {
            for (word, worth) in [(1, 0.9), (0, 0.1)] {
                evaluator.set(&mut reference, &[word]);
                weights.learn(&mut evaluator, &mut reference, &[worth], 1.0);
            }
        }
        let value = Value::of(set, weights, Outputs::Opposed).expect("it fits");
        let mut guide = Guide::from(value);
        let [good, bad] = [1, 0].map(|word| {
            let mut state = State::default();
            state.words_mut().push(word);
            guide.near(&state);
            [0, 1].map(|role| guide.numbers(&state, RoleId(role), Numbers { yes: 4, no: 4 }))
        });
        assert!(good[0].yes < bad[0].yes && good[0].no > bad[0].no);
        // What one role proves is what the other one disproves.
        assert_eq!([good[1].yes, good[1].no], [good[0].no, good[0].yes]);
    }
}
