//! Statistics and selection where several roles choose at once.
//!
//! No role sees what the others choose. Each has means of its own moves, whatever the others
//! played, and selects by upper confidence bounds ("decoupled UCT"). That does best in most games
//! (Tak, Lanctot and Winands, "Monte Carlo Tree Search Variants for Simultaneous Move Games",
//! 2014), those of more than two roles among them. But the best strategy may be a mixed one. With
//! two roles, the one that is played therefore draws its move from an equilibrium of the means of
//! joint moves (`equilibrium`); more than two use regret matching at the root (`regret`).

use super::arm::{Arm, best_ucb, guaranteed};
use super::joint_edges::{JointEdge, JointEdges};
use crate::Config;
use game::MoveId;
use rand::{Rng, RngExt};

/// The statistics of a node in which several roles choose. Every role has at least one move.
#[derive(Debug)]
pub(crate) struct JointStats {
    /// The moves of all roles, role after role, each in the order of the engine. They lie in one
    /// place, so that they are prefetched at once.
    arms: Box<[Arm]>,
    /// The joint moves that were selected, by their numbers.
    pub edges: JointEdges,
}

impl JointStats {
    pub fn new(options: &[Vec<MoveId>]) -> JointStats {
        let arms = options.iter().flat_map(|moves| {
            let of = moves.len() as u32;
            moves.iter().map(move |&mv| Arm::new(mv, of))
        });
        JointStats {
            arms: arms.collect(),
            edges: JointEdges::default(),
        }
    }

    /// Bytes outside of the node.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.arms) + self.edges.bytes()
    }

    /// The moves of all roles, role after role.
    #[inline]
    pub fn all_arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The same, mutable.
    pub fn all_arms_mut(&mut self) -> &mut [Arm] {
        &mut self.arms
    }

    /// The moves of each role.
    #[inline]
    pub fn roles(&self) -> impl Iterator<Item = &[Arm]> {
        let mut rest = &*self.arms;
        std::iter::from_fn(move || {
            let (arms, others) = rest.split_at(rest.first()?.of as usize);
            rest = others;
            Some(arms)
        })
    }

    /// The same, mutable.
    #[inline]
    pub fn roles_mut(&mut self) -> impl Iterator<Item = &mut [Arm]> {
        let mut rest = &mut *self.arms;
        std::iter::from_fn(move || {
            let of = rest.first()?.of as usize;
            let (arms, others) = std::mem::take(&mut rest).split_at_mut(of);
            rest = others;
            Some(arms)
        })
    }

    /// The moves of a role; none if there is no such role.
    pub fn arms(&self, role: usize) -> &[Arm] {
        self.roles().nth(role).unwrap_or_default()
    }

    /// The number of a joint move, given by the indices of the roles' moves; `None` if it is not
    /// less than `u64::MAX`.
    #[inline]
    pub fn number(&self, choices: &[u32]) -> Option<u64> {
        let mut pairs = self.roles().zip(choices);
        let number = pairs.try_fold(0u64, |number, (arms, &choice)| {
            number
                .checked_mul(arms.len() as u64)?
                .checked_add(u64::from(choice))
        });
        number.filter(|&number| number < u64::MAX)
    }

    /// The edge of a joint move, a new one if there is none. `None` if the move has no number.
    #[inline]
    pub fn edge_or_new(&mut self, choices: &[u32]) -> Option<&mut JointEdge> {
        let number = self.number(choices)?;
        Some(self.edges.get_or_insert(number))
    }

    /// The edge of a joint move, if it was ever selected.
    #[inline]
    pub fn edge(&self, choices: &[u32]) -> Option<&JointEdge> {
        self.edges.get(self.number(choices)?)
    }

    /// The same, mutable.
    #[inline]
    pub fn edge_mut(&mut self, choices: &[u32]) -> Option<&mut JointEdge> {
        let number = self.number(choices)?;
        self.edges.get_mut(number)
    }

    /// The number of joint moves; `None` if it exceeds `u64`.
    pub fn joint_moves(&self) -> Option<u64> {
        let mut sizes = self.roles().map(|arms| arms.len() as u64);
        sizes.try_fold(1u64, u64::checked_mul)
    }

    /// Whether all joint moves are checked for terminal states, once the node is looked ahead
    /// from: they are few.
    pub fn is_looked_ahead(&self, config: &Config) -> bool {
        let few = u64::from(config.simultaneous.look_ahead_moves);
        // There are no priors of joint moves, so that it is for proofs alone.
        let checks = config.look_ahead && config.solve;
        checks && self.joint_moves().is_some_and(|count| count <= few)
    }

    /// Selects a move for every role by upper confidence bounds. `visits` are those of the node.
    pub fn select(
        &mut self,
        visits: u32,
        config: &Config,
        rng: &mut impl Rng,
        choices: &mut Vec<u32>,
    ) {
        for arms in self.roles_mut() {
            let mut choice = 0;
            if arms.len() > 1 {
                // Without chance, similar roles select in step, and most joint moves are never
                // selected.
                let random = rng.random::<f64>() < config.simultaneous.mixing;
                let random = random.then(|| rng.random_range(0..arms.len()));
                choice = match random.filter(|&arm| arms[arm].is_undominated(guaranteed(arms))) {
                    Some(arm) => arm,
                    None => best_ucb(arms, visits, config, rng),
                };
            }
            arms[choice].begin_visit();
            choices.push(choice as u32);
        }
    }

    /// Replaces the selected move of a role by a fixed one.
    pub fn force(&mut self, role: usize, mv: MoveId, choices: &mut [u32]) {
        let Some(arms) = self.roles_mut().nth(role) else {
            return;
        };
        if let Some(held) = arms.iter().position(|arm| arm.mv == mv) {
            arms[choices[role] as usize].undo_visit();
            arms[held].begin_visit();
            choices[role] = held as u32;
        }
    }

    /// Adds a sample, the results of the roles from 0 to 1, to the moves that were selected.
    pub fn update(&mut self, choices: &[u32], values: &[f64]) {
        for ((arms, &choice), &value) in self.roles_mut().zip(choices).zip(values) {
            let value = value as f32;
            let arm = &mut arms[choice as usize];
            arm.pending = arm.pending.saturating_sub(1);
            let part = 1.0 / arm.samples().max(1) as f32;
            arm.mean += (value - arm.mean) * part;
            arm.square += (value * value - arm.square) * part;
        }
    }

    /// Takes back a visit of a joint move that has no sample.
    pub fn undo(&mut self, choices: &[u32]) {
        if let Some(edge) = self.edge_mut(choices) {
            edge.visits = edge.visits.saturating_sub(1);
        }
        for (arms, &choice) in self.roles_mut().zip(choices) {
            arms[choice as usize].undo_visit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    fn stats(sizes: &[u32]) -> JointStats {
        let moves = |&size: &u32| (0..size).map(MoveId).collect();
        JointStats::new(&sizes.iter().map(moves).collect::<Vec<_>>())
    }

    #[test]
    fn a_visit_without_a_sample_leaves_nothing() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut joint_stats = stats(&[3, 1, 4]);
        let config = Config::default();
        for _ in 0..50 {
            let mut pending = Vec::new();
            for visits in 0..4 {
                let mut choices = Vec::new();
                joint_stats.select(visits, &config, &mut rng, &mut choices);
                if let Some(edge) = joint_stats.edge_or_new(&choices) {
                    edge.visits += 1;
                }
                pending.push(choices);
            }
            joint_stats.update(&pending[0], &[0.0, 0.5, 1.0]);
            for choices in &pending[1..] {
                joint_stats.undo(choices);
            }
        }
        let visits: u32 = joint_stats.edges.iter().map(|edge| edge.visits).sum();
        assert_eq!(visits, 50);
        for arms in joint_stats.roles() {
            assert_eq!(arms.iter().map(|arm| arm.visits).sum::<u32>(), 50);
            assert!(arms.iter().all(|arm| arm.pending == 0), "{arms:?}");
        }
    }

    #[test]
    fn joint_moves_without_a_number_have_no_edge() {
        // Two to the 64th joint moves: the number of the last one stands for none.
        let mut joint_stats = stats(&[2; 64]);
        assert_eq!(joint_stats.joint_moves(), None);
        assert!(joint_stats.edge_or_new(&[1; 64]).is_none());
        assert!(joint_stats.edge_or_new(&[0; 64]).is_some());
    }
}
