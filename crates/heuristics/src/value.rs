//! What was learnt about a game, as one value that searches share.

use crate::{FeatureSet, Features, Outputs, Weights};
use std::sync::Arc;

/// Features with their weights, and what the outputs mean. Clones share them.
#[derive(Debug, Clone)]
pub struct Value {
    /// The features.
    pub features: Arc<Features>,
    /// Their weights.
    pub weights: Arc<Weights>,
    /// The meaning of the outputs.
    pub outputs: Outputs,
}

impl Value {
    /// A value whose parts were read from elsewhere, if they fit together.
    pub fn of(set: FeatureSet, weights: Weights, outputs: Outputs) -> Option<Value> {
        let mut mirrors = set.mirrors.iter().flatten();
        let roles = match outputs {
            Outputs::Opposed => 2,
            Outputs::Each { roles } => roles,
        };
        let fit = mirrors.all(|mirror| mirror.roles.len() == roles);
        if !set.is_sound() || !fit || roles == 0 {
            return None;
        }
        let features = Features::new(set);
        let weights = weights.fitted(&features, outputs.count())?;
        Some(Value {
            features: Arc::new(features),
            weights: Arc::new(weights),
            outputs,
        })
    }

    /// The same value for states whose bits are in another order: `order` has for each bit of
    /// such a state its bit before, if it has one.
    pub fn reordered(&self, order: &[Option<u32>]) -> Value {
        let data = self.features.data().reordered(order);
        Value {
            features: Arc::new(Features::new(data)),
            weights: self.weights.clone(),
            outputs: self.outputs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blank, Evaluator, Mirror, Reference, Sets, Table, Tuple, logistic};

    fn set() -> FeatureSet {
        FeatureSet {
            bits: vec![Some((0, 1)), Some((1, 1)), None],
            sizes: vec![2, 2],
            tables: vec![Table {
                sizes: vec![2, 2],
                blank: Blank::First(0),
            }],
            tuples: vec![Tuple {
                table: 0,
                variables: vec![Some(0), Some(1)],
            }],
            sets: Sets {
                bits: vec![2],
                values: vec![vec![false], vec![true]],
            },
            mirrors: Vec::new(),
        }
    }

    fn weights(set: FeatureSet, outputs: usize) -> Weights {
        Weights::new(&Features::new(set), outputs)
    }

    #[test]
    fn parts_that_fit_make_a_value() {
        let value = Value::of(set(), weights(set(), 1), Outputs::Opposed);
        assert_eq!(value.map(|value| value.features.entries()), Some(4));
    }

    #[test]
    fn parts_that_do_not_fit_make_none() {
        let of = |change: &dyn Fn(&mut FeatureSet)| {
            let mut changed = set();
            change(&mut changed);
            Value::of(changed, weights(set(), 1), Outputs::Opposed).is_none()
        };
        assert!(of(&|set| set.bits[0] = Some((2, 0))));
        assert!(of(&|set| set.bits[0] = Some((0, 2))));
        assert!(of(&|set| set.sizes[0] = 0));
        assert!(of(&|set| set.tables[0].sizes = vec![u32::MAX, u32::MAX]));
        assert!(of(&|set| set.tables[0].sizes.clear()));
        assert!(of(&|set| set.tables[0].sizes = vec![2, 3]));
        assert!(of(&|set| set.sets.bits[0] = 3));
        assert!(of(&|set| set.sets.values[0].clear()));
        assert!(of(&|set| set.sets = Sets::default()));
        assert!(of(&|set| set.mirrors = vec![None]));
        let mirrored = |set: &mut FeatureSet| {
            let bits = vec![Some((1, 1)), Some((0, 1)), None];
            let roles = vec![1, 0];
            let mirror = Mirror {
                set: 0,
                bits,
                roles,
            };
            set.mirrors = vec![None, Some(mirror)];
        };
        let of_mirror = |change: &dyn Fn(&mut Mirror)| {
            let mut changed = set();
            mirrored(&mut changed);
            let fitting = weights(changed.clone(), 1);
            changed.mirrors[1].as_mut().map(change);
            Value::of(changed, fitting, Outputs::Opposed).is_none()
        };
        assert!(of(&mirrored), "the weights are of two sets");
        assert!(!of_mirror(&|_| ()));
        assert!(of_mirror(&|mirror| mirror.set = 1));
        assert!(of_mirror(&|mirror| mirror.set = 2));
        assert!(of_mirror(&|mirror| mirror.bits[0] = Some((2, 0))));
        assert!(of_mirror(&|mirror| mirror.bits.clear()));
        assert!(of_mirror(&|mirror| mirror.roles = vec![1, 1]));
        assert!(of_mirror(&|mirror| mirror.roles = vec![0, 1, 2]));
        let others = weights(set(), 2);
        assert!(Value::of(set(), others, Outputs::Opposed).is_none());
        let none = Outputs::Each { roles: 0 };
        assert!(Value::of(set(), weights(set(), 1), none).is_none());
    }

    #[test]
    fn what_is_learnt_of_a_state_is_known_of_its_mirror_image() {
        for outputs in [Outputs::Opposed, Outputs::Each { roles: 2 }] {
            let mut data = set();
            let bits = vec![Some((1, 1)), Some((0, 1)), None];
            data.mirrors = vec![
                None,
                Some(Mirror {
                    set: 0,
                    bits,
                    roles: vec![1, 0],
                }),
            ];
            data.tables[0].blank = Blank::Nothing;
            let features = Arc::new(Features::new(data));
            let mut weights = Weights::new(&features, outputs.count());
            assert_eq!(weights.sets(), 1);
            let mut evaluator = Evaluator::new(features.clone());
            let mut reference = Reference::new(&features);
            // The third bit tells the set: facts 0 and 1 are exchanged with it.
            let [state, image, other] = [[0b001], [0b110], [0b101]];
            let targets = &[0.9, 0.2][..outputs.count()];
            for _ in 0..200 {
                evaluator.set(&mut reference, &image);
                let error = weights.learn(&mut evaluator, &mut reference, targets, 1.0);
                assert!(error >= 0.0, "{error}");
            }
            // Beside any reference: one of the set itself, and one of the other set.
            for beside in [&state, &image] {
                evaluator.set(&mut reference, beside);
                let mut worth = |state: &[u64], role: usize| {
                    let mut values = Vec::new();
                    evaluator.values(&mut reference, &weights, state, &mut values);
                    logistic(outputs.worth(&values, role))
                };
                assert!((worth(&image, 0) - 0.9).abs() < 0.01);
                for role in 0..2 {
                    let (own, other) = (worth(&state, role), worth(&image, 1 - role));
                    assert!((own - other).abs() < 1e-6, "{own} {other}");
                }
                assert!((worth(&other, 0) - worth(&image, 0)).abs() > 0.1);
            }
        }
    }
}
