//! The move to play, and the statistics of all moves.

use crate::graph::Graph;
use crate::node::{Edge, Kind, NodeRef};
use crate::simultaneous::draw;
use crate::simultaneous::equilibrium;
use crate::{Bounds, Config};
use game::{MoveId, RoleId};
use rand::Rng;

/// The value of a move counts against refuted ones if it has 1 / `STANDING` of the visits of the
/// most visited move.
const STANDING: u32 = 16;

/// More than what rounding changes in a mean result.
const ROUNDING: f64 = 1e-3;

/// A prediction of what another role plays at the root, where it chooses at the same time.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The role.
    pub role: RoleId,
    /// Its moves with their chances, which add up to 1.
    pub moves: Vec<(MoveId, f64)>,
    /// How much to rely on that, 0 to 1. With the rest of the weight, the other role is an
    /// opponent who plays its best.
    pub trust: f64,
}

/// Statistics of a move at the root.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The move.
    pub mv: MoveId,
    /// Visits of the move.
    pub visits: u32,
    /// The mean result of the role, 0 to 100; `None` if the move has no samples.
    pub value: Option<f64>,
    /// Proved bounds of the role's result.
    pub bounds: Bounds,
    /// The chance with which the move should be played, where several roles choose; 0 for all
    /// moves if there is no mixed strategy.
    pub chance: f64,
    /// Decisions to the end, if the move is solved; plies, if proof-number search proved the
    /// role's result.
    pub depth: Option<u16>,
}

impl Candidate {
    fn of(graph: &Graph, edge: &Edge, mv: MoveId, role: usize) -> Candidate {
        let child = edge.child.and_then(|child| graph.get(child));
        let child = child.as_deref();
        let seen = child.filter(|child| child.samples > 0 || child.is_solved());
        let value = seen.map(|child| child.stats[role].value(child.samples));
        let kept = (edge.samples() > 0 && child.is_none()).then_some(f64::from(edge.mean));
        Candidate {
            mv,
            visits: edge.visits,
            value: value.or(kept).map(|value| 100.0 * value),
            bounds: child.map_or(edge.bounds, |child| {
                edge.bounds.meet(child.stats[role].bounds)
            }),
            chance: 0.0,
            depth: seen
                .filter(|child| child.is_solved() || child.depth > 0)
                .map(|child| child.depth),
        }
    }
}

/// The moves of a role at a node; none if it has no choice there. An equilibrium takes
/// milliseconds, so it is computed only for the `last` call, with the forecast of another role.
pub(crate) fn candidates(
    graph: &Graph,
    at: NodeRef,
    role: usize,
    config: &Config,
    last: Option<Option<&Forecast>>,
) -> Vec<Candidate> {
    let Some(node) = graph.get(at) else {
        return Vec::new();
    };
    match &node.kind {
        Kind::Turn {
            role: chooser,
            moves,
            edges,
            ..
        } if *chooser as usize == role => {
            let edges = moves.iter().zip(edges);
            edges
                .map(|(&mv, edge)| Candidate::of(graph, edge, mv, role))
                .collect()
        }
        Kind::Simultaneous(joint_stats) if joint_stats.arms(role).len() > 1 => {
            let chances = match joint_stats.selects_by_regret(config) {
                true => joint_stats.average_strategy(role, config),
                false if config.simultaneous.equilibrium => last
                    .and_then(|forecast| equilibrium(graph, joint_stats, role, forecast, config)),
                false => None,
            };
            let chances = chances.unwrap_or_else(|| vec![0.0; joint_stats.arms(role).len()]);
            let arms = joint_stats.arms(role).iter().zip(chances);
            arms.map(|(arm, chance)| Candidate {
                mv: arm.mv,
                visits: arm.visits,
                value: (arm.samples() > 0).then(|| 100.0 * f64::from(arm.mean)),
                bounds: arm.bounds,
                chance,
                depth: None,
            })
            .collect()
        }
        _ => Vec::new(),
    }
}

/// The index of the move to play; `None` if there is nothing to compare.
pub(crate) fn best(candidates: &[Candidate], config: &Config, rng: &mut impl Rng) -> Option<usize> {
    let low = candidates.iter().map(|own| own.bounds.low).max()?;
    let proved = candidates.iter().all(|own| own.bounds.high <= low);
    if proved && (low > 0 || candidates.iter().all(|own| own.depth.is_some())) {
        return fastest(candidates, low);
    }
    if candidates.iter().any(|candidate| candidate.chance > 0.0) {
        let most = candidates.iter().map(|own| own.chance).fold(0.0, f64::max);
        let likely = |own: &Candidate| match own.chance < config.simultaneous.min_chance * most {
            true => 0.0,
            false => own.chance,
        };
        let sum: f64 = candidates.iter().map(likely).sum();
        let chances: Vec<f64> = candidates.iter().map(|own| likely(own) / sum).collect();
        return Some(draw(&chances, rng));
    }
    let most = candidates.iter().map(|own| own.visits).max().unwrap_or(0);
    let standing = candidates
        .iter()
        .filter(|own| own.visits >= most / STANDING);
    let standing = standing.filter_map(|own| own.value).fold(0.0, f64::max);
    let all = || candidates.iter().enumerate();
    let rank = |own: &Candidate| (own.visits, own.value.unwrap_or(-1.0));
    let visited = all()
        .filter(|own| own.1.visits > 0 && !own.1.bounds.is_exact())
        // A move that cannot reach what another one guarantees is out.
        .filter(|own| own.1.bounds.high > low || own.1.bounds.low == low)
        // A refuted move is out while one stands that is worth more.
        .filter(|own| f64::from(own.1.bounds.high) + ROUNDING >= standing)
        .max_by(|a, b| {
            rank(a.1)
                .partial_cmp(&rank(b.1))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
    let known = all()
        .filter(|own| own.1.bounds.is_exact())
        .max_by_key(|own| own.1.bounds.low);
    match (visited, known) {
        (Some(visited), Some(known)) => {
            let (sure, open) = (known.1.bounds.low, visited.1.bounds.low);
            let better = sure > open && f64::from(sure) >= visited.1.value.unwrap_or(0.0);
            Some(if better { known.0 } else { visited.0 })
        }
        (visited, known) => visited.or(known).map(|own| own.0),
    }
}

/// Whether the best move remains the best one whatever the visits find that are still to come: no
/// other move can be better, or become the most visited one.
///
/// It could still be proved to be bad, which is neglected. Where several roles choose, the mixed
/// strategy may change to the last.
pub(crate) fn is_decided(
    graph: &Graph,
    root: NodeRef,
    candidates: &[Candidate],
    best: usize,
    to_come: f64,
) -> bool {
    if !graph.get(root).is_some_and(|node| node.is_turn()) {
        return false;
    }
    let best = &candidates[best];
    let rivals = || {
        let others = candidates.iter().filter(|own| own.mv != best.mv);
        others.filter(|own| own.bounds.high > best.bounds.low)
    };
    let Some(next) = rivals().map(|own| own.visits).max() else {
        return true;
    };
    // Proved results are compared with means, and these change.
    let known = best.bounds.is_exact() || rivals().any(|own| own.bounds.is_exact());
    !known && f64::from(best.visits) - f64::from(next) > to_come
}

/// Of the moves with the best proved result, the one with the fastest win or the slowest loss.
fn fastest(candidates: &[Candidate], low: u8) -> Option<usize> {
    let best = candidates.iter().enumerate();
    let best = best.filter(|own| own.1.bounds.low == low);
    let depth = |own: &Candidate| i32::from(own.depth.unwrap_or(u16::MAX));
    let key = |own: &(usize, &Candidate)| match low > 50 {
        true => -depth(own.1),
        // Against a fallible opponent, the most visited move is the hardest to answer.
        false => depth(own.1),
    };
    best.max_by_key(|own| (key(own), own.1.visits))
        .map(|own| own.0)
}

/// The principal variation, as long as one role at a time chooses: the role and the move of each
/// decision.
pub(crate) fn principal_variation(
    graph: &Graph,
    root: NodeRef,
    most: usize,
) -> Vec<(usize, MoveId)> {
    let mut line = Vec::new();
    let mut at = root;
    while line.len() < most {
        let Some(node) = graph.get(at) else { break };
        let Kind::Turn {
            role, moves, edges, ..
        } = &node.kind
        else {
            break;
        };
        let chosen = edges.iter().enumerate().max_by_key(|edge| edge.1.visits);
        let Some((choice, edge)) = chosen.filter(|edge| edge.1.visits > 0) else {
            break;
        };
        line.push((*role as usize, moves[choice]));
        match edge.child {
            Some(child) => at = child,
            None => break,
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn candidate(mv: u32, visits: u32, value: f64, low: u8, high: u8) -> Candidate {
        Candidate {
            mv: MoveId(mv),
            visits,
            value: Some(value),
            bounds: Bounds { low, high },
            chance: 0.0,
            depth: None,
        }
    }

    fn chosen(candidates: &[Candidate]) -> Option<usize> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        best(candidates, &Config::default(), &mut rng)
    }

    #[test]
    fn a_refuted_move_is_not_played_while_a_better_one_stands() {
        let refuted = candidate(0, 1000, 50.0, 0, 50);
        assert_eq!(chosen(&[refuted, candidate(1, 200, 60.0, 0, 100)]), Some(1));
        // A draw in hand is better than a poor chance, and than one that rests on few visits.
        assert_eq!(chosen(&[refuted, candidate(1, 200, 40.0, 0, 100)]), Some(0));
        assert_eq!(chosen(&[refuted, candidate(1, 20, 100.0, 0, 100)]), Some(0));
        // A lost move is not played even if all the others have only lost so far.
        let lost = candidate(0, 1000, 0.0, 0, 0);
        assert_eq!(chosen(&[lost, candidate(1, 10, 0.0, 0, 100)]), Some(1));
        // A sure draw is taken where the other moves promise no more.
        let sure = candidate(0, 10, 50.0, 50, 50);
        assert_eq!(chosen(&[sure, candidate(1, 900, 50.0, 0, 100)]), Some(0));
        assert_eq!(chosen(&[sure, candidate(1, 900, 70.0, 0, 100)]), Some(1));
    }
}
