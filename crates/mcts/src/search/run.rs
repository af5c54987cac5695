//! The loop of each thread, batch after batch: descents, playouts from the leaves,
//! backpropagation.

use super::Publish;
use super::questions::Questions;
use super::reach::Length;
use super::report::{Counts, SoFar};
use super::worker::Worker;
use crate::answer::{best, candidates, is_decided};
use crate::backpropagate::{backpropagate, undo};
use crate::descend::TreePolicy;
use crate::node::NodeRef;
use crate::path::{Descent, Leaf};
use crate::stages::Stage;
use crate::{Config, Limits};
use budget::Budget;
use game::{MoveId, RoleId, Start, Tally};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What the workers of one search share.
pub(super) struct Run<'a> {
    pub(super) config: &'a Config,
    pub(super) role: RoleId,
    /// A role whose move at the root is fixed, and that move.
    pub(super) fixed: Option<(usize, MoveId)>,
    /// When the search began, by the clock of the budget.
    pub(super) began: Duration,
    /// Whether the search can end, since nothing can change any more.
    pub(super) done: AtomicBool,
    pub(super) playouts: AtomicU64,
    pub(super) passed: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) limits: Limits,
    pub(super) budget: &'a Budget,
    pub(super) publish: Publish<'a>,
}

impl Run<'_> {
    /// The loop of one worker. Only the one that leads publishes, and ends the search early.
    pub(super) fn work(&self, worker: &mut Worker, leads: bool) {
        let Some(root) = worker.root else {
            return;
        };
        worker.proof_time = Duration::ZERO;
        worker.proofs = [0; 2];
        worker.questions = Questions::default();
        worker.length = Length::default();
        let known = worker.visits();
        let mut batches = 0u64;
        while self.budget.check().is_ok()
            && !self.done.load(Ordering::Relaxed)
            && self.passed.load(Ordering::Relaxed) < self.limits.nodes
        {
            let left = self.reserve();
            if left == 0 {
                break;
            }
            if !self.descend(worker, root, left) || !self.run_playouts(worker) {
                for descent in &worker.descents {
                    undo(&mut worker.graph, &descent.path);
                }
                break;
            }
            self.backpropagate(worker);
            let since = worker.stages.begin(self.budget);
            let near = self.is_near(worker, root);
            self.search_proofs(worker, root, near);
            if leads && near {
                self.ask_questions(worker, root);
            }
            worker.stages.end(Stage::Proofs, since, self.budget);
            worker.review_watching(self.config);
            batches += 1;
            let solved = worker.graph.get(root).is_some_and(|root| {
                let own = root.stats[self.role.0].bounds;
                root.is_solved() || own.low == 100
            });
            let every = self.config.publish_every.max(1);
            let due = batches < every || batches.is_multiple_of(every);
            if leads && (solved || due) {
                self.publish(worker, root, known);
            }
            if solved {
                self.done.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Publishes the best move so far, and ends the search if `early` allows it.
    fn publish(&self, worker: &mut Worker, root: NodeRef, known: u32) {
        let graph = &worker.graph;
        let candidates = candidates(graph, root, self.role.0, self.config, None);
        if let Some(best) = best(&candidates, self.config, &mut worker.rng) {
            let early = self.config.early;
            let early = early.filter(|_| self.limits == Limits::default());
            let made = worker.visits().saturating_sub(known);
            let expected_visits = early.map(|part| part * self.expected_visits(made));
            if expected_visits.is_some_and(|expected_visits| {
                is_decided(graph, root, &candidates, best, expected_visits)
            }) {
                self.done.store(true, Ordering::Relaxed);
            }
            let (mv, worker) = (candidates[best].mv, &*worker);
            (self.publish)(&SoFar::new(mv, &|| {
                worker.report(mv, &candidates, Some(best), self.config, self.counts(known))
            }));
        }
    }

    /// What has been counted so far. `known` are the visits of the root before.
    pub(super) fn counts(&self, known: u32) -> Counts {
        Counts {
            known,
            playouts: self.playouts.load(Ordering::Relaxed),
            passed: self.passed.load(Ordering::Relaxed),
            failures: self.failures.load(Ordering::Relaxed),
        }
    }

    /// Visits of the root until the deadline, at the speed of the `made` ones.
    fn expected_visits(&self, made: u32) -> f64 {
        let spent = self.budget.clock().now().saturating_sub(self.began);
        match self.budget.remaining() {
            Some(left) if !spent.is_zero() => {
                f64::from(made) * left.as_secs_f64() / spent.as_secs_f64()
            }
            _ => f64::INFINITY,
        }
    }

    /// Reserves leaves of the limit on playouts for a batch. Returns their number.
    fn reserve(&self) -> u32 {
        let batch = u64::from(self.config.batch.max(1));
        let each = u64::from(self.config.playouts.max(1));
        let before = self.playouts.fetch_add(batch * each, Ordering::Relaxed);
        let left = self
            .limits
            .playouts
            .saturating_sub(before)
            .div_ceil(each)
            .min(batch);
        self.playouts
            .fetch_sub((batch - left) * each, Ordering::Relaxed);
        left as u32
    }

    /// Runs the descents of a batch. `false` if the budget ended first.
    fn descend(&self, worker: &mut Worker, root: NodeRef, count: u32) -> bool {
        let mut descents = std::mem::take(&mut worker.descents);
        descents.resize_with(count as usize, Descent::new);
        descents.iter_mut().for_each(|descent| descent.path.clear());
        let mut policy = self.tree_policy(worker);
        let before = policy.expander.transitions;
        let (since, inner) = (policy.stages.begin(self.budget), policy.stages.sum());
        let (mut failures, mut passed, mut known) = (0, 0, 0);
        for descents in descents.chunks_mut(self.config.lockstep.max(1)) {
            failures += policy.descend(root, descents);
        }
        policy.stages.end_descent(since, inner, self.budget);
        let over = policy.over;
        let steps = policy.expander.transitions - before;
        for Descent { path, leaf, .. } in &descents {
            passed += path.nodes.len() as u64;
            known += u64::from(*leaf == Leaf::Value);
        }
        worker.descents = descents;
        self.failures.fetch_add(failures, Ordering::Relaxed);
        // Reserved playouts of descents without playouts are given back, all but one.
        let each = u64::from(self.config.playouts.max(1));
        self.playouts
            .fetch_sub(known * (each - 1), Ordering::Relaxed);
        self.passed.fetch_add(passed + steps, Ordering::Relaxed);
        !over
    }

    /// The tree policy of a worker.
    pub(super) fn tree_policy<'w>(
        &'w self,
        worker: &'w mut Worker,
    ) -> TreePolicy<'w, Xoshiro256PlusPlus> {
        worker.checks.resume(self.budget);
        TreePolicy {
            graph: &mut worker.graph,
            expander: &mut worker.expander,
            priors: worker.learner.prior_weights(self.config, worker.watches),
            watches: worker.watches,
            evaluation: &mut worker.learner.evaluation,
            config: self.config,
            fixed: self.fixed,
            proof_queue: &mut worker.proof_queue,
            rng: &mut worker.rng,
            stages: &mut worker.stages,
            budget: self.budget,
            checks: &mut worker.checks,
            over: false,
        }
    }

    /// Runs playouts from the leaves that need them. `false` if the budget ended first.
    fn run_playouts(&self, worker: &mut Worker) -> bool {
        for tally in &mut worker.tallies {
            tally.clear(worker.roles);
        }
        if worker.learner.evaluation.is_known() && self.config.leaf_value >= 1.0 {
            return self.budget.check().is_ok();
        }
        let playouts = u64::from(self.config.playouts.max(1));
        let open = worker
            .descents
            .iter()
            .filter(|descent| descent.leaf == Leaf::Playouts);
        let starts = open.map(|Descent { state, .. }| Start { state, playouts });
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
            let open = worker.descents.iter();
            let open = open.filter(|descent| descent.leaf == Leaf::Playouts);
            for (tally, Descent { path, .. }) in worker.tallies.iter().zip(open) {
                let playouts = tally.finished + tally.cut;
                (worker.length).add(playouts, tally.steps, path.nodes.len());
            }
        }
        let steps: u64 = worker.tallies.iter().map(|tally| tally.steps).sum();
        self.passed.fetch_add(steps, Ordering::Relaxed);
        true
    }

    /// Backpropagates the samples of a batch, and learns from them.
    fn backpropagate(&self, worker: &mut Worker) {
        let since = worker.stages.begin(self.budget);
        let graph = &mut worker.graph;
        let mut tallies = worker.tallies.iter_mut();
        for Descent {
            path,
            leaf,
            sample,
            state,
            ..
        } in &mut worker.descents
        {
            sample.values.clear();
            sample.tally.finished = 0;
            match leaf {
                Leaf::Value => {
                    let last = path.nodes.last();
                    if let Some(last) = last.and_then(|&last| graph.get(last)) {
                        let values = last.stats.iter();
                        sample
                            .values
                            .extend(values.map(|role| role.value(last.samples)));
                        continue;
                    }
                    // The last node was evicted, so that there is no sample.
                    undo(graph, path);
                    path.clear();
                }
                Leaf::Playouts => {
                    let tally = tallies.next();
                    let values = (0..worker.roles).map(|role| {
                        let tally = tally.as_deref();
                        tally.map_or(self.config.unknown, |tally| self.mean(tally, role))
                    });
                    sample.values.extend(values);
                    let part = self.config.leaf_value;
                    if part > 0.0 && worker.learner.evaluation.is_known() {
                        let bits = worker.expander.bits_of(state);
                        worker.learner.evaluation.near(bits);
                        for (role, value) in sample.values.iter_mut().enumerate() {
                            let known = worker.learner.evaluation.value(bits, role);
                            *value += part * (f64::from(known) - *value);
                        }
                    }
                    if let Some(tally) = tally.filter(|_| worker.watches) {
                        std::mem::swap(&mut sample.tally, tally);
                    }
                }
            }
        }
        backpropagate(graph, &mut worker.descents, self.config);
        worker
            .stages
            .end(Stage::Backpropagation, since, self.budget);
        let since = worker.stages.begin(self.budget);
        if self.config.learning.visits > 0.0 {
            for Descent {
                path, leaf, sample, ..
            } in &mut worker.descents
            {
                let (learner, expander) = (&mut worker.learner, &mut worker.expander);
                let values = &mut sample.values;
                learner.learn(expander, graph, path, *leaf, values, self.config);
            }
        }
        worker.stages.end(Stage::Learning, since, self.budget);
    }

    /// The mean result of a role in playouts, 0 to 1.
    fn mean(&self, tally: &Tally, role: usize) -> f64 {
        let cut = tally.cut as f64;
        let all = tally.finished as f64 + cut;
        let sum = tally.goals[role] as f64 / 100.0 + cut * self.config.unknown;
        if all > 0.0 {
            sum / all
        } else {
            self.config.unknown
        }
    }
}
