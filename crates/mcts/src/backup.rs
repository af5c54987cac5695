//! What was found out goes back to the root.

use crate::amaf::{bytes, note as note_ends};
use crate::graph::{Graph, Reading};
use crate::node::{Edge, Kind, Node, NodeRef, Seen};
use crate::path::{Path, Sample, Traversal};
use crate::simultaneous::worth;
use crate::{Bounds, Config};
use smallvec::SmallVec;

/// Brings the samples of all ways, the result of each role from 0 to 1, back to where they began.
///
/// From the bottom up, one depth after the other: so all that comes back to a node at one depth, the root above all,
/// does so while the processor has it at hand, and other threads seldom take it in between.
pub(crate) fn backup(graph: &mut Graph, traversals: &mut [Traversal], config: &Config) {
    for Traversal { path, sample, .. } in &mut *traversals {
        path.updates.clear();
        path.updates.resize(path.nodes.len(), 0);
        sample.from = None;
    }
    let depths = traversals
        .iter()
        .map(|traversal| traversal.path.nodes.len());
    for place in (0..depths.max().unwrap_or(0)).rev() {
        for traversal in &mut *traversals {
            if place < traversal.path.nodes.len() {
                back(graph, traversal, place, config);
            }
        }
    }
}

/// Brings a sample from the node below to the one at a place of its path.
///
/// What goes on in a node is done while it is locked, once; what is known of the one below is brought along.
fn back(graph: &mut Graph, traversal: &mut Traversal, place: usize, config: &Config) {
    let Traversal { path, sample, .. } = traversal;
    let Sample {
        values,
        from,
        seen,
        tally,
    } = sample;
    let at = path.nodes[place];
    let child = from.take();
    let Some(mut node) = graph.get_mut(at) else {
        return;
    };
    // Where there was no room for a child, a choice was made all the same.
    let choices = (place < path.begins.len()).then(|| path.at(place));
    if let (Some(_), Some(choices)) = (child, choices) {
        blend(&node, seen, choices, values);
        if config.solve && has_news(&node, seen, choices) {
            drop(node);
            prove(graph, at, config);
            let Some(again) = graph.get_mut(at) else {
                return;
            };
            node = again;
        }
    }
    if let Some(sure) = rather(&node, values) {
        drop(node);
        if let Some(sure) = graph.get(sure) {
            for (value, role_stats) in values.iter_mut().zip(&sure.stats) {
                *value = role_stats.value(sure.updates);
            }
        }
        let Some(again) = graph.get_mut(at) else {
            return;
        };
        node = again;
    }
    clamp(&node, values);
    if let (Some(choices), Kind::Several(mixed)) = (choices, &mut node.kind) {
        // They learn what their choices brought.
        mixed.update(choices, values);
    }
    // What was known counts for those above as if as many ways had come back.
    for known in path.known.iter().filter(|known| known.place == place) {
        let part = 1.0 / f64::from(known.count + 1);
        for (value, sum) in values.iter_mut().zip(&known.sums) {
            *value = (*value + sum) * part;
        }
        clamp(&node, values);
    }
    let mut updates = 0;
    if !node.is_end() {
        node.updates += 1;
        updates = node.updates;
        let part = 1.0 / updates as f32;
        for (role_stats, &value) in node.stats.iter_mut().zip(&*values) {
            let value = value as f32;
            role_stats.mean += (value - role_stats.mean) * part;
            role_stats.square += (value * value - role_stats.square) * part;
        }
    }
    if let Some(choices) = choices {
        note(&mut node, child, seen, choices);
    }
    let mut grown = 0;
    if updates >= config.amaf.count_samples && tally.finished > 0 && !tally.ends.counts.is_empty() {
        let ends = node.ends.get_or_insert_with(|| {
            grown = bytes(tally);
            Box::new(game::Tally::new(tally.goals.len()))
        });
        note_ends(ends, tally, &config.amaf);
    }
    *from = Some(at);
    seen.see(&node);
    drop(node);
    graph.grown(grown);
    if let Some(choices) = choices.filter(|_| place == 0) {
        regret(graph, at, choices, config);
    }
    path.updates[place] = updates;
}

/// Where the chooser is sure of more than the sample says, it would rather have that, and all roles get
/// what goes with it: the child is told that is known to bring it, because moves of which the result is
/// known are not visited any more.
fn rather(node: &Node, values: &[f64]) -> Option<NodeRef> {
    let Kind::One { role, edges, .. } = &node.kind else {
        return None;
    };
    let role = *role as usize;
    let low = node.stats[role].bounds.low;
    if values[role] * 100.0 >= f64::from(low) {
        return None;
    }
    let mut edges = edges.iter();
    edges
        .find(|edge| edge.solved && edge.bounds.low == low)?
        .child
}

/// Makes a sample agree with what is proved of a node.
fn clamp(node: &Node, values: &mut [f64]) {
    for (role_stats, value) in node.stats.iter().zip(values) {
        *value = role_stats.bounds.clamp(*value);
    }
}

/// Takes back the visits of a path that nothing came of.
pub(crate) fn undo(graph: &mut Graph, path: &Path) {
    for (place, &at) in path.nodes.iter().enumerate() {
        let Some(mut node) = graph.get_mut(at) else {
            continue;
        };
        node.visits = node.visits.saturating_sub(1);
        if place >= path.begins.len() {
            continue;
        }
        let choices = path.at(place);
        match &mut node.kind {
            Kind::One { edges, .. } => {
                let edge = choices.first().map(|&choice| &mut edges[choice as usize]);
                edge.into_iter().for_each(|edge| {
                    edge.visits = edge.visits.saturating_sub(1);
                    edge.back();
                });
            }
            Kind::Several(mixed) => {
                if let Some(edge) = mixed.known_edge_mut(choices) {
                    edge.visits = edge.visits.saturating_sub(1);
                }
                for (arms, &choice) in mixed.arms.iter_mut().zip(choices) {
                    let arm = &mut arms[choice as usize];
                    arm.visits = arm.visits.saturating_sub(1);
                }
            }
            Kind::End => {}
        }
    }
}

/// Of a child that was mostly reached on other ways, the sample of this one is only a part.
fn blend(node: &Node, child: &Seen, choices: &[u32], values: &mut [f64]) {
    let visits = match &node.kind {
        Kind::One { edges, .. } => edges.get(choices[0] as usize).map(|edge| edge.visits),
        Kind::Several(mixed) => mixed.known_edge(choices).map(|edge| edge.visits),
        Kind::End => None,
    };
    let all = f64::from(child.updates);
    let here = f64::from(visits.unwrap_or(0)).min(all);
    if all > 0.0 && here < all {
        for (value, role_stats) in values.iter_mut().zip(&child.stats) {
            let mean = role_stats.value(child.updates);
            *value = (*value * here + mean * (all - here)) / all;
        }
    }
}

/// Whether more is proved of a child than its parent has noted.
fn has_news(node: &Node, child: &Seen, choices: &[u32]) -> bool {
    match &node.kind {
        Kind::One { role, edges, .. } => {
            edges[choices[0] as usize].is_behind(child, *role as usize)
        }
        Kind::Several(mixed) => {
            let edge = mixed.known_edge(choices);
            edge.is_some_and(|edge| edge.proved != child.proved())
        }
        Kind::End => false,
    }
}

/// The visit of an edge has come back: notes there what the chooser can expect of the child, if that is
/// still there.
fn note(node: &mut Node, child: Option<NodeRef>, seen: &Seen, choices: &[u32]) {
    match &mut node.kind {
        Kind::One { role, edges, .. } => {
            let edge = &mut edges[choices[0] as usize];
            edge.back();
            if child.is_some() {
                edge.child = child;
                edge.note(seen, *role as usize);
            }
        }
        Kind::Several(mixed) => {
            if let Some(edge) = mixed.known_edge_mut(choices).filter(|_| child.is_some()) {
                edge.proved = seen.proved();
            }
        }
        Kind::End => {}
    }
}

/// At the root, of more than two roles, they learn what other choices would have brought, too.
pub(crate) fn regret(graph: &mut Graph, at: NodeRef, choices: &[u32], config: &Config) {
    let Some(node) = graph.get(at) else {
        return;
    };
    let Kind::Several(mixed) = &node.kind else {
        return;
    };
    if !mixed.by_regret(config) {
        return;
    }
    let updates = node.updates;
    let learnt = mixed.learn(choices, updates, |number, role| {
        let child = graph.get(mixed.edges.get(&number)?.child?)?;
        worth(&child, role)?;
        Some(child.stats[role].value(child.updates))
    });
    drop(node);
    let mut node = graph.get_mut(at);
    if let Some(Kind::Several(mixed)) = node.as_deref_mut().map(|node| &mut node.kind) {
        mixed.remember(learnt);
    }
}

/// Narrows the bounds of a node by those of its children.
pub(crate) fn prove(graph: &mut Graph, at: NodeRef, config: &Config) {
    let Some(node) = graph.get(at) else {
        return;
    };
    if node.is_end() || node.is_solved() {
        return;
    }
    let mut found = None;
    let mut bounds: Vec<Bounds> = node.stats.iter().map(|role| role.bounds).collect();
    let depth = match &node.kind {
        Kind::End => return,
        Kind::One { role, edges, .. } => one(graph, *role as usize, edges, config, &mut bounds),
        Kind::Several(mixed) => {
            found = crate::simultaneous::bounds(graph, mixed, config, &mut bounds);
            let children = mixed.edges.values().filter_map(|edge| edge.child);
            let depths = children.filter_map(|child| Some(graph.get(child)?.depth));
            depths.max().unwrap_or(0)
        }
    };
    drop(node);
    let Some(mut node) = graph.get_mut(at) else {
        return;
    };
    if let (Kind::Several(mixed), Some(found)) = (&mut node.kind, found) {
        for (arm, bounds) in mixed.arms.iter_mut().flatten().zip(found) {
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
    let all = matches!(&node.kind, Kind::One { edges, .. } if edges.iter().all(|edge| edge.solved));
    drop(node);
    if all {
        reopen(graph, at);
    }
}

/// Where all moves are taken for solved but not all roles' results are known, because what was solved
/// had to make room, its moves must be looked at again; or nothing would ever be found out.
fn reopen(graph: &mut Graph, at: NodeRef) {
    let children: Vec<Option<NodeRef>> = match graph.get(at).as_deref().map(|node| &node.kind) {
        Some(Kind::One { edges, .. }) => edges.iter().map(|edge| edge.child).collect(),
        _ => return,
    };
    let gone = |child: &Option<NodeRef>| child.is_none_or(|child| graph.get(child).is_none());
    let gone: Vec<bool> = children.iter().map(gone).collect();
    let mut node = graph.get_mut(at);
    if let Some(Kind::One { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) {
        for (edge, gone) in edges.iter_mut().zip(gone) {
            edge.solved &= !gone;
        }
    }
}

/// Bounds where one role chooses; how many decisions the best way takes.
///
/// What was proved of a child that had to make room since is still noted for the chooser.
fn one(graph: &Graph, role: usize, edges: &[Edge], config: &Config, bounds: &mut [Bounds]) -> u16 {
    let children = edges.iter().map(|edge| graph.get(edge.child?));
    let children: SmallVec<[Option<Reading<'_>>; 64]> = children.collect();
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
            // What one gets the other loses.
            Some(sum) => own.rest(sum),
            // Any move may be made that can be as good as the best one; and where the best is known,
            // one that is known to be.
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
    // The shortest way to win, the longest way to lose.
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
