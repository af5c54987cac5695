//! Values to keep.
#![allow(dead_code)] // Each test binary uses its own part.

use heuristics::{ALPHA, Evaluator, Weights};
use heuristics::{Blank, FeatureSet, Features, Outputs, Reference, Sets, Table, Tuple, Value};
use metagame::{Decision, Learnt, Plan, Settings, VERSION};
use std::sync::Arc;

/// A value of states of `facts` bits that has learnt from some of them.
pub fn learnt(facts: u32, games: u64) -> Learnt {
    let set = FeatureSet {
        bits: (0..facts).map(|fact| Some((fact, 1))).collect(),
        sizes: vec![2; facts as usize],
        tables: vec![Table {
            sizes: vec![2, 2],
            blank: Blank::All(0),
        }],
        tuples: (1..facts)
            .map(|fact| Tuple {
                table: 0,
                variables: vec![Some(fact - 1), Some(fact)],
            })
            .collect(),
        sets: Sets {
            bits: vec![0],
            values: vec![vec![false], vec![true]],
        },
        mirrors: Vec::new(),
    };
    let features = Arc::new(Features::new(set));
    let outputs = Outputs::Each { roles: 2 };
    let mut weights = Weights::new(&features, outputs.count());
    let mut reference = Reference::new(&features);
    let mut evaluator = Evaluator::new(features.clone());
    for state in 0..games.min(100) {
        let word = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut bits = vec![word; facts.div_ceil(64) as usize];
        if let Some(last) = bits.last_mut().filter(|_| !facts.is_multiple_of(64)) {
            *last &= (1 << (facts % 64)) - 1;
        }
        evaluator.set(&mut reference, &bits);
        weights.learn(&mut evaluator, &mut reference, &[0.9, 0.2], ALPHA);
    }
    Learnt {
        value: Value {
            features,
            weights: Arc::new(weights),
            outputs,
        },
        games,
        positions: 10 * games,
    }
}

/// Whether two are equal to the bit.
pub fn same(one: &Learnt, other: &Learnt) -> bool {
    (one.games, one.positions) == (other.games, other.positions)
        && one.value.features.data() == other.value.features.data()
        && one.value.weights == other.value.weights
        && one.value.outputs == other.value.outputs
}

/// A plan with settings that a race has found.
pub fn plan() -> Plan {
    let given = Settings {
        exploration: 0.7,
        learning: 10.0,
        look_ahead: true,
        lanes: true,
        decisive: true,
        per_leaf: 8,
        leaves: 32,
    };
    Plan {
        version: VERSION,
        settings: Settings {
            lanes: false,
            ..given.clone()
        },
        given,
        tuned: true,
        decisions: vec![Decision {
            stage: "tune".to_owned(),
            ms: 7,
            decided: "lanes off".to_owned(),
            why: "they are behind".to_owned(),
            numbers: [("positions".to_owned(), 9.0)].into(),
        }],
    }
}
