//! Bounds of results where several roles choose at once.
//!
//! No role sees what the others choose. So a move guarantees its role the least that it leads to,
//! whatever the others play. A move that cannot reach what another one guarantees is dominated,
//! and not played; with the remaining moves of the others a role may be guaranteed more. This is
//! elimination of dominated strategies, by bounds. Games such as those with open bids and a rule
//! for equal ones are solved by it, because in every state one move of each role is as good as
//! any mixture.

use crate::graph::{Graph, ReadGuard};
use crate::simultaneous::JointStats;
use crate::{Bounds, Config};
use std::ops::Range;

/// Narrows the bounds of all roles, and returns those of their moves, role after role. `None` if
/// there are too many joint moves.
pub(crate) fn bounds(
    graph: &Graph,
    joint_stats: &JointStats,
    config: &Config,
    bounds: &mut [Bounds],
) -> Option<Vec<Bounds>> {
    joint_stats
        .joint_moves()
        .filter(|&joint_moves| joint_moves <= u64::from(config.simultaneous.bound_moves))?;
    let mut elimination = Elimination::new(graph, joint_stats);
    let mut found = Vec::new();
    for _ in 0..config.simultaneous.bound_rounds {
        found = elimination.bounds_of_moves();
        elimination.narrow(bounds, &found, config.sum);
        if !elimination.eliminate(bounds, &found) {
            break;
        }
    }
    Some(found)
}

/// Elimination of dominated moves. The moves of all roles are in one list, role after role.
struct Elimination<'a> {
    joint_stats: &'a JointStats,
    /// What each joint move leads to, by its number.
    children: Vec<Option<ReadGuard<'a>>>,
    /// The number of moves of each role.
    sizes: Vec<u32>,
    /// The place of each role's first move.
    begins: Vec<usize>,
    /// Whether a move is not eliminated.
    open: Vec<bool>,
}

impl<'a> Elimination<'a> {
    fn new(graph: &'a Graph, joint_stats: &'a JointStats) -> Elimination<'a> {
        let sizes: Vec<u32> = joint_stats.roles().map(|arms| arms.len() as u32).collect();
        let begins = sizes.iter().scan(0, |sum, &size| {
            let begin = *sum;
            *sum += size as usize;
            Some(begin)
        });
        let child = |number: u64| {
            let edge = joint_stats.edges.get(number);
            edge.and_then(|edge| graph.get(edge.child?))
        };
        Elimination {
            joint_stats,
            children: (0..joint_stats.joint_moves().unwrap_or(0))
                .map(child)
                .collect(),
            begins: begins.collect(),
            open: vec![true; joint_stats.all_arms().len()],
            sizes,
        }
    }

    /// The places of a role's moves.
    #[inline]
    fn places(&self, role: usize) -> Range<usize> {
        let begin = self.begins[role];
        begin..begin + self.sizes[role] as usize
    }

    /// What each move guarantees its role, and the most that it may get, as long as the others
    /// play moves that are not eliminated.
    fn bounds_of_moves(&self) -> Vec<Bounds> {
        let mut found = vec![Bounds { low: 100, high: 0 }; self.open.len()];
        let roles = self.sizes.len();
        let mut choices = vec![0u32; roles];
        for child in &self.children {
            let child = child.as_deref();
            let place = |role: usize| self.begins[role] + choices[role] as usize;
            // A joint move with an eliminated move of another role does not count.
            let out = (0..roles).filter(|&role| !self.open[place(role)]).count();
            for role in 0..roles {
                if out > usize::from(!self.open[place(role)]) {
                    continue;
                }
                let own = child.map_or(Bounds::OPEN, |child| child.stats[role].bounds);
                let all = &mut found[place(role)];
                all.low = all.low.min(own.low);
                all.high = all.high.max(own.high);
            }
            advance(&mut choices, &self.sizes);
        }
        // Earlier bounds still hold, even if the children that proved them were evicted.
        for (found, arm) in found.iter_mut().zip(self.joint_stats.all_arms()) {
            *found = found.meet(arm.bounds);
        }
        found
    }

    /// Narrows the bounds of all roles by those of their moves. `sum` is what the results of two
    /// roles add up to.
    fn narrow(&self, bounds: &mut [Bounds], found: &[Bounds], sum: Option<u16>) {
        for (role, own) in (0..self.sizes.len()).zip(bounds.iter_mut()) {
            let arms = &found[self.places(role)];
            *own = own.meet(Bounds {
                low: arms.iter().map(|arm| arm.low).max().unwrap_or(0),
                high: arms.iter().map(|arm| arm.high).max().unwrap_or(100),
            });
        }
        if let (Some(sum), &mut [first, second]) = (sum, &mut *bounds) {
            // One role gets what the other loses.
            bounds[0] = first.meet(second.rest(sum));
            bounds[1] = second.meet(first.rest(sum));
        }
    }

    /// Eliminates dominated moves. Returns whether there were any.
    fn eliminate(&mut self, bounds: &[Bounds], found: &[Bounds]) -> bool {
        let mut fewer = false;
        for (role, own) in (0..self.sizes.len()).zip(bounds) {
            let places = self.places(role);
            for at in places.clone() {
                // Once the result is proved, only moves that are proved to reach it are played.
                let possible = match own.is_exact() {
                    true => found[at].low == own.low,
                    false => found[at].high >= own.low,
                };
                fewer |= self.open[at] && !possible;
                self.open[at] &= possible;
            }
            // Bounds by the sum may exceed what any single move guarantees.
            if !self.open[places.clone()].contains(&true) {
                self.open[places].fill(true);
            }
        }
        fewer
    }
}

/// The next joint move in the order of their numbers; `false` after the last one.
pub(crate) fn advance(choices: &mut [u32], sizes: &[u32]) -> bool {
    for (choice, &size) in choices.iter_mut().zip(sizes).rev() {
        *choice += 1;
        if *choice < size {
            return true;
        }
        *choice = 0;
    }
    false
}
