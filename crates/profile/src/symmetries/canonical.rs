//! One state for all that are symmetric to it, for tables of states.

use super::{Symmetries, Symmetry, group};

/// The least of all images of a state under some symmetries.
///
/// # Cost
/// One pass over the facts that hold and that the symmetry moves, for each symmetry.
#[derive(Debug, Clone)]
pub struct Canonical {
    symmetries: Vec<Symmetry>,
    /// For each symmetry, the bits of facts that stay in their place.
    fixed: Vec<Vec<u64>>,
}

impl Symmetries {
    /// What makes states canonical, with `most` symmetries at most: all those that `keep` holds of
    /// or, where these are too many, those made of the first few generators of which it does.
    ///
    /// Whoever keeps values of states must keep only symmetries that fix roles, or exchange the
    /// values of roles as [`Canonical::symmetries`] say.
    pub fn canonical(&self, most: usize, keep: impl Fn(&Symmetry) -> bool) -> Canonical {
        // Those of a group that `keep` holds of make a group for what is asked of symmetries here
        // (fixing roles, the initial state, being proved); where they do not, what they make is
        // still symmetric.
        let all = self
            .elements(most.saturating_mul(16))
            .map(|all| all.into_iter().filter(&keep).collect::<Vec<Symmetry>>());
        if let Some(all) = all.filter(|all| all.len() <= most) {
            return Canonical::new(all);
        }
        let generators: Vec<Symmetry> = self
            .generators
            .iter()
            .filter(|symmetry| keep(symmetry))
            .cloned()
            .collect();
        let (mut taken, mut group) = (Vec::new(), Vec::new());
        for generator in generators {
            taken.push(generator);
            match group::closure(&taken, most, &self.initial) {
                Some(larger) => group = larger,
                None => drop(taken.pop()),
            }
        }
        Canonical::new(group)
    }
}

impl Canonical {
    fn new(mut symmetries: Vec<Symmetry>) -> Canonical {
        symmetries.retain(|symmetry| symmetry.moved() > 0);
        let fixed = symmetries.iter().map(|symmetry| {
            let mut bits = vec![0u64; symmetry.facts.len().div_ceil(64)];
            for (fact, &to) in symmetry.facts.iter().enumerate() {
                bits[fact / 64] |= u64::from(fact == to as usize) << (fact % 64);
            }
            bits
        });
        Canonical {
            fixed: fixed.collect(),
            symmetries,
        }
    }

    /// The symmetries used, without those that leave all facts as they are.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The least image of a state, whose facts are bits by their position in the vocabulary; and
    /// which of the symmetries gives it, `None` if the state is its own.
    pub fn of(&self, words: &[u64]) -> (Vec<u64>, Option<usize>) {
        let (mut least, mut by) = (words.to_vec(), None);
        let mut image = vec![0u64; words.len()];
        for (number, (symmetry, fixed)) in self.symmetries.iter().zip(&self.fixed).enumerate() {
            for (image, (word, fixed)) in image.iter_mut().zip(words.iter().zip(fixed)) {
                *image = word & fixed;
            }
            for (at, (&word, &fixed)) in words.iter().zip(fixed).enumerate() {
                let mut word = word & !fixed;
                while word != 0 {
                    let fact = at * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    if let Some(&to) = symmetry.facts.get(fact) {
                        image[to as usize / 64] |= 1 << (to % 64);
                    }
                }
            }
            if image < least {
                least.copy_from_slice(&image);
                by = Some(number);
            }
        }
        (least, by)
    }
}
