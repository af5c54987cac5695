//! A table of cubes. A look-up compares many states in one pass.
//!
//! Cubes lie in a tree: below an edge that is labelled with a literal are cubes that have it. A
//! question goes down with the set of states in which the labels so far are true, one bit each,
//! and turns back when the set is empty. So one walk answers for all children of a state.

use crate::cube::{Claim, Cube, Literal};
use std::sync::Arc;

/// A node with more cubes than this is split.
const FULL: usize = 24;
/// Questions between two samples of how often facts hold.
const SAMPLE: u64 = 16;

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

#[derive(Debug, Default, Clone)]
struct Node {
    /// Cubes of which every label above is a literal.
    here: Vec<u32>,
    below: Vec<(Literal, u32)>,
}

/// Cubes of all phases, within a bound on memory.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    nodes: Vec<Node>,
    phases: usize,
    /// For each literal, in how many samples it was true.
    often: Vec<u32>,
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
            nodes: vec![Node::default(); phases],
            phases,
            often: vec![0; 2 * facts],
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
        self.statistics.asked += u64::from(lanes.count_ones());
        if self.asks.is_multiple_of(SAMPLE) {
            for (fact, word) in facts.iter().enumerate() {
                self.often[2 * fact + usize::from(word & lanes == 0)] += 1;
            }
        }
        let mut open = lanes;
        let mut walk = |cube: &Cube, number: u32, lanes: u64| {
            if cube.claim.answers(plies) {
                let hit = cube.lanes(facts, lanes);
                for lane in ones(hit) {
                    found[lane] = Some(number);
                }
                return hit;
            }
            0
        };
        self.walk(phase, facts, &mut open, lanes, &mut walk);
        let answered = lanes & !open;
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
    pub fn fails(&self, phase: usize, facts: &[u64], lane: u32) -> u16 {
        let mut most = 0;
        let mut walk = |cube: &Cube, _, lanes: u64| {
            if let Claim::Fails(plies) = cube.claim
                && plies > most
                && cube.lanes(facts, lanes) != 0
            {
                most = plies;
            }
            0
        };
        self.walk(phase, facts, &mut (1 << lane), 1 << lane, &mut walk);
        most
    }

    fn walk(
        &self,
        node: usize,
        facts: &[u64],
        open: &mut u64,
        lanes: u64,
        look: &mut impl FnMut(&Cube, u32, u64) -> u64,
    ) {
        let Node { here, below } = &self.nodes[node];
        for &number in here {
            *open &= !look(&self.entries[number as usize].cube, number, lanes & *open);
        }
        for &(literal, child) in below {
            let lanes = literal.lanes(facts) & lanes & *open;
            if lanes != 0 {
                self.walk(child as usize, facts, open, lanes, look);
            }
        }
    }

    /// Adds a cube. The least useful half is forgotten first if there is no room.
    pub fn add(&mut self, cube: Arc<Cube>) -> u32 {
        if self.bytes + cube.bytes() > self.most {
            self.forget();
        }
        let number = self.entries.len() as u32;
        self.count(&cube);
        self.entries.push(Entry {
            cube,
            used: self.asks,
        });
        self.place(number);
        number
    }

    fn count(&mut self, cube: &Cube) {
        self.bytes += cube.bytes() + size_of::<Entry>();
        self.statistics.literals += cube.literals.len();
        match cube.claim.wins() {
            true => self.statistics.wins += 1,
            false => self.statistics.failures += 1,
        }
    }

    /// Puts a cube that is in no node into one.
    fn place(&mut self, number: u32) {
        let cube = self.entries[number as usize].cube.clone();
        let mut node = cube.phase;
        let mut path: Vec<Literal> = Vec::new();
        loop {
            let below = &self.nodes[node].below;
            if below.is_empty() {
                break;
            }
            let Some(literal) = self.rarest(&cube, &path) else {
                break;
            };
            path.push(literal);
            let child = below.iter().find(|edge| edge.0 == literal);
            node = match child {
                Some(&(_, child)) => child as usize,
                None => self.grow(node, literal),
            };
        }
        self.nodes[node].here.push(number);
        if self.nodes[node].here.len() > FULL && self.nodes[node].below.is_empty() {
            for number in std::mem::take(&mut self.nodes[node].here) {
                let cube = self.entries[number as usize].cube.clone();
                let Some(literal) = self.rarest(&cube, &path) else {
                    self.nodes[node].here.push(number);
                    continue;
                };
                let below = &self.nodes[node].below;
                let child = below.iter().find(|edge| edge.0 == literal);
                let child = match child {
                    Some(&(_, child)) => child as usize,
                    None => self.grow(node, literal),
                };
                self.nodes[child].here.push(number);
            }
        }
    }

    fn grow(&mut self, node: usize, literal: Literal) -> usize {
        let child = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[node].below.push((literal, child as u32));
        child
    }

    /// The literal of a cube that is true least often, of those not yet on the path.
    fn rarest(&self, cube: &Cube, path: &[Literal]) -> Option<Literal> {
        let literals = cube.literals.iter().copied();
        let open = literals.filter(|literal| !path.contains(literal));
        open.min_by_key(|literal| (self.often[literal.code()], *literal))
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
        self.nodes.clear();
        self.nodes.resize(self.phases, Node::default());
        self.bytes = 0;
        (self.statistics.wins, self.statistics.failures) = (0, 0);
        self.statistics.literals = 0;
        for number in 0..self.entries.len() {
            let cube = self.entries[number].cube.clone();
            self.count(&cube);
            self.place(number as u32);
        }
    }
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
            assert!(table.bytes <= most + 1000);
        }
        assert!(table.statistics.forgotten > 0);
    }
}
