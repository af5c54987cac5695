//! Cubes in columns and in rows: for each literal the cubes that have it, and for each cube the
//! literals that it has.

use crate::cube::Literal;
use crate::table::ones;

/// Words of a block, and cubes in it, one in each bit.
const WORDS: usize = 2;
const CUBES: usize = 64 * WORDS;
/// Blocks whose columns are looked at before any of their rows, which are on their way to the
/// cache by then.
const BLOCKS: usize = 16;

type Block = [u64; WORDS];

/// What is asked of a shelf: the states in up to 64 lanes.
#[derive(Debug, Default)]
pub(crate) struct Question {
    /// The literals that are false in all lanes. Those that many cubes have are best named first.
    pub absent: Vec<u32>,
    /// The literals that are true in some lanes and false in others: words of a row in which there
    /// are such, by their number, with a bit for each.
    pub mixed: Vec<(u32, u64)>,
}

/// Cubes by number, of which those that states are in are found without a look at each.
#[derive(Debug)]
pub(crate) struct Shelf {
    numbers: Vec<u32>,
    /// For each literal, which cubes have it. Blocks behind the last such cube are left out.
    columns: Vec<Vec<Block>>,
    /// Blocks in all columns.
    blocks: usize,
    /// For each cube, which literals it has.
    rows: Vec<u64>,
    /// Words of a row.
    words: usize,
}

impl Shelf {
    /// An empty shelf for cubes of so many literals.
    pub fn new(literals: usize) -> Shelf {
        Shelf {
            numbers: Vec::new(),
            columns: vec![Vec::new(); literals],
            blocks: 0,
            rows: Vec::new(),
            words: literals.div_ceil(64),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.blocks * size_of::<Block>()
            + self.columns.len() * size_of::<Vec<Block>>()
            + self.rows.len() * size_of::<u64>()
    }

    /// Adds a cube with these literals.
    pub fn add(&mut self, number: u32, literals: impl Iterator<Item = usize>) {
        let (block, at) = (self.numbers.len() / CUBES, self.numbers.len() % CUBES);
        let row = self.rows.len();
        self.numbers.push(number);
        self.rows.resize(row + self.words, 0);
        for literal in literals {
            self.rows[row + literal / 64] |= 1 << (literal % 64);
            let column = &mut self.columns[literal];
            if column.len() <= block {
                self.blocks += block + 1 - column.len();
                column.resize(block + 1, [0; WORDS]);
            }
            column[block][at / 64] |= 1 << (at % 64);
        }
    }

    /// Finds cubes that the states of some of these lanes are in. `hit` gets the number of such a
    /// cube and the lanes, and returns the lanes that are still of interest; without any, the
    /// search ends.
    ///
    /// `facts` has the lanes in which each fact holds.
    pub fn find(
        &self,
        question: &Question,
        facts: &[u64],
        mut lanes: u64,
        mut hit: impl FnMut(u32, u64) -> u64,
    ) {
        let column = |&literal: &u32| &*self.columns[literal as usize];
        let absent: Vec<&[Block]> = question.absent.iter().map(column).collect();
        let blocks = self.numbers.len().div_ceil(CUBES);
        let mut left = Vec::new();
        for first in (0..blocks).step_by(BLOCKS) {
            left.clear();
            for block in first..blocks.min(first + BLOCKS) {
                self.without(&absent, block, &mut left);
            }
            for &cube in &left {
                let inside = self.inside(cube, question, facts, lanes);
                if inside != 0 {
                    lanes = hit(self.numbers[cube], inside);
                }
                if lanes == 0 {
                    return;
                }
            }
        }
    }

    /// Appends the cubes of a block that are in none of the columns.
    fn without(&self, columns: &[&[Block]], block: usize, left: &mut Vec<usize>) {
        let cubes = self.numbers.len() - block * CUBES;
        let mut out: Block = std::array::from_fn(|word| {
            let cubes = cubes.saturating_sub(64 * word).min(64);
            u64::MAX.checked_shl(cubes as u32).unwrap_or(0)
        });
        for column in columns.iter().filter_map(|column| column.get(block)) {
            for (out, these) in out.iter_mut().zip(column) {
                *out |= these;
            }
            if out == [u64::MAX; WORDS] {
                return;
            }
        }
        for (word, out) in out.into_iter().enumerate() {
            for at in ones(!out) {
                let cube = block * CUBES + 64 * word + at;
                prefetch::slice(self.row(cube));
                left.push(cube);
            }
        }
    }

    fn row(&self, cube: usize) -> &[u64] {
        &self.rows[cube * self.words..][..self.words]
    }

    /// The lanes that are in a cube which has no absent literal.
    fn inside(&self, cube: usize, question: &Question, facts: &[u64], mut lanes: u64) -> u64 {
        let row = self.row(cube);
        for &(word, mixed) in &question.mixed {
            for bit in ones(row[word as usize] & mixed) {
                lanes &= Literal::of_code(word as usize * 64 + bit).lanes(facts);
                if lanes == 0 {
                    return 0;
                }
            }
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const FACTS: usize = 40;

    /// What is asked about states in these lanes.
    fn question(facts: &[u64], lanes: u64) -> Question {
        let mut question = Question::default();
        for code in 0..2 * facts.len() {
            match Literal::of_code(code).lanes(facts) & lanes {
                0 => question.absent.push(code as u32),
                some if some != lanes => {
                    let word = (code / 64) as u32;
                    match question.mixed.last_mut() {
                        Some(last) if last.0 == word => last.1 |= 1 << (code % 64),
                        _ => question.mixed.push((word, 1 << (code % 64))),
                    }
                }
                _ => {}
            }
        }
        question
    }

    #[test]
    fn cubes_and_lanes_are_those_of_a_list() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut shelf, mut list) = (Shelf::new(2 * FACTS), Vec::new());
        let mut found = 0;
        for number in 0..(2 * BLOCKS * CUBES) as u32 {
            let literal = |fact| 2 * fact + usize::from(rng.random_ratio(1, 4));
            let literals: Vec<usize> = (0..FACTS).map(literal).collect();
            let some = rng.random_range(1..9);
            let literals: Vec<usize> = (0..some)
                .map(|_| literals[rng.random_range(0..FACTS)])
                .collect();
            shelf.add(number, literals.iter().copied());
            list.push(literals);
            if number % 100 != 0 {
                continue;
            }
            // Facts that mostly hold, and in most lanes, as siblings agree in nearly everything.
            let facts: Vec<u64> = (0..FACTS)
                .map(|_| match rng.random_ratio(3, 4) {
                    true => rng.random::<u64>() | rng.random::<u64>() | rng.random::<u64>(),
                    false => 0,
                })
                .collect();
            let lanes = rng.random::<u64>() | 1;
            let inside = |literals: &Vec<usize>| {
                let all = literals.iter().map(|&code| Literal::of_code(code));
                all.fold(lanes, |lanes, literal| lanes & literal.lanes(&facts))
            };
            let expected = (0..).zip(&list).map(|(number, of)| (number, inside(of)));
            let expected: Vec<(u32, u64)> = expected.filter(|&(_, inside)| inside != 0).collect();
            let question = question(&facts, lanes);
            let mut seen = Vec::new();
            shelf.find(&question, &facts, lanes, |number, inside| {
                seen.push((number, inside));
                lanes
            });
            assert_eq!(seen, expected);
            found += seen.len();
            let mut first = None;
            shelf.find(&question, &facts, lanes, |number, inside| {
                assert!(first.replace((number, inside)).is_none(), "it has ended");
                0
            });
            assert_eq!(first, expected.first().copied());
        }
        assert!(found > 1_000, "{found} cubes found");
    }
}
