//! Backpropagation of samples from the leaves to the root.

mod leaves;
mod prove;

pub(crate) use leaves::{change_edge, hand_over};
pub(crate) use prove::prove;

use crate::Config;
use crate::amaf::{bytes, count};
use crate::graph::Graph;
use crate::node::{Kind, Node, NodeRef, Snapshot};
use crate::path::{Descent, Path, Sample};
use crate::simultaneous::child_value;
use game::Tally;

/// Descents between the one whose node is prefetched and the one that is backpropagated.
const AHEAD: usize = 3;

/// Backpropagates the samples of all descents.
///
/// From the bottom up, one depth after the other. So all samples that a node receives at one
/// depth, the root's above all, arrive while the node is in the cache, and other threads seldom
/// take it in between.
pub(crate) fn backpropagate(graph: &mut Graph, descents: &mut [Descent], config: &Config) {
    for Descent { path, sample, .. } in &mut *descents {
        path.samples.clear();
        path.samples.resize(path.nodes.len(), 0);
        sample.from = None;
    }
    let depths = descents.iter().map(|descent| descent.path.nodes.len());
    for index in (0..depths.max().unwrap_or(0)).rev() {
        for place in 0..descents.len() {
            let soon = descents.get(place + AHEAD);
            if let Some(&soon) = soon.and_then(|descent| descent.path.nodes.get(index)) {
                graph.prefetch(soon);
            }
            let descent = &mut descents[place];
            if index < descent.path.nodes.len() {
                backpropagate_one(graph, descent, index, config);
            }
        }
    }
}

/// Backpropagates a sample from its last node to the one at an index of the path.
///
/// A node is locked once, for all that happens in it; the statistics of the child come along as a
/// copy.
fn backpropagate_one(graph: &mut Graph, descent: &mut Descent, index: usize, config: &Config) {
    let Descent {
        path,
        sample,
        visits,
        ..
    } = descent;
    let Sample {
        values,
        count,
        variances,
        from,
        snapshot,
        tally,
    } = sample;
    let at = path.nodes[index];
    let child = from.take();
    let Some(mut node) = graph.get_mut(at) else {
        return;
    };
    // The last node has a choice, too, if its child has no node.
    let choices = (index < path.choice_starts.len()).then(|| path.choices_at(index));
    if let (Some(_), Some(choices)) = (child, choices) {
        blend(&node, snapshot, choices, values);
        if config.solve && has_new_bounds(&node, snapshot, choices) {
            drop(node);
            prove(graph, at, config);
            let Some(again) = graph.get_mut(at) else {
                return;
            };
            node = again;
        }
    }
    if let Some(guaranteed) = guaranteed_child(&node, values) {
        drop(node);
        take_values(graph, guaranteed, values);
        let Some(again) = graph.get_mut(at) else {
            return;
        };
        node = again;
    }
    clamp(&node, values);
    if let (Some(choices), Kind::Simultaneous(joint_stats)) = (choices, &mut node.kind) {
        // Each role updates the statistics of its own move.
        joint_stats.update(choices, values);
    }
    mix_solved(&node, path, index, values);
    node.finish_visit(*visits, *count);
    let samples = add_samples(&mut node, values, variances, *count);
    if let Some(choices) = choices {
        update_edge(&mut node, child, snapshot, choices, [*visits, *count]);
    }
    let mut grown = 0;
    if samples >= config.amaf.count_samples && tally.finished > 0 && !tally.ends.counts.is_empty() {
        grown = count_ends(&mut node, tally, config);
    }
    *from = Some(at);
    snapshot.take(&node);
    drop(node);
    graph.add_bytes(grown);
    if let Some(choices) = choices.filter(|_| index == 0) {
        update_regrets(graph, at, choices, config);
    }
    path.samples[index] = samples;
}

/// The solved child that gives the chooser more than the sample, if it is guaranteed more. All
/// roles then get the result of that child. Without it the mean would be too low, since solved
/// moves are not visited any more.
fn guaranteed_child(node: &Node, values: &[f64]) -> Option<NodeRef> {
    let Kind::Turn { role, edges, .. } = &node.kind else {
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

/// Replaces a sample by the values of a node.
#[inline]
fn take_values(graph: &Graph, from: NodeRef, values: &mut [f64]) {
    if let Some(from) = graph.get(from) {
        for (value, role_stats) in values.iter_mut().zip(&from.stats) {
            *value = role_stats.value(from.samples);
        }
    }
}

/// Clamps a sample to the bounds of a node.
#[inline]
fn clamp(node: &Node, values: &mut [f64]) {
    for (role_stats, value) in node.stats.iter().zip(values) {
        *value = role_stats.bounds.clamp(*value);
    }
}

/// Mixes a sample with those of solved joint moves of the node. Ancestors get the mean of these
/// samples and the one of this descent.
#[inline]
fn mix_solved(node: &Node, path: &Path, index: usize, values: &mut [f64]) {
    for solved in path.solved.iter().filter(|solved| solved.index == index) {
        let part = 1.0 / f64::from(solved.count + 1);
        for (value, sum) in values.iter_mut().zip(&solved.sums) {
            *value = (*value + sum) * part;
        }
        clamp(node, values);
    }
}

/// Adds so many samples, by their means and variances, to the statistics of a node. Returns the
/// number of its samples; 0 if it is terminal and has none.
#[inline]
fn add_samples(node: &mut Node, values: &[f64], variances: &[f64], count: u32) -> u32 {
    if node.is_terminal() {
        return 0;
    }
    node.samples += count;
    let part = count as f32 / node.samples as f32;
    for ((role_stats, &value), &variance) in node.stats.iter_mut().zip(values).zip(variances) {
        let (value, variance) = (value as f32, variance as f32);
        role_stats.mean += (value - role_stats.mean) * part;
        role_stats.square += (value * value + variance - role_stats.square) * part;
    }
    node.samples
}

/// Counts the ends of playouts in a node. Returns by how many bytes it has grown.
#[inline]
fn count_ends(node: &mut Node, tally: &Tally, config: &Config) -> usize {
    let mut grown = 0;
    let ends = node.tally.get_or_insert_with(|| {
        grown = bytes(tally);
        Box::new(Tally::new(tally.goals.len()))
    });
    count(ends, tally, &config.amaf);
    grown
}

/// Takes back the visits of a descent without a sample.
pub(crate) fn undo(graph: &mut Graph, descent: &Descent) {
    let (path, visits) = (&descent.path, descent.visits);
    leaves::undo_children(graph, descent);
    for (index, &at) in path.nodes.iter().enumerate() {
        let Some(mut node) = graph.get_mut(at) else {
            continue;
        };
        node.finish_visit(visits, 0);
        if index >= path.choice_starts.len() {
            continue;
        }
        let choices = path.choices_at(index);
        match &mut node.kind {
            Kind::Turn { edges, .. } => {
                let edge = choices.first().map(|&choice| &mut edges[choice as usize]);
                edge.into_iter()
                    .for_each(|edge| edge.finish_visit(visits, 0));
            }
            Kind::Simultaneous(joint_stats) => joint_stats.undo(choices),
            Kind::Terminal => {}
        }
    }
}

/// Blends a sample with the mean of the child, if other parents visited the child, too. The
/// weight of the sample is the share of the child's visits that came along this edge.
fn blend(node: &Node, child: &Snapshot, choices: &[u32], values: &mut [f64]) {
    let visits = match &node.kind {
        Kind::Turn { edges, .. } => edges.get(choices[0] as usize).map(|edge| edge.visits),
        Kind::Simultaneous(joint_stats) => joint_stats.edge(choices).map(|edge| edge.visits),
        Kind::Terminal => None,
    };
    let all = f64::from(child.samples);
    let here = f64::from(visits.unwrap_or(0)).min(all);
    if all > 0.0 && here < all {
        for (value, role_stats) in values.iter_mut().zip(&child.stats) {
            let mean = role_stats.value(child.samples);
            *value = (*value * here + mean * (all - here)) / all;
        }
    }
}

/// Whether bounds of the child changed since they were stored at the edge.
fn has_new_bounds(node: &Node, child: &Snapshot, choices: &[u32]) -> bool {
    match &node.kind {
        Kind::Turn { role, edges, .. } => {
            edges[choices[0] as usize].is_stale(child, *role as usize)
        }
        Kind::Simultaneous(joint_stats) => {
            let edge = joint_stats.edge(choices);
            edge.is_some_and(|edge| edge.proved != child.proved())
        }
        Kind::Terminal => false,
    }
}

/// Removes the virtual loss of an edge, and copies the statistics of the child, if that still
/// exists. The descent counted so many visits, and brings so many samples.
fn update_edge(
    node: &mut Node,
    child: Option<NodeRef>,
    snapshot: &Snapshot,
    choices: &[u32],
    [visits, samples]: [u32; 2],
) {
    match &mut node.kind {
        Kind::Turn { role, edges, .. } => {
            let edge = &mut edges[choices[0] as usize];
            edge.finish_visit(visits, samples);
            if child.is_some() {
                edge.child = child;
                edge.update(snapshot, *role as usize);
            }
        }
        Kind::Simultaneous(joint_stats) => {
            if let Some(edge) = joint_stats.edge_mut(choices).filter(|_| child.is_some()) {
                edge.proved = snapshot.proved();
            }
        }
        Kind::Terminal => {}
    }
}

/// Updates the regrets of all roles at the root, if more than two roles choose there.
pub(crate) fn update_regrets(graph: &mut Graph, at: NodeRef, choices: &[u32], config: &Config) {
    let Some(node) = graph.get(at) else {
        return;
    };
    let Kind::Simultaneous(joint_stats) = &node.kind else {
        return;
    };
    if !joint_stats.selects_by_regret(config) {
        return;
    }
    let samples = node.samples;
    let update = joint_stats.regrets(choices, samples, |number, role| {
        let child = graph.get(joint_stats.edges.get(number)?.child?)?;
        child_value(&child, role)?;
        Some(child.stats[role].value(child.samples))
    });
    drop(node);
    let mut node = graph.get_mut(at);
    if let Some(Kind::Simultaneous(joint_stats)) = node.as_deref_mut().map(|node| &mut node.kind) {
        joint_stats.add_regrets(update);
    }
}
