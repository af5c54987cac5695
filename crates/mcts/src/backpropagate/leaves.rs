//! The samples of descents, before they are backpropagated.

use super::{add_samples, clamp, prove};
use crate::Config;
use crate::graph::Graph;
use crate::node::{ByRole, Edge, Kind, Node, NodeRef, RoleStats, Snapshot};
use crate::path::{Child, Descent, Sample};
use game::{State, Tally};
use smallvec::smallvec;

impl Sample {
    /// No values yet.
    pub fn begin(&mut self, roles: usize) {
        self.values.clear();
        self.variances.clear();
        self.variances.resize(roles, 0.0);
        self.count = 1;
        self.tally.finished = 0;
    }
}

impl Descent {
    /// The sample is the value of the last node. There is none if that was evicted.
    pub fn sample_last(&mut self, graph: &Graph) {
        let last = self.path.nodes.last();
        match last.and_then(|&last| graph.get(last)) {
            Some(last) => {
                let values = last.stats.iter().map(|role| role.value(last.samples));
                self.sample.values.extend(values);
            }
            None => self.sample.count = 0,
        }
    }

    /// The sample is the mean of those of the last node's children. Each of them gets a sample of
    /// its own by `evaluate`, which also adds its playouts to those of the descent.
    pub fn sample_children(
        &mut self,
        graph: &mut Graph,
        config: &Config,
        mut evaluate: impl FnMut(&State, &mut Vec<f64>, &mut Tally),
    ) {
        let Descent {
            path,
            children,
            sample,
            visits,
            ..
        } = self;
        let Some(&at) = path.nodes.last() else { return };
        let roles = sample.variances.len();
        sample.tally.clear(roles);
        let (mut sums, mut news) = (Sums::new(roles), false);
        for child in children {
            evaluate(&child.state, &mut sample.values, &mut sample.tally);
            child.values = ByRole::from_slice(&sample.values);
            news |= add_sample(graph, at, child, *visits, &mut sample.snapshot);
            sums.add(&child.values);
        }
        if news && config.solve {
            prove(graph, at, config);
        }
        sums.mean(sample);
    }
}

/// Sums over several samples, for each role.
struct Sums {
    count: u32,
    values: ByRole<f64>,
    squares: ByRole<f64>,
}

impl Sums {
    fn new(roles: usize) -> Sums {
        Sums {
            count: 0,
            values: smallvec![0.0; roles],
            squares: smallvec![0.0; roles],
        }
    }

    fn add(&mut self, values: &[f64]) {
        self.count += 1;
        let sums = self.values.iter_mut().zip(&mut self.squares);
        for ((sum, square), &value) in sums.zip(values) {
            *sum += value;
            *square += value * value;
        }
    }

    /// Makes one sample of all.
    fn mean(&self, sample: &mut Sample) {
        let count = f64::from(self.count.max(1));
        sample.count = self.count;
        sample.values.clear();
        sample
            .values
            .extend(self.values.iter().map(|sum| sum / count));
        let means = sample.values.iter().zip(&self.squares);
        for (variance, (mean, square)) in sample.variances.iter_mut().zip(means) {
            *variance = (square / count - mean * mean).max(0.0);
        }
    }
}

/// Adds the sample of a child to the edge that leads to it. If there is a node by now, that gets
/// the sample, and `snapshot` becomes a copy of its statistics. Returns whether it has bounds that
/// are new.
fn add_sample(
    graph: &mut Graph,
    at: NodeRef,
    child: &mut Child,
    visits: u32,
    snapshot: &mut Snapshot,
) -> bool {
    let values = &mut child.values;
    let found = change_edge(graph, at, child.choice, |edge, role| {
        edge.finish_visit(visits, 1);
        if edge.child.is_none() {
            edge.sample(values[role]);
        }
        edge.child
    });
    let found = found.flatten().filter(|&found| found != at);
    let Some(mut node) = found.and_then(|found| graph.get_mut(found)) else {
        return false;
    };
    node.finish_visit(0, 1);
    clamp(&node, values);
    let variances = ByRole::from_elem(0.0, values.len());
    add_samples(&mut node, values, &variances, 1);
    snapshot.take(&node);
    drop(node);
    let news = change_edge(graph, at, child.choice, |edge, role| {
        let news = edge.is_stale(snapshot, role);
        edge.update(snapshot, role);
        news
    });
    news.unwrap_or(false)
}

/// Takes back the visits of a descent's leaves that have no samples.
pub(super) fn undo_children(graph: &mut Graph, descent: &Descent) {
    let visits = descent.visits;
    let Some(&at) = descent.path.nodes.last() else {
        return;
    };
    for child in &descent.children {
        change_edge(graph, at, child.choice, |edge, _| {
            edge.finish_visit(visits, 0);
        });
    }
}

/// Changes an edge of a node where one role chooses, which is told to `change`.
pub(crate) fn change_edge<T>(
    graph: &mut Graph,
    at: NodeRef,
    choice: u32,
    change: impl FnOnce(&mut Edge, usize) -> T,
) -> Option<T> {
    let mut node = graph.get_mut(at)?;
    match &mut node.kind {
        Kind::Turn { role, edges, .. } => {
            Some(change(&mut edges[choice as usize], usize::from(*role)))
        }
        _ => None,
    }
}

/// Gives a node the sample of a move that leads to it, if the move was tried when it had no node.
///
/// Of the roles that do not choose, the edge has no sample. The result of the other one is the rest
/// of a proved sum; without that, the mean of the parent stands for it.
pub(crate) fn hand_over(
    graph: &mut Graph,
    at: NodeRef,
    chosen: &[u32],
    child: NodeRef,
    config: &Config,
) {
    let Some(mut node) = graph.get_mut(at) else {
        return;
    };
    let Node {
        kind: Kind::Turn { role, edges, .. },
        stats,
        samples,
        ..
    } = &mut *node
    else {
        return;
    };
    let edge = &mut edges[chosen[0] as usize];
    if !std::mem::take(&mut edge.sampled) || child == at {
        return;
    }
    let mean = f64::from(edge.mean);
    let value = |(other, stats): (usize, &RoleStats)| match config.sum {
        _ if other == usize::from(*role) => mean,
        Some(sum) => f64::from(sum) / 100.0 - mean,
        None => stats.value(*samples),
    };
    let mut values: ByRole<f64> = stats.iter().enumerate().map(value).collect();
    drop(node);
    let Some(mut child) = graph.get_mut(child) else {
        return;
    };
    child.finish_visit(0, 1);
    clamp(&child, &mut values);
    let variances = ByRole::from_elem(0.0, values.len());
    add_samples(&mut child, &values, &variances, 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_samples_have_a_mean_and_a_variance() {
        let (mut sums, mut sample) = (Sums::new(2), Sample::default());
        sample.begin(2);
        for value in [0.2, 0.4, 0.9] {
            sums.add(&[value, 1.0 - value]);
        }
        sums.mean(&mut sample);
        assert_eq!(sample.count, 3);
        for value in &sample.values {
            assert!((value - 0.5).abs() < 1e-9, "{sample:?}");
        }
        for variance in &sample.variances {
            assert!((variance - 0.26 / 3.0).abs() < 1e-9, "{sample:?}");
        }
        Sums::new(2).mean(&mut sample);
        assert_eq!(sample.count, 0);
    }
}
