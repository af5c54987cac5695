//! Cubes in columns: for each literal, the cubes that have it.

use crate::table::ones;

/// Words of a block, and cubes in it, one in each bit.
const WORDS: usize = 2;
const CUBES: usize = 64 * WORDS;

type Block = [u64; WORDS];

/// Cubes by number, of which those without certain literals are found without a look at each.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    numbers: Vec<u32>,
    /// For each literal, which cubes have it. Blocks behind the last such cube are left out.
    having: Vec<Vec<Block>>,
    blocks: usize,
}

impl Shelf {
    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.blocks * size_of::<Block>() + self.having.len() * size_of::<Vec<Block>>()
    }

    /// Adds a cube with these literals.
    pub fn add(&mut self, number: u32, literals: impl Iterator<Item = usize>) {
        let (block, at) = (self.numbers.len() / CUBES, self.numbers.len() % CUBES);
        self.numbers.push(number);
        for literal in literals {
            if self.having.len() <= literal {
                self.having.resize_with(literal + 1, Vec::new);
            }
            let having = &mut self.having[literal];
            if having.len() <= block {
                self.blocks += block + 1 - having.len();
                having.resize(block + 1, [0; WORDS]);
            }
            having[block][at / 64] |= 1 << (at % 64);
        }
    }

    /// Looks at the cubes that have none of these literals, until `look` returns `false`.
    /// Literals that many cubes have are best named first.
    pub fn without(&self, literals: &[u32], mut look: impl FnMut(u32) -> bool) {
        let having = |&literal: &u32| self.having.get(literal as usize).map(Vec::as_slice);
        let having: Vec<&[Block]> = literals.iter().filter_map(having).collect();
        for (block, numbers) in self.numbers.chunks(CUBES).enumerate() {
            let mut out: Block = std::array::from_fn(|word| {
                let cubes = numbers.len().saturating_sub(64 * word).min(64);
                u64::MAX.checked_shl(cubes as u32).unwrap_or(0)
            });
            for having in &having {
                let Some(these) = having.get(block) else {
                    continue;
                };
                for (out, these) in out.iter_mut().zip(these) {
                    *out |= these;
                }
                if out == [u64::MAX; WORDS] {
                    break;
                }
            }
            for (word, out) in out.into_iter().enumerate() {
                for at in ones(!out) {
                    if !look(numbers[64 * word + at]) {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_cubes_without_literals_are_those_of_a_list() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut shelf, mut list) = (Shelf::default(), Vec::new());
        for number in 0..3 * CUBES as u32 {
            let literals: Vec<usize> = (0..40).filter(|_| rng.random_ratio(1, 8)).collect();
            shelf.add(number, literals.iter().copied());
            list.push(literals);
            if number % 50 != 0 {
                continue;
            }
            let absent: Vec<u32> = (0..50).filter(|_| rng.random_ratio(1, 4)).collect();
            let is_out = |literals: &Vec<usize>| {
                let mut literals = literals.iter();
                literals.any(|&literal| absent.contains(&(literal as u32)))
            };
            let left = (0..).zip(&list).filter(|(_, literals)| !is_out(literals));
            let mut seen = Vec::new();
            shelf.without(&absent, |number| {
                seen.push(number);
                true
            });
            assert_eq!(seen, left.map(|(number, _)| number).collect::<Vec<u32>>());
            let mut once = 0;
            shelf.without(&[], |_| {
                once += 1;
                false
            });
            assert_eq!(once, 1);
        }
    }
}
