//! The value of a state for each role, learnt example by example.

/// Further facts are ignored, so that memory is bounded.
pub const FACTS: usize = 1 << 14;

/// The initial learning rate, shared by all facts that hold in an example.
const RATE: f32 = 0.5;

/// The weight of a fact for a role.
#[derive(Debug, Clone, Copy)]
struct Weight {
    value: f32,
    /// One plus the sum of the squared gradients.
    off: f32,
}

impl Weight {
    const NEW: Weight = Weight {
        value: 0.0,
        off: 1.0,
    };
}

/// The value of states for each role, 0 to 1.
///
/// It is a logistic function of weights of facts, learnt by gradient descent on the cross
/// entropy. Each weight has a learning rate of its own, which falls with its past gradients
/// (AdaGrad: Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning",
/// 2011).
#[derive(Debug, Clone)]
pub struct Evaluation {
    roles: usize,
    /// The weights of all roles: first the biases, then those of each fact.
    weights: Vec<Weight>,
    examples: u64,
    /// The reference state that others are compared with, and its weighted sum for each role.
    near: Vec<u64>,
    sums: Vec<f32>,
    /// Scratch space: the error of an example for each role.
    off: Vec<f32>,
}

impl Evaluation {
    /// An evaluation that has learnt nothing: all states have the value one half for each role.
    pub fn new(roles: usize) -> Evaluation {
        Evaluation {
            roles,
            weights: vec![Weight::NEW; roles],
            examples: 0,
            near: Vec::new(),
            sums: vec![0.0; roles],
            off: vec![0.0; roles],
        }
    }

    /// The number of examples that it has learnt from.
    pub fn examples(&self) -> u64 {
        self.examples
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.weights)
    }

    /// Sets the reference state, with one bit for each fact.
    ///
    /// States close to it are then evaluated fast.
    pub fn near(&mut self, bits: &[u64]) {
        self.near.clear();
        self.near.extend_from_slice(bits);
        add_up(&self.weights, self.roles, bits, &mut self.sums);
    }

    /// The predicted value of a state for a role, 0 to 1.
    pub fn value(&self, bits: &[u64], role: usize) -> f32 {
        let mut sum = self.sums[role];
        for (at, (&word, &before)) in bits.iter().zip(&self.near).enumerate() {
            for bit in ones(word ^ before) {
                let place = (at * 64 + bit + 1) * self.roles + role;
                let value = self.weights.get(place).map_or(0.0, |weight| weight.value);
                sum += if word >> bit & 1 == 1 { value } else { -value };
            }
        }
        logistic(sum)
    }

    /// Learns the value of a state for each role, 0 to 1. Returns the prediction for the first
    /// role before learning.
    pub fn learn(&mut self, bits: &[u64], worth: &[f64]) -> f64 {
        let wanted = (1 + (bits.len() * 64).min(FACTS)) * self.roles;
        if self.weights.len() < wanted {
            self.weights.resize(wanted, Weight::NEW);
        }
        add_up(&self.weights, self.roles, bits, &mut self.off);
        let told = f64::from(self.off.first().map_or(0.5, |&sum| logistic(sum)));
        for (off, &worth) in self.off.iter_mut().zip(worth) {
            *off = logistic(*off) - worth as f32;
        }
        self.examples += 1;
        let rate = RATE / held(bits).count() as f32;
        for at in held(bits) {
            let begin = at * self.roles;
            let Some(weights) = self.weights.get_mut(begin..begin + self.roles) else {
                break;
            };
            for (own, &off) in weights.iter_mut().zip(&self.off) {
                own.off += off * off;
                own.value -= rate * off / own.off.sqrt();
            }
        }
        told
    }
}

/// The weighted sum of a state, for each role.
fn add_up(weights: &[Weight], roles: usize, bits: &[u64], sums: &mut [f32]) {
    sums.fill(0.0);
    for at in held(bits) {
        let Some(weights) = weights.get(at * roles..(at + 1) * roles) else {
            break;
        };
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += weight.value;
        }
    }
}

fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// The positions of the bits that are set.
fn ones(word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        let some = left != 0;
        left &= left.wrapping_sub(1);
        some.then_some(bit)
    })
}

/// The positions of a state's weights: the bias and the facts that hold.
fn held(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let words = bits.iter().enumerate();
    let facts = words.flat_map(|(at, &word)| ones(word).map(move |bit| at * 64 + bit + 1));
    std::iter::once(0).chain(facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Foretold;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// States of 100 facts, about a third of which hold.
    fn states(count: usize) -> Vec<[u64; 2]> {
        let mut random = SplitMix64::seed_from_u64(3);
        let mut word = || random.next_u64() & (random.next_u64() | random.next_u64());
        let second = (1 << 36) - 1;
        (0..count).map(|_| [word(), word() & second]).collect()
    }

    /// Every fact is good for the first role or for the second.
    fn worth(state: &[u64; 2]) -> [f64; 2] {
        let own = f64::from((state[0] & 0xffff_ffff).count_ones());
        let other = f64::from((state[0] >> 32).count_ones());
        let worth = 1.0 / (1.0 + (0.5 * (other - own)).exp());
        [worth, 1.0 - worth]
    }

    #[test]
    fn counting_is_learnt() {
        let (mut evaluation, mut foretold) = (Evaluation::new(2), Foretold::default());
        for state in states(50_000) {
            let told = evaluation.learn(&state, &worth(&state));
            foretold.note([told, 0.0], worth(&state)[0]);
        }
        let part = foretold.fit().expect("there were many").part;
        assert!(part > 0.9, "{part}");
    }

    #[test]
    fn values_do_not_depend_on_the_reference_state() {
        let examples = states(1000);
        let mut evaluation = Evaluation::new(2);
        for state in &examples {
            evaluation.learn(state, &worth(state));
        }
        for pair in examples.windows(2).take(100) {
            let [some, other] = [pair[0], pair[1]];
            evaluation.near(&some);
            let far = [0, 1].map(|role| evaluation.value(&other, role));
            evaluation.near(&other);
            let near = [0, 1].map(|role| evaluation.value(&other, role));
            for (far, near) in far.iter().zip(near) {
                assert!((far - near).abs() < 1e-4, "{far} {near}");
            }
        }
    }

    #[test]
    fn untrained_values_are_one_half() {
        let mut evaluation = Evaluation::new(1);
        evaluation.near(&[5, 7]);
        assert_eq!(evaluation.value(&[5, 7], 0), 0.5);
        assert_eq!(evaluation.value(&[1, 0], 0), 0.5);
        // A state in which no fact holds is an example, too.
        assert_eq!(evaluation.learn(&[], &[1.0]), 0.5);
        assert_eq!(evaluation.examples(), 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut evaluation = Evaluation::new(2);
        let many = vec![u64::MAX; 10_000];
        evaluation.learn(&many, &[1.0, 0.0]);
        assert!(evaluation.bytes() <= 1 << 19, "{}", evaluation.bytes());
        evaluation.near(&many);
        assert!(evaluation.value(&many, 0) > 0.5);
    }
}
