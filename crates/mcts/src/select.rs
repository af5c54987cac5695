//! Selection of a move where one role chooses.

use crate::Config;
use crate::learner::PriorWeights;
use crate::node::{Kind, Node};
use rand::{Rng, RngExt};

/// Selects the edge with the highest upper confidence bound, by UCB1-tuned (Auer, Cesa-Bianchi
/// and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", 2002, section 4).
/// Pending visits count as virtual losses, so that the leaves of a batch differ. Where the descent
/// `begins`, more moves may be tried ([`Config::root_power`]).
///
/// Where moves have priors, these count for some virtual visits, and moves that look bad need not
/// be tried ("progressive bias": Chaslot et al., "Progressive strategies for Monte-Carlo tree
/// search", 2008). Without priors, unvisited moves come first, in random order.
pub(crate) fn select(
    node: &Node,
    config: &Config,
    priors: PriorWeights,
    begins: bool,
    rng: &mut impl Rng,
) -> usize {
    let Kind::Turn { role, edges, .. } = &node.kind else {
        return 0;
    };
    let role_stats = &node.stats[*role as usize];
    let floor = role_stats.bounds.low;
    let all = node.visits.max(2) as f32;
    let log = match begins && config.root_power > 0.0 {
        true => all.powf(config.root_power as f32),
        false => all.ln(),
    };
    let less = match config.tries_children(edges.len()) {
        true => config.children_exploration,
        false => 1.0,
    };
    let exploration = (config.exploration * less) as f32;
    let expected = if node.looked_ahead {
        priors.visits
    } else {
        0.0
    };
    let own = role_stats.value(node.samples) as f32 + priors.offset;
    let (mut pick, mut top, mut unvisited) = (0, f32::NEG_INFINITY, 0);
    for (at, edge) in edges.iter().enumerate() {
        // A visit cannot help where the result is proved, or cannot exceed what is guaranteed.
        let beaten = edge.bounds.high <= floor && floor > 0;
        let settled = config.solve && (edge.solved || beaten);
        let visits = edge.visits as f32 + expected;
        if visits == 0.0 && !settled {
            unvisited += 1;
            if rng.random_range(0..unvisited) == 0 {
                pick = at;
            }
            continue;
        }
        if unvisited > 0 {
            continue;
        }
        let (mean, variance) = (edge.mean, edge.variance);
        let bound = if settled {
            mean - 1e6
        } else {
            let back = edge.visits.saturating_sub(edge.pending) as f32;
            let gain = priors.slope * edge.prior + priors.amaf * edge.amaf;
            let prior = (own + gain).clamp(0.0, 1.0);
            let mean = (mean * back + prior * expected) / visits;
            mean + exploration * ucb_width(variance, log, visits)
        };
        if bound > top {
            (pick, top) = (at, bound);
        }
    }
    pick
}

/// The width of the confidence interval of UCB1-tuned for the mean of so many visits. `log` is
/// the logarithm of the visits of the node.
#[inline]
pub(crate) fn ucb_width(variance: f32, log: f32, visits: f32) -> f32 {
    let ratio = log / visits;
    let spread = (variance + (2.0 * ratio).sqrt()).min(0.25);
    (ratio * spread).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{Edge, RoleStats};
    use game::State;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use smallvec::smallvec;

    #[test]
    fn a_wide_root_tries_the_second_best_move_where_other_nodes_do_not() {
        let edge = |mean, visits| Edge {
            mean,
            visits,
            variance: 0.01,
            ..Edge::NEW
        };
        let kind = Kind::Turn {
            role: 0,
            moves: Box::default(),
            edges: vec![edge(0.50, 10_000), edge(0.45, 1_000)].into(),
            joint: smallvec![],
        };
        let mut node = Node::new(State::default(), kind, smallvec![RoleStats::NEW]);
        (node.visits, node.samples) = (11_000, 11_000);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut pick = |root_power, begins| {
            let config = Config {
                root_power,
                ..Config::default()
            };
            select(&node, &config, PriorWeights::NONE, begins, &mut rng)
        };
        assert_eq!(pick(0.5, true), 1);
        assert_eq!(pick(0.5, false), 0);
        assert_eq!(pick(0.0, true), 0);
    }
}
