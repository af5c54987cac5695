//! States that are looked at in a mirror: sets of states that share the weights of another set.
//!
//! Where a symmetry of the game exchanges roles, a state in which black moves is worth for black
//! what its image, in which white moves, is worth for white. So one set of weights does for both,
//! and learns from both.

use crate::features::{FeatureSet, NONE};
use serde::{Deserialize, Serialize};

/// A symmetry of the game, under which the states of a set are looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    /// The set of the images. It is looked at as it is.
    pub set: u32,
    /// For each bit of a state the variable and the value that its image stands for, if it has
    /// one.
    pub bits: Vec<Option<(u32, u32)>>,
    /// The role that each role becomes.
    pub roles: Vec<u16>,
}

impl Mirror {
    /// Whether it fits the features.
    pub(crate) fn is_sound(&self, set: &FeatureSet) -> bool {
        let known = |&(variable, value): &(u32, u32)| {
            let size = set.sizes.get(variable as usize);
            size.is_some_and(|&size| value < size)
        };
        let target = set.mirrors.get(self.set as usize);
        let mut roles = self.roles.clone();
        roles.sort_unstable();
        matches!(target, Some(None))
            && self.bits.len() == set.bits.len()
            && self.bits.iter().flatten().all(known)
            && roles.iter().copied().eq(0..roles.len() as u16)
            && !roles.is_empty()
    }
}

/// How the states of a set are looked at: as an NNUE looks at a position from the side to move.
#[derive(Debug, Clone)]
pub(crate) struct Perspective {
    /// The number of this way to look: all sets that are looked at as they are have the first.
    pub view: usize,
    /// The number of its weights.
    pub weights: usize,
    /// The role that each role becomes, if they change.
    roles: Vec<u16>,
}

impl Perspective {
    /// The output of the weights that stands for an output of the value, and whether results are
    /// turned round.
    #[inline]
    pub fn output(&self, output: usize, outputs: usize) -> (usize, bool) {
        match self.roles.get(output) {
            None => (output, false),
            Some(&role) if outputs > 1 => (usize::from(role), false),
            Some(&role) => (0, role != 0),
        }
    }
}

/// The ways to look at each set, the variable and value of each bit for each way, and how many
/// sets of weights there are.
pub(crate) struct Perspectives {
    pub of_set: Vec<Perspective>,
    pub bits: Vec<Vec<(u32, u32)>>,
    pub weights: usize,
}

impl Perspectives {
    pub fn new(set: &FeatureSet) -> Perspectives {
        let lay_out = |bits: &[Option<(u32, u32)>]| -> Vec<(u32, u32)> {
            bits.iter().map(|bit| bit.unwrap_or((NONE, 0))).collect()
        };
        let mut bits = vec![lay_out(&set.bits)];
        let mirror = |number: usize| set.mirrors.get(number).and_then(Option::as_ref);
        let mut weights = Vec::new();
        let mut count = 0;
        for number in 0..set.sets.len() {
            weights.push(count);
            count += usize::from(mirror(number).is_none());
        }
        let of_set = (0..set.sets.len()).map(|number| match mirror(number) {
            None => Perspective {
                view: 0,
                weights: weights[number],
                roles: Vec::new(),
            },
            Some(mirror) => {
                bits.push(lay_out(&mirror.bits));
                Perspective {
                    view: bits.len() - 1,
                    weights: weights[mirror.set as usize],
                    roles: mirror.roles.clone(),
                }
            }
        });
        Perspectives {
            of_set: of_set.collect(),
            bits,
            weights: count,
        }
    }
}
