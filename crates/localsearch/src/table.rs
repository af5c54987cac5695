//! A table of cubes. A look-up compares many states with many cubes at once.
//!
//! Cubes of the same phase and claim share a shelf ([`Shelf`]), with a bit for each cube that has
//! a literal. A literal that is false in all states of a question rules out every cube that has
//! it, and few literals rule out nearly all. What is left is compared in the literals that are
//! true in some of the states only.

use crate::cube::{Claim, Cube, Literal};
use crate::shelf::{Question, Shelf};
use std::sync::Arc;

/// States that are asked about together. The more there are, the fewer literals are false in all of
/// them; the fewer there are, the more questions.
const TOGETHER: usize = 16;

/// Statistics of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Cubes in the table that prove a success.
    pub wins: usize,
    /// Cubes in the table that prove a failure.
    pub failures: usize,
    /// Literals of all cubes in the table.
    pub literals: usize,
    /// States that were asked for.
    pub asked: u64,
    /// States that a cube answered.
    pub answered: u64,
    /// Cubes that were forgotten.
    pub forgotten: u64,
}

#[derive(Debug)]
struct Entry {
    cube: Arc<Cube>,
    /// When it last answered, by the count of questions.
    used: u64,
}

/// Cubes of all phases, within a bound on memory.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    /// For each phase, the cubes of each claim.
    shelves: Vec<Vec<(Claim, Shelf)>>,
    /// For each literal, the cubes that have it.
    count: Vec<u32>,
    /// The literals that cubes have, the most frequent first.
    order: Vec<u32>,
    question: Question,
    bytes: usize,
    most: usize,
    asks: u64,
    pub statistics: Statistics,
}

/// The cubes that answer, for each lane.
pub(crate) type Found = [Option<u32>; 64];

impl Table {
    /// An empty table that takes about `most` bytes at most.
    pub fn new(phases: usize, facts: usize, most: usize) -> Table {
        Table {
            entries: Vec::new(),
            shelves: (0..phases).map(|_| Vec::new()).collect(),
            count: vec![0; 2 * facts],
            order: Vec::new(),
            question: Question::default(),
            bytes: 0,
            most,
            asks: 0,
            statistics: Statistics::default(),
        }
    }

    /// The cube with this number.
    pub fn cube(&self, number: u32) -> &Arc<Cube> {
        &self.entries[number as usize].cube
    }

    /// Finds cubes that answer what happens within `plies` joint moves in the states of these
    /// lanes. Returns the lanes that are answered.
    pub fn ask(
        &mut self,
        phase: usize,
        facts: &[u64],
        lanes: u64,
        plies: u16,
        found: &mut Found,
    ) -> u64 {
        self.asks += 1;
        let mut answered = 0;
        for together in few_at_a_time(lanes) {
            self.pose(facts, together);
            let mut open = together;
            let shelves = self.shelves[phase].iter();
            for (_, shelf) in shelves.filter(|shelf| shelf.0.answers(plies)) {
                shelf.find(&self.question, facts, open, |number, hit| {
                    for lane in ones(hit) {
                        found[lane] = Some(number);
                    }
                    open &= !hit;
                    open
                });
                if open == 0 {
                    break;
                }
            }
            answered |= together & !open;
        }
        self.statistics.asked += u64::from(lanes.count_ones());
        self.statistics.answered += u64::from(answered.count_ones());
        for lane in ones(answered) {
            if let Some(number) = found[lane] {
                self.entries[number as usize].used = self.asks;
            }
        }
        answered
    }

    /// The most joint moves within which it is known that the state of a lane fails; 0 if that
    /// is not known.
    pub fn fails(&mut self, phase: usize, facts: &[u64], lane: u32) -> u16 {
        let lanes = 1 << lane;
        self.pose(facts, lanes);
        let mut most = 0;
        for (claim, shelf) in &self.shelves[phase] {
            let Claim::Fails(plies) = *claim else {
                continue;
            };
            if plies > most {
                shelf.find(&self.question, facts, lanes, |_, _| {
                    most = plies;
                    0
                });
            }
        }
        most
    }

    /// Poses the question about the states of these lanes.
    fn pose(&mut self, facts: &[u64], lanes: u64) {
        let Question { absent, mixed } = &mut self.question;
        absent.clear();
        absent.extend(self.order.iter().filter(|&&code| {
            let literal = Literal::of_code(code as usize);
            literal.lanes(facts) & lanes == 0
        }));
        mixed.clear();
        for (word, facts) in (0..).zip(facts.chunks(32)) {
            let bits = facts.iter().enumerate().fold(0, |bits, (at, &holds)| {
                let differs = holds & lanes != 0 && holds & lanes != lanes;
                bits | (u64::from(differs) * 3) << (2 * at)
            });
            if bits != 0 {
                mixed.push((word, bits));
            }
        }
    }

    /// Adds a cube. The least useful half is forgotten first if there is no room.
    pub fn add(&mut self, cube: Arc<Cube>) -> u32 {
        if self.bytes + cube.bytes() > self.most {
            self.forget();
        }
        self.entries.push(Entry {
            cube,
            used: self.asks,
        });
        let number = self.entries.len() as u32 - 1;
        self.place(number);
        if self.entries.len().is_power_of_two() {
            self.sort();
        }
        number
    }

    /// Puts a cube on its shelf.
    fn place(&mut self, number: u32) {
        let cube = &*self.entries[number as usize].cube;
        let shelves = &mut self.shelves[cube.phase];
        let at = shelves.iter().position(|shelf| shelf.0 == cube.claim);
        let (at, before) = match at {
            Some(at) => (at, shelves[at].1.bytes()),
            None => {
                shelves.push((cube.claim, Shelf::new(self.count.len())));
                (shelves.len() - 1, 0)
            }
        };
        let shelf = &mut shelves[at].1;
        shelf.add(number, cube.literals.iter().map(|literal| literal.code()));
        self.bytes += cube.bytes() + size_of::<Entry>() + shelf.bytes() - before;
        self.statistics.literals += cube.literals.len();
        match cube.claim.wins() {
            true => self.statistics.wins += 1,
            false => self.statistics.failures += 1,
        }
        for literal in &cube.literals {
            let count = &mut self.count[literal.code()];
            if *count == 0 {
                self.order.push(literal.code() as u32);
            }
            *count += 1;
        }
    }

    /// Sorts the literals.
    fn sort(&mut self) {
        let count = &self.count;
        self.order
            .sort_unstable_by_key(|&code| (std::cmp::Reverse(count[code as usize]), code));
    }

    /// Forgets the half of the cubes that have not answered for the longest time.
    pub fn forget(&mut self) {
        let mut used: Vec<u64> = self.entries.iter().map(|entry| entry.used).collect();
        let middle = used.len() / 2;
        if used.is_empty() {
            return;
        }
        let (_, &mut median, _) = used.select_nth_unstable(middle);
        let before = self.entries.len();
        self.entries.retain(|entry| entry.used > median);
        self.statistics.forgotten += (before - self.entries.len()) as u64;
        for shelves in &mut self.shelves {
            shelves.clear();
        }
        self.count.fill(0);
        self.order.clear();
        self.bytes = 0;
        (self.statistics.wins, self.statistics.failures) = (0, 0);
        self.statistics.literals = 0;
        for number in 0..self.entries.len() {
            self.place(number as u32);
        }
        self.sort();
    }
}

/// The lanes in groups of at most [`TOGETHER`].
fn few_at_a_time(mut lanes: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let some = ones(lanes).take(TOGETHER);
        let some = some.fold(0, |some, lane| some | 1 << lane);
        lanes &= !some;
        (some != 0).then_some(some)
    })
}

/// The numbers of the bits that are set, ascending.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Literal;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const FACTS: usize = 20;

    fn random_cube(rng: &mut Xoshiro256PlusPlus) -> Cube {
        let mut literals = Vec::new();
        for fact in 0..FACTS as u32 {
            if rng.random_ratio(1, 4) {
                literals.push(Literal::new(fact, rng.random()));
            }
        }
        let plies = rng.random_range(1..6);
        Cube {
            phase: rng.random_range(0..2),
            literals: literals.into(),
            claim: match rng.random() {
                true => Claim::Wins(plies),
                false => Claim::Fails(plies),
            },
        }
    }

    /// Whether a table answers exactly the lanes that some of `cubes` answers, and answers truly.
    fn agrees(table: &mut Table, cubes: &[Cube], rng: &mut Xoshiro256PlusPlus) -> bool {
        let facts: Vec<u64> = (0..FACTS).map(|_| rng.random()).collect();
        let (phase, plies) = (rng.random_range(0..2), rng.random_range(1..6));
        let mut found = [None; 64];
        let answered = table.ask(phase, &facts, u64::MAX, plies, &mut found);
        (0..64).all(|lane| {
            let here = |cube: &Cube| {
                cube.phase == phase
                    && cube.claim.answers(plies)
                    && cube.contains(|fact| facts[fact as usize] >> lane & 1 == 1)
            };
            let is = answered >> lane & 1 == 1;
            let answer = found[lane].filter(|_| is);
            is == cubes.iter().any(here) && answer.is_none_or(|number| here(table.cube(number)))
        })
    }

    #[test]
    fn a_table_answers_as_a_list_does() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut table = Table::new(2, FACTS, usize::MAX);
        let mut cubes = Vec::new();
        for count in 0..600 {
            let cube = random_cube(&mut rng);
            table.add(Arc::new(cube.clone()));
            cubes.push(cube);
            if count % 10 == 0 {
                assert!(agrees(&mut table, &cubes, &mut rng), "{count} cubes");
            }
        }
        cubes.truncate(50);
        let wrong = (0..10).any(|_| !agrees(&mut table, &cubes, &mut rng));
        assert!(wrong, "the comparison notices cubes that are missing");
    }

    #[test]
    fn memory_is_bounded_and_useful_cubes_stay() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let most = 20_000;
        let mut table = Table::new(2, FACTS, most);
        let mut useful = random_cube(&mut rng);
        (useful.phase, useful.claim) = (0, Claim::Wins(0));
        table.add(Arc::new(useful.clone()));
        let facts: Vec<u64> = (0..FACTS as u32)
            .map(|fact| {
                0u64.wrapping_sub(u64::from(
                    useful.literals.contains(&Literal::new(fact, true)),
                ))
            })
            .collect();
        for _ in 0..2000 {
            let mut cube = random_cube(&mut rng);
            cube.claim = Claim::Wins(5);
            table.add(Arc::new(cube));
            let mut found = [None; 64];
            assert_eq!(table.ask(0, &facts, 1, 0, &mut found), 1);
            assert!(table.bytes <= most + 4000, "{} bytes", table.bytes);
        }
        assert!(table.statistics.forgotten > 0);
    }
}
