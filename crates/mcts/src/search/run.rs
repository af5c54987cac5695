//! The loop of each thread, batch after batch, and what it publishes.

use super::Publish;
use super::questions::Questions;
use super::reach::Length;
use super::report::{Counts, SoFar};
use super::worker::Worker;
use crate::answer::{best, candidates, is_decided};
use crate::backpropagate::undo;
use crate::descend::TreePolicy;
use crate::node::NodeRef;
use crate::stages::Stage;
use crate::{Config, Limits};
use budget::Budget;
use game::{MoveId, RoleId};
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
                    undo(&mut worker.graph, descent);
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
        worker.graph.publish();
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
            visits: worker.visits_each,
            spare: 0,
            over: false,
        }
    }
}
