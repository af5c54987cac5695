//! Bounds of a node from those of its children.

use crate::graph::{Graph, ReadGuard};
use crate::node::{Edge, Kind, NodeRef};
use crate::{Bounds, Config};
use smallvec::SmallVec;

/// Proves bounds of a node from those of its children.
pub(crate) fn prove(graph: &mut Graph, at: NodeRef, config: &Config) {
    let Some(node) = graph.get(at) else {
        return;
    };
    if node.is_terminal() || node.is_solved() {
        return;
    }
    let mut found = None;
    let mut bounds: Vec<Bounds> = node.stats.iter().map(|role| role.bounds).collect();
    let depth = match &node.kind {
        Kind::Terminal => return,
        Kind::Turn { role, edges, .. } => {
            bounds_at_turn(graph, *role as usize, edges, config, &mut bounds)
        }
        Kind::Simultaneous(joint_stats) => {
            found = crate::simultaneous::bounds(graph, joint_stats, config, &mut bounds);
            let children = joint_stats.edges.iter().filter_map(|edge| edge.child);
            let depths = children.filter_map(|child| Some(graph.get(child)?.depth));
            depths.max().unwrap_or(0)
        }
    };
    drop(node);
    let Some(mut node) = graph.get_mut(at) else {
        return;
    };
    if let (Kind::Simultaneous(joint_stats), Some(found)) = (&mut node.kind, found) {
        for (arm, bounds) in joint_stats.all_arms_mut().iter_mut().zip(found) {
            arm.bounds = arm.bounds.meet(bounds);
        }
    }
    for (role_stats, bounds) in node.stats.iter_mut().zip(bounds) {
        role_stats.bounds = role_stats.bounds.meet(bounds);
    }
    if node.is_solved() {
        node.depth = depth.saturating_add(1);
        return;
    }
    let all =
        matches!(&node.kind, Kind::Turn { edges, .. } if edges.iter().all(|edge| edge.solved));
    drop(node);
    if all {
        reopen(graph, at);
    }
}

/// Reopens moves whose children were evicted, where all moves count as solved but not all roles'
/// results are proved. Otherwise no move would ever be searched again.
fn reopen(graph: &mut Graph, at: NodeRef) {
    let children: Vec<Option<NodeRef>> = match graph.get(at).as_deref().map(|node| &node.kind) {
        Some(Kind::Turn { edges, .. }) => edges.iter().map(|edge| edge.child).collect(),
        _ => return,
    };
    let gone = |child: &Option<NodeRef>| child.is_none_or(|child| graph.get(child).is_none());
    let gone: Vec<bool> = children.iter().map(gone).collect();
    let mut node = graph.get_mut(at);
    if let Some(Kind::Turn { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) {
        for (edge, gone) in edges.iter_mut().zip(gone) {
            edge.solved &= !gone;
        }
    }
}

/// Proves bounds where one role chooses. Returns the number of decisions on the proved line.
///
/// Bounds of a child that was evicted are still stored at its edge, for the chooser.
fn bounds_at_turn(
    graph: &Graph,
    role: usize,
    edges: &[Edge],
    config: &Config,
    bounds: &mut [Bounds],
) -> u16 {
    let children = edges.iter().map(|edge| graph.get(edge.child?));
    let children: SmallVec<[Option<ReadGuard<'_>>; 64]> = children.collect();
    let bound = |at: usize, other: usize| {
        let child = children[at].as_ref();
        let known = child.map_or(Bounds::OPEN, |child| child.stats[other].bounds);
        match other == role {
            true => known.meet(edges[at].bounds),
            false => known,
        }
    };
    let all = || (0..edges.len()).map(|at| bound(at, role));
    let low = all().map(|bounds| bounds.low).max().unwrap_or(0);
    let high = all().map(|bounds| bounds.high).max().unwrap_or(100);
    bounds[role] = bounds[role].meet(Bounds { low, high });
    let own = bounds[role];
    for (other, bounds) in bounds.iter_mut().enumerate() {
        if other == role {
            continue;
        }
        let found = match config.sum {
            // One role gets what the other loses.
            Some(sum) => own.rest(sum),
            // The chooser may select any move that can be as good as the best one; once its
            // result is proved, any move that is proved to reach it.
            None => {
                let possible = (0..edges.len()).filter(|&at| {
                    let bound = bound(at, role);
                    match own.is_exact() {
                        true => bound.low == own.low,
                        false => bound.high >= own.low,
                    }
                });
                let mut of_others = possible.map(|at| bound(at, other));
                let first = of_others.next().unwrap_or(Bounds::OPEN);
                of_others.fold(first, |a, b| Bounds {
                    low: a.low.min(b.low),
                    high: a.high.max(b.high),
                })
            }
        };
        *bounds = bounds.meet(found);
    }
    // The fastest win, or the slowest loss.
    let best = children.iter().flatten();
    let best = best.filter(|child| child.stats[role].bounds.low >= own.low && child.is_solved());
    let depths = best.map(|child| child.depth);
    match own.low > 50 {
        true => depths.min().unwrap_or(0),
        false => {
            let foreseen = u16::from(edges.iter().any(Edge::is_foreseen));
            depths.max().unwrap_or(0).max(foreseen)
        }
    }
}
