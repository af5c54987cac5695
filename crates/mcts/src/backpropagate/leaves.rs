//! The samples of descents, before they are backpropagated.

use super::{add_samples, clamp, prove};
use crate::Config;
use crate::graph::Graph;
use crate::node::{ByRole, Kind, NodeRef, Snapshot};
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
            let found = sample_child(graph, child, sample, *visits);
            let snapshot = found.then_some(&sample.snapshot);
            news |= finish_edge(graph, at, child, snapshot, *visits);
            if found {
                sums.add(&sample.values);
            }
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

/// Adds the sample of a child to its statistics, of which the sample gets a copy. `false` if the
/// child was evicted.
fn sample_child(graph: &mut Graph, child: &Child, sample: &mut Sample, visits: u32) -> bool {
    let Some(mut node) = graph.get_mut(child.at) else {
        return false;
    };
    let values = &mut sample.values;
    node.finish_visit(visits, 1);
    clamp(&node, values);
    add_samples(&mut node, values, &sample.variances, 1);
    sample.snapshot.take(&node);
    true
}

/// Takes back the visits of a descent's children that have no samples.
pub(super) fn undo_children(graph: &mut Graph, descent: &Descent) {
    let visits = descent.visits;
    let Some(&at) = descent.path.nodes.last() else {
        return;
    };
    for child in &descent.children {
        if let Some(mut node) = graph.get_mut(child.at) {
            node.finish_visit(visits, 0);
        }
        finish_edge(graph, at, child, None, visits);
    }
}

/// Ends the visit of the edge to a child. Returns whether the child has bounds that are new.
fn finish_edge(
    graph: &mut Graph,
    at: NodeRef,
    child: &Child,
    snapshot: Option<&Snapshot>,
    visits: u32,
) -> bool {
    let mut node = graph.get_mut(at);
    let Some(Kind::Turn { role, edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind)
    else {
        return false;
    };
    let edge = &mut edges[child.choice as usize];
    edge.finish_visit(visits, u32::from(snapshot.is_some()));
    let Some(snapshot) = snapshot else {
        return false;
    };
    let role = usize::from(*role);
    let news = edge.is_stale(snapshot, role);
    edge.update(snapshot, role);
    news
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
