//! The weights of features, and how they are learnt.

use crate::{Evaluator, Features, Reference};
use serde::{Deserialize, Serialize};

/// The size of a step: the value moves by this part of its error, if all weights have the full
/// rate. Few have: those that are seldom seen are not sure of their direction yet. With a quarter
/// of it less is learnt in the time of a start clock.
pub const ALPHA: f32 = 32.0;

/// What is added to the sum of a weight's absolute errors. A weight that has seen few of them is
/// not trusted at once: in games whose states are all different, most weights are such.
const UNSURE: f32 = 2.0;

/// The least rate of a weight whose errors have no common direction.
const LEAST_RATE: f32 = 0.02;

/// A value for each output: the logistic function of the sum of one weight for each tuple.
///
/// Outputs are results of roles, 0 to 1. Weights are learnt by gradient descent on the cross
/// entropy. Each has a rate of its own by temporal coherence: the absolute sum of its errors,
/// divided by the sum of their absolute values and a constant (Beal and Smith, "Temporal
/// coherence and prediction decay in TD learning", 1999; Jaśkowski, "Mastering 2048 with delayed
/// temporal coherence learning", 2016).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    entries: usize,
    sets: usize,
    outputs: usize,
    /// For each set and output, the weight of each entry.
    weights: Vec<f32>,
    /// For each weight the sum of its errors, and of their absolute values, which is infinite
    /// for weights that are not learnt.
    errors: Vec<[f32; 2]>,
    /// Scratch space: how often each entry is in the state that is learnt.
    #[serde(skip)]
    counts: Vec<u8>,
    examples: u64,
}

impl Weights {
    /// Weights that have learnt nothing: each state has the value 0, one half.
    pub fn new(features: &Features, outputs: usize) -> Weights {
        let (entries, sets) = (features.entries(), features.sets());
        let all = entries * sets * outputs;
        let mut errors = Vec::with_capacity(all);
        for _ in 0..sets * outputs {
            let frozen = features.frozen.iter();
            errors.extend(frozen.map(|&frozen| [0.0, if frozen { f32::INFINITY } else { 0.0 }]));
        }
        Weights {
            entries,
            sets,
            outputs,
            weights: vec![0.0; all],
            errors,
            counts: counts(features),
            examples: 0,
        }
    }

    /// Weights that were read from elsewhere, if they are of these features and outputs.
    pub fn fitted(mut self, features: &Features, outputs: usize) -> Option<Weights> {
        let (entries, sets) = (features.entries(), features.sets());
        let all = entries.checked_mul(sets)?.checked_mul(outputs)?;
        let fits = (self.entries, self.sets, self.outputs) == (entries, sets, outputs)
            && (self.weights.len(), self.errors.len()) == (all, all);
        let sound = |error: &[f32; 2], frozen: bool| {
            error[0].is_finite() && error[1] >= 0.0 && error[1].is_infinite() == frozen
        };
        let frozen = features.frozen.iter().cycle();
        let mut errors = self.errors.iter().zip(frozen);
        if !fits
            || !self.weights.iter().all(|weight| weight.is_finite())
            || !errors.all(|(error, &frozen)| sound(error, frozen))
        {
            return None;
        }
        self.counts = counts(features);
        Some(self)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.weights.fill(0.0);
        for [sum, all] in self.errors.iter_mut().filter(|[_, all]| all.is_finite()) {
            (*sum, *all) = (0.0, 0.0);
        }
    }

    /// Bytes of weights for these features.
    pub fn bytes(features: &Features, outputs: usize) -> usize {
        features.entries() * features.sets() * outputs * 12 + features.entries()
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.sets
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The number of examples learnt.
    pub fn examples(&self) -> u64 {
        self.examples
    }

    /// The weights of a set and an output, by entry.
    #[inline]
    pub fn table(&self, set: usize, output: usize) -> &[f32] {
        &self.weights[(set * self.outputs + output) * self.entries..][..self.entries]
    }

    /// Whether an entry was ever learnt.
    pub fn is_known(&self, set: usize, output: usize, entry: usize) -> bool {
        let all = self.errors[(set * self.outputs + output) * self.entries + entry][1];
        all > 0.0 && all.is_finite()
    }

    /// Moves the value of a state towards a target for each output, 0 to 1. Returns the error of
    /// the first output before that.
    pub fn learn(
        &mut self,
        evaluator: &mut Evaluator,
        state: &mut Reference,
        targets: &[f32],
        alpha: f32,
    ) -> f32 {
        let features = evaluator.features().clone();
        let perspective = features.perspective(features.data().sets.of(state.state()));
        let own = evaluator.entries(state);
        let norm = self.norm(&features, own);
        let mut first = 0.0;
        for (output, &target) in targets.iter().enumerate().take(self.outputs) {
            let (place, turned) = perspective.output(output, self.outputs);
            let target = if turned { 1.0 - target } else { target };
            let begin = (perspective.weights * self.outputs + place) * self.entries;
            let weights = &mut self.weights[begin..][..self.entries];
            let errors = &mut self.errors[begin..][..self.entries];
            let entries = own.iter().map(|&entry| entry as usize);
            let sum: f32 = entries.clone().map(|entry| weights[entry]).sum();
            let error = target - logistic(sum);
            if output == 0 {
                first = if turned { -error } else { error };
            }
            let step = alpha * error / norm;
            for entry in entries {
                let [sum, all] = &mut errors[entry];
                if *all == f32::INFINITY {
                    continue;
                }
                *sum += error;
                *all += error.abs();
                let rate = (sum.abs() / (*all + UNSURE)).max(LEAST_RATE);
                weights[entry] += rate * step;
            }
        }
        state.forget_values();
        self.examples += 1;
        first
    }

    /// By how much the value changes when all weights change by one: the sum of the squares of
    /// how often each entry is used.
    fn norm(&mut self, features: &Features, entries: &[u32]) -> f32 {
        let mut norm = (entries.len() - features.shared.len()) as f32;
        let shared = || features.shared.iter().map(|&tuple| entries[tuple as usize]);
        for entry in shared() {
            let count = &mut self.counts[entry as usize];
            *count = count.saturating_add(1);
        }
        for entry in shared() {
            if !features.frozen[entry as usize] {
                norm += f32::from(self.counts[entry as usize]);
            }
        }
        for entry in shared() {
            self.counts[entry as usize] = 0;
        }
        norm.max(1.0)
    }
}

/// Scratch space for [`Weights::norm`].
fn counts(features: &Features) -> Vec<u8> {
    let entries = match features.shared.is_empty() {
        true => 0,
        false => features.entries(),
    };
    vec![0; entries]
}

/// The logistic function: logits to a value from 0 to 1.
#[inline]
pub fn logistic(logits: f32) -> f32 {
    1.0 / (1.0 + (-logits).exp())
}

/// The inverse of [`logistic`], at most about 6 in size.
#[inline]
pub fn logit(value: f32) -> f32 {
    let value = value.clamp(0.002, 0.998);
    (value / (1.0 - value)).ln()
}
