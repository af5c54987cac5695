//! Bounds of results where several roles choose at once.
//!
//! No role sees what the others choose. So a move guarantees its role the least that it leads to,
//! whatever the others play. A move that cannot reach what another one guarantees is dominated,
//! and not played; with the remaining moves of the others a role may be guaranteed more. This is
//! elimination of dominated strategies, by bounds. Games such as those with open bids and a rule
//! for equal ones are solved by it, because in every state one move of each role is as good as
//! any mixture.

use crate::graph::Graph;
use crate::simultaneous::JointStats;
use crate::{Bounds, Config};

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
        .filter(|&joint_moves| joint_moves <= u128::from(config.simultaneous.bound_moves))?;
    let roles = joint_stats.arms.len();
    let sizes: Vec<u32> = joint_stats
        .arms
        .iter()
        .map(|arms| arms.len() as u32)
        .collect();
    let begins: Vec<usize> = sizes
        .iter()
        .scan(0, |sum, &size| {
            let begin = *sum;
            *sum += size as usize;
            Some(begin)
        })
        .collect();
    let mut open: Vec<bool> = joint_stats.arms.iter().flatten().map(|_| true).collect();
    let mut known = Vec::new();
    let mut found = Vec::new();
    for round in 0..config.simultaneous.bound_rounds {
        found = vec![Bounds { low: 100, high: 0 }; open.len()];
        let mut choices = vec![0u32; roles];
        for number in 0.. {
            if round == 0 {
                let edge = joint_stats.edges.get(&number);
                known.push(edge.and_then(|edge| graph.get(edge.child?)));
            }
            let child = known.get(number as usize).and_then(Option::as_deref);
            let place = |role: usize| begins[role] + choices[role] as usize;
            // A joint move with an eliminated move of another role does not count.
            let out = (0..roles).filter(|&role| !open[place(role)]).count();
            for role in 0..roles {
                if out > usize::from(!open[place(role)]) {
                    continue;
                }
                let own = child.map_or(Bounds::OPEN, |child| child.stats[role].bounds);
                let all = &mut found[place(role)];
                all.low = all.low.min(own.low);
                all.high = all.high.max(own.high);
            }
            if !advance(&mut choices, &sizes) {
                break;
            }
        }
        // Earlier bounds still hold, even if the children that proved them were evicted.
        for (found, arm) in found.iter_mut().zip(joint_stats.arms.iter().flatten()) {
            *found = found.meet(arm.bounds);
        }
        for role in 0..roles {
            let arms = &found[begins[role]..begins[role] + sizes[role] as usize];
            bounds[role] = bounds[role].meet(Bounds {
                low: arms.iter().map(|arm| arm.low).max().unwrap_or(0),
                high: arms.iter().map(|arm| arm.high).max().unwrap_or(100),
            });
        }
        if let (Some(sum), &mut [first, second]) = (config.sum, &mut *bounds) {
            // One role gets what the other loses.
            bounds[0] = first.meet(second.rest(sum));
            bounds[1] = second.meet(first.rest(sum));
        }
        let mut fewer = false;
        for role in 0..roles {
            let (own, begin) = (bounds[role], begins[role]);
            for at in begin..begin + sizes[role] as usize {
                // Once the result is proved, only moves that are proved to reach it are played.
                let possible = match own.is_exact() {
                    true => found[at].low == own.low,
                    false => found[at].high >= own.low,
                };
                fewer |= open[at] && !possible;
                open[at] &= possible;
            }
            // Bounds by the sum may exceed what any single move guarantees.
            if !open[begin..begin + sizes[role] as usize].contains(&true) {
                open[begin..begin + sizes[role] as usize].fill(true);
            }
        }
        if !fewer {
            break;
        }
    }
    Some(found)
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
