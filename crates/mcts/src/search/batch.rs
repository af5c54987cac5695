//! One batch: descents, playouts from their leaves, backpropagation.

use super::leaf_values::LeafValues;
use super::run::Run;
use super::worker::Worker;
use crate::backpropagate::{backpropagate, undo};
use crate::node::NodeRef;
use crate::path::{Descent, Leaf, Sample};
use crate::stages::Stage;
use game::Start;
use std::sync::atomic::Ordering;

impl Run<'_> {
    /// Runs the descents of a batch. `false` if the budget ended first.
    pub(super) fn descend(&self, worker: &mut Worker, root: NodeRef, count: u32) -> bool {
        let mut descents = std::mem::take(&mut worker.descents);
        let mut policy = self.tree_policy(worker);
        let before = policy.expander.transitions;
        let (since, inner) = (policy.stages.begin(self.budget), policy.stages.sum());
        let (mut failures, mut passed, mut starts) = (0, 0, 0);
        let (count, mut begun, mut leaves) = (count as usize, 0, 0);
        let children = self.config.children as usize;
        let most_descents = self.config.descents.max(1) as usize;
        while leaves < count && begun < most_descents && !policy.over {
            let left = count - leaves;
            let group = left.div_ceil(children).min(most_descents - begun);
            let group = group.min(self.config.lockstep.max(1));
            policy.spare = (left - group) as u32;
            if descents.len() < begun + group {
                descents.resize_with(begun + group, Descent::new);
            }
            let group = &mut descents[begun..begun + group];
            failures += policy.descend(root, group);
            begun += group.len();
            leaves += group.iter().map(Descent::leaves).sum::<usize>();
        }
        descents.truncate(begun);
        policy.stages.end_descent(since, inner, self.budget);
        let over = policy.over;
        let steps = policy.expander.transitions - before;
        for descent in &descents {
            passed += descent.path.nodes.len() as u64;
            starts += descent.starts().count();
        }
        worker.descents = descents;
        worker.visits_each = (leaves / begun.max(1)).clamp(1, children) as u32;
        self.failures.fetch_add(failures, Ordering::Relaxed);
        // Few leaves get more playouts each. Those without playouts count as one playout.
        let each = u64::from(self.config.playouts.max(1));
        worker.playouts_each = each * (count / leaves.max(1)).clamp(1, 2) as u64;
        let made = starts as u64 * worker.playouts_each + leaves.saturating_sub(starts) as u64;
        let given_back = (count as u64 * each).saturating_sub(made);
        self.playouts.fetch_sub(given_back, Ordering::Relaxed);
        self.passed.fetch_add(passed + steps, Ordering::Relaxed);
        !over
    }

    /// Runs playouts from the leaves that need them. `false` if the budget ended first.
    pub(super) fn run_playouts(&self, worker: &mut Worker) -> bool {
        for tally in &mut worker.tallies {
            tally.clear(worker.roles);
        }
        if worker.learner.evaluation.is_known() && self.config.leaf_value >= 1.0 {
            return self.budget.check().is_ok();
        }
        let playouts = worker.playouts_each;
        let starts = worker.descents.iter().flat_map(Descent::starts);
        let starts = starts.map(|(state, _)| Start { state, playouts });
        let starts: Vec<Start<'_>> = starts.collect();
        if starts.is_empty() {
            return true;
        }
        let since = worker.stages.begin(self.budget);
        let made = worker
            .playouts
            .run(&starts, &mut worker.tallies, self.budget);
        worker.stages.end(Stage::Playouts, since, self.budget);
        if made.is_err() {
            if self.budget.check().is_err() {
                return false;
            }
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        if self.config.questions.time > 0.0 {
            let starts = worker.descents.iter().flat_map(Descent::starts);
            for (tally, (_, depth)) in worker.tallies.iter().zip(starts) {
                let playouts = tally.finished + tally.cut;
                worker.length.add(playouts, tally.steps, depth);
            }
        }
        let steps: u64 = worker.tallies.iter().map(|tally| tally.steps).sum();
        self.passed.fetch_add(steps, Ordering::Relaxed);
        true
    }

    /// Backpropagates the samples of a batch, and learns from them.
    pub(super) fn backpropagate(&self, worker: &mut Worker) {
        let since = worker.stages.begin(self.budget);
        let graph = &mut worker.graph;
        let mut tallies = worker.tallies.iter_mut();
        let mut leaf_values = LeafValues {
            roles: worker.roles,
            learner: &mut worker.learner,
            expander: &mut worker.expander,
            config: self.config,
        };
        for descent in &mut worker.descents {
            descent.sample.begin(worker.roles);
            match descent.leaf {
                Leaf::Value => descent.sample_last(graph),
                Leaf::Playouts | Leaf::State => {
                    let tally = tallies.next();
                    let Sample { values, .. } = &mut descent.sample;
                    leaf_values.of(&descent.state, tally.as_deref(), values);
                    if let Some(tally) = tally.filter(|_| worker.watches) {
                        std::mem::swap(&mut descent.sample.tally, tally);
                    }
                }
                Leaf::Children => {
                    descent.sample_children(graph, self.config, |state, values, all| {
                        let tally = tallies.next();
                        leaf_values.of(state, tally.as_deref(), values);
                        if let Some(tally) = tally.filter(|_| worker.watches) {
                            all.add(tally);
                        }
                    })
                }
            }
            if descent.sample.count == 0 {
                // The last node was evicted, so that there is no sample.
                undo(graph, descent);
                descent.path.clear();
            }
        }
        backpropagate(graph, &mut worker.descents, self.config);
        worker
            .stages
            .end(Stage::Backpropagation, since, self.budget);
        let since = worker.stages.begin(self.budget);
        if self.config.learning.visits > 0.0 {
            for descent in &mut worker.descents {
                let (learner, expander) = (&mut worker.learner, &mut worker.expander);
                learner.learn(expander, graph, descent, self.config);
            }
        }
        worker.stages.end(Stage::Learning, since, self.budget);
    }
}
