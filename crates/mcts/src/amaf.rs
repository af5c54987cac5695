//! All moves as first: what playouts came to that ended with the fact that a move brings.
//!
//! A playout says something of every move that was made in it, not only of the first one ("AMAF": Bruegmann, "Monte
//! Carlo Go", 1993; in trees "RAVE": Gelly and Silver, "Combining online and offline knowledge in UCT", 2007). Where
//! a node has few playouts of its own, those of the next one above that has many are used ("GRAVE": Cazenave,
//! "Generalized rapid action value estimation", 2015). Playouts in lanes do not tell what moves were made, but where
//! they ended: so the fact that a move brings stands for the move, which is the same where facts last.

use crate::Amaf;
use crate::node::ALLOCATION;
use game::Tally;

/// A fact by its number.
pub(crate) type Fact = u16;

/// A move that brings nothing that other moves do not.
pub(crate) const NO_FACT: Fact = Fact::MAX;

/// The facts that moves bring.
#[derive(Default)]
pub(crate) struct AddedFacts {
    before: Vec<u64>,
    /// Which, with the place of the move.
    all: Vec<(usize, Fact)>,
    /// How many moves bring each, and how many there are.
    counts: Vec<u16>,
    moves: usize,
}

impl AddedFacts {
    /// Those of a state in which so much holds.
    pub fn begin(&mut self, before: &[u64]) {
        self.before.extend(before);
        self.counts.resize(64 * before.len(), 0);
    }

    /// A move leads to where so much holds.
    pub fn add(&mut self, choice: usize, after: &[u64]) {
        self.moves += 1;
        for (word, (before, after)) in self.before.iter().zip(after).enumerate() {
            let mut more = after & !before;
            while more != 0 {
                let fact = 64 * word + more.trailing_zeros() as usize;
                more &= more - 1;
                self.all.push((choice, fact as Fact));
                self.counts[fact] += 1;
            }
        }
    }

    /// For each move the fact that the fewest others bring, unless all do.
    pub fn rarest(&self) -> Vec<(usize, Fact)> {
        let mut found: Vec<(usize, Fact)> = Vec::new();
        let count = |fact: Fact| self.counts[usize::from(fact)];
        for &(choice, fact) in &self.all {
            match found.last_mut().filter(|last| last.0 == choice) {
                Some(last) if count(fact) < count(last.1) => last.1 = fact,
                Some(_) => {}
                None => found.push((choice, fact)),
            }
        }
        found.retain(|&(_, fact)| usize::from(count(fact)) < self.moves);
        found
    }
}

/// Whether a node's ends tell enough.
pub(crate) fn is_reliable(ends: &Tally, config: &Amaf) -> bool {
    ends.finished >= config.min_playouts && !ends.ends.counts.is_empty()
}

/// What a fact in the end is worth to a role, compared with any end, results from 0 to 1; less than the mean says if
/// few ended with it, or without it.
pub(crate) fn fact_value(ends: &Tally, fact: Fact, role: usize, config: &Amaf) -> f32 {
    let facts = ends.ends.counts.len();
    let Some(&with) = ends.ends.counts.get(fact as usize) else {
        return 0.0;
    };
    if with == 0 {
        return 0.0;
    }
    let all = ends.finished as f32;
    let goals = ends.ends.goals[role * facts + fact as usize] as f32 / with as f32;
    let mean = ends.goals[role] as f32 / all;
    let few = (with as f32).min(all - with as f32);
    (goals - mean) / 100.0 * few / (few + config.half_playouts as f32)
}

/// Notes playouts in a node's ends.
pub(crate) fn count(ends: &mut Tally, more: &Tally, config: &Amaf) {
    ends.add(more);
    if ends.finished >= config.fade_playouts {
        let halve = |all: &mut [u32]| all.iter_mut().for_each(|one| *one /= 2);
        halve(&mut ends.ends.counts);
        halve(&mut ends.ends.goals);
        let halve = |all: &mut [u64]| all.iter_mut().for_each(|one| *one /= 2);
        halve(&mut ends.goals);
        halve(&mut ends.squares);
        (ends.finished, ends.cut) = (ends.finished / 2, ends.cut / 2);
    }
}

/// Bytes that a node's ends take.
pub(crate) fn bytes(ends: &Tally) -> usize {
    let all = ends.ends.counts.len() + ends.ends.goals.len();
    // Each of the numbers for a role, and what four allocations cost.
    size_of::<Tally>() + 4 * all + 16 * ends.goals.len() + 4 * ALLOCATION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_stands_for_its_rarest_fact() {
        let mut added = AddedFacts::default();
        added.begin(&[0b0011, 0]);
        // All but one bring fact 64, the first two fact 2 besides, and two what no other does.
        added.add(0, &[0b0110, 1]);
        added.add(1, &[0b1111, 1]);
        added.add(3, &[0b0011, 3]);
        added.add(4, &[0b0011, 0]);
        added.add(5, &[0b0011, 1]);
        assert_eq!(added.rarest(), [(0, 2), (1, 3), (3, 65), (5, 64)]);
        // What all bring tells them not apart.
        let mut added = AddedFacts::default();
        added.begin(&[0]);
        added.add(0, &[0b01]);
        added.add(1, &[0b11]);
        assert_eq!(added.rarest(), [(1, 1)]);
    }

    /// Playouts that ended so often with the first fact, with these results of the first of two roles.
    fn ends(with: u64, without: u64, goals: [u8; 2]) -> Tally {
        let mut ends = Tally::new(2);
        for (bits, times, goal) in [(0b01, with, goals[0]), (0b10, without, goals[1])] {
            for _ in 0..times {
                let both = [goal, 100 - goal];
                ends.finished += 1;
                ends.ends.count([bits], 1, &both);
                for (sum, goal) in ends.goals.iter_mut().zip(both) {
                    *sum += u64::from(goal);
                }
            }
        }
        ends
    }

    #[test]
    fn a_fact_has_the_value_of_the_playouts_that_end_with_it() {
        let amaf = &Amaf::default();
        let many = ends(500, 500, [80, 40]);
        assert!(is_reliable(&many, amaf) && !is_reliable(&ends(50, 50, [80, 40]), amaf));
        let close = |one: f32, other: f32| assert!((one - other).abs() < 0.01, "{one} {other}");
        close(fact_value(&many, 0, 0, amaf), 0.2);
        close(fact_value(&many, 1, 0, amaf), -0.2);
        close(fact_value(&many, 0, 1, amaf), -0.2);
        // What never holds in the end tells nothing, and what holds seldom little.
        assert_eq!(fact_value(&many, 7, 0, amaf), 0.0);
        assert_eq!(fact_value(&many, NO_FACT, 0, amaf), 0.0);
        let seldom = fact_value(&ends(4, 996, [80, 40]), 0, 0, amaf);
        assert!(seldom > 0.0 && seldom < 0.1, "{seldom}");
    }

    #[test]
    fn old_playouts_count_for_less() {
        let amaf = &Amaf::default();
        let mut all = Tally::new(2);
        let (mut first, mut later) = (ends(300, 300, [100, 0]), ends(300, 300, [0, 100]));
        // As if they had been far more.
        for tally in [&mut first, &mut later] {
            let times = amaf.fade_playouts as u32 / 1000;
            let counts = tally.ends.counts.iter_mut();
            counts
                .chain(&mut tally.ends.goals)
                .for_each(|sum| *sum *= times);
            tally.finished *= u64::from(times);
            tally
                .goals
                .iter_mut()
                .for_each(|sum| *sum *= u64::from(times));
        }
        for _ in 0..40 {
            count(&mut all, &first, amaf);
        }
        assert!(all.finished < amaf.fade_playouts && fact_value(&all, 0, 0, amaf) > 0.4);
        for _ in 0..6 {
            count(&mut all, &later, amaf);
        }
        assert!(
            fact_value(&all, 0, 0, amaf) < 0.0,
            "{}",
            fact_value(&all, 0, 0, amaf)
        );
    }
}
