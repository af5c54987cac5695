//! All moves as first: the results of playouts that ended with the fact that a move adds.
//!
//! A playout says something of every move that was played in it, not only of the first one
//! ("AMAF": Bruegmann, "Monte Carlo Go", 1993; in trees "RAVE": Gelly and Silver, "Combining
//! online and offline knowledge in UCT", 2007). Where a node has few playouts of its own, those
//! of its nearest ancestor with many are used ("GRAVE": Cazenave, "Generalized rapid action value
//! estimation", 2015).
//!
//! Playouts in lanes report their final states, not their moves. So a move is represented by a
//! fact (base proposition) that it adds. Where facts are latches, both are the same.

use crate::Amaf;
use crate::node::ALLOCATION;
use game::Tally;

/// The number of a fact.
pub(crate) type Fact = u16;

/// Marks a move that adds no fact of its own.
pub(crate) const NO_FACT: Fact = Fact::MAX;

/// The facts that the moves of a state add.
#[derive(Default)]
pub(crate) struct AddedFacts {
    before: Vec<u64>,
    /// Pairs of a move's index and a fact that it adds.
    all: Vec<(usize, Fact)>,
    /// For each fact the number of moves that add it; and the number of moves.
    counts: Vec<u16>,
    moves: usize,
}

impl AddedFacts {
    /// Begins with the facts of the state that the moves are from.
    pub fn begin(&mut self, before: &[u64]) {
        self.before.extend(before);
        self.counts.resize(64 * before.len(), 0);
    }

    /// Adds a move, which leads to a state with these facts.
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

    /// For each move the fact that the fewest others add, unless all moves add it.
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

/// Whether a node has counted enough final states.
pub(crate) fn is_reliable(ends: &Tally, config: &Amaf) -> bool {
    ends.finished >= config.min_playouts && !ends.ends.counts.is_empty()
}

/// The value of a fact for a role: how much better results are, from 0 to 1, in playouts that end
/// with it than in all. It is shrunk towards 0 if few playouts ended with it, or few without it.
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

/// Adds playouts to those of a node.
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

/// Bytes of the final states that a node has counted.
pub(crate) fn bytes(ends: &Tally) -> usize {
    let all = ends.ends.counts.len() + ends.ends.goals.len();
    // Two sums for each role, and four allocations.
    size_of::<Tally>() + 4 * all + 16 * ends.goals.len() + 4 * ALLOCATION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_stands_for_its_rarest_fact() {
        let mut added = AddedFacts::default();
        added.begin(&[0b0011, 0]);
        // All but one move add fact 64; the first two also add fact 2; two add one that no other
        // does.
        added.add(0, &[0b0110, 1]);
        added.add(1, &[0b1111, 1]);
        added.add(3, &[0b0011, 3]);
        added.add(4, &[0b0011, 0]);
        added.add(5, &[0b0011, 1]);
        assert_eq!(added.rarest(), [(0, 2), (1, 3), (3, 65), (5, 64)]);
        // A fact that all moves add does not distinguish them.
        let mut added = AddedFacts::default();
        added.begin(&[0]);
        added.add(0, &[0b01]);
        added.add(1, &[0b11]);
        assert_eq!(added.rarest(), [(1, 1)]);
    }

    /// Playouts that ended so often with the first fact or with the second, with these results of
    /// the first of two roles.
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
        // A fact that never holds in the end has no value, a rare one a small value.
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
        // Scaled up, as if there had been far more playouts.
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
