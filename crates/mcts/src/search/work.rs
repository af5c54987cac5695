//! What the threads of a search do, batch after batch: choose leaves, make playouts from all of them, and
//! bring back what these came to.

use super::Publish;
use super::worker::Worker;
use crate::answer::{best, candidates, is_settled};
use crate::backup::{backup, undo};
use crate::descend::Descent;
use crate::node::NodeRef;
use crate::path::{Leaf, Traversal};
use crate::{Config, Limits};
use budget::Budget;
use game::{MoveId, RoleId, Start, Tally};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What one search did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) playouts: u64,
    pub(super) passed: u64,
    pub(super) failures: u64,
}

/// What the workers of one search share.
pub(super) struct Shared<'a> {
    pub(super) config: &'a Config,
    pub(super) role: RoleId,
    /// A role that has decided for a move at the root.
    pub(super) held: Option<(usize, MoveId)>,
    /// When it began, by the clock of the budget.
    pub(super) began: Duration,
    /// Whether there is nothing more to find out.
    pub(super) done: AtomicBool,
    pub(super) playouts: AtomicU64,
    pub(super) passed: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) limits: Limits,
    pub(super) budget: &'a Budget,
    pub(super) publish: Publish<'a>,
}

impl Shared<'_> {
    /// What one worker does; only the one that leads publishes, and ends the search early.
    pub(super) fn work(&self, worker: &mut Worker, leads: bool) {
        let Some(root) = worker.root else {
            return;
        };
        worker.proving = Duration::ZERO;
        let known = worker.visits();
        let mut batches = 0u64;
        while self.budget.check().is_ok()
            && !self.done.load(Ordering::Relaxed)
            && self.passed.load(Ordering::Relaxed) < self.limits.nodes
        {
            let left = self.share();
            if left == 0 {
                break;
            }
            self.collect(worker, root, left);
            if !self.play(worker) {
                for traversal in &worker.traversals {
                    undo(&mut worker.graph, &traversal.path);
                }
                break;
            }
            self.settle(worker);
            self.ask(worker, root);
            worker.watch_on(self.config);
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

    /// Tells of the best move of a worker, and stops if no other one can become it.
    fn publish(&self, worker: &mut Worker, root: NodeRef, known: u32) {
        let graph = &worker.graph;
        let candidates = candidates(graph, root, self.role.0, self.config, None);
        if let Some(best) = best(&candidates, self.config, &mut worker.rng) {
            let early = self.config.early;
            let early = early.filter(|_| self.limits == Limits::default());
            let made = worker.visits().saturating_sub(known);
            let to_come = early.map(|part| part * self.to_come(made));
            if to_come.is_some_and(|to_come| is_settled(graph, root, &candidates, best, to_come)) {
                self.done.store(true, Ordering::Relaxed);
            }
            (self.publish)(candidates[best].mv);
        }
    }

    /// Visits of a root that are to be expected until the deadline after so many, if it goes on like
    /// this.
    fn to_come(&self, made: u32) -> f64 {
        let spent = self.budget.clock().now().saturating_sub(self.began);
        match self.budget.remaining() {
            Some(left) if !spent.is_zero() => {
                f64::from(made) * left.as_secs_f64() / spent.as_secs_f64()
            }
            _ => f64::INFINITY,
        }
    }

    /// How many leaves a worker may take now; they are counted as taken.
    fn share(&self) -> u32 {
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

    /// Chooses leaves.
    fn collect(&self, worker: &mut Worker, root: NodeRef, count: u32) {
        let mut traversals = std::mem::take(&mut worker.traversals);
        traversals.resize_with(count as usize, Traversal::new);
        let mut descent = self.descent(worker);
        let before = descent.expander.steps;
        let (mut failures, mut passed, mut known) = (0, 0, 0);
        for traversals in traversals.chunks_mut(self.config.lockstep.max(1)) {
            failures += descent.descend(root, traversals);
        }
        let steps = descent.expander.steps - before;
        for Traversal { path, leaf, .. } in &traversals {
            passed += path.nodes.len() as u64;
            known += u64::from(*leaf == Leaf::Known);
        }
        worker.traversals = traversals;
        self.failures.fetch_add(failures, Ordering::Relaxed);
        // Where nothing is played, a visit counts as one playout.
        let each = u64::from(self.config.playouts.max(1));
        self.playouts
            .fetch_sub(known * (each - 1), Ordering::Relaxed);
        self.passed.fetch_add(passed + steps, Ordering::Relaxed);
    }

    /// What it takes a worker to walk.
    fn descent<'w>(&'w self, worker: &'w mut Worker) -> Descent<'w, Xoshiro256PlusPlus> {
        Descent {
            graph: &mut worker.graph,
            expander: &mut worker.expander,
            trust: worker.learnt.trust(self.config, worker.watches),
            watches: worker.watches,
            evaluation: &mut worker.learnt.evaluation,
            config: self.config,
            held: self.held,
            asks: &mut worker.asks,
            rng: &mut worker.rng,
        }
    }

    /// Asks about the nodes that are due, as long as proofs have had no more than their part of the time; others wait.
    fn ask(&self, worker: &mut Worker, root: NodeRef) {
        let Some(mut prover) = worker.prover.take() else {
            worker.asks.clear();
            return;
        };
        let proofs = &self.config.proofs;
        let before = prover.states();
        let mut regain = std::mem::take(&mut worker.regain);
        let mut asked = 0;
        while asked < worker.asks.len()
            && self.budget.check().is_ok()
            && !self.done.load(Ordering::Relaxed)
        {
            let at = worker.asks[asked];
            let regain = regain.take().filter(|_| at == root);
            let budget = self.budget;
            let since = budget.clock().now();
            let short = match regain {
                // A move for what was proved is needed, whatever it takes, but not at the cost of all else.
                Some(_) => budget.share(proofs.root_time),
                None => match self.left_for_proofs(since, worker.proving) {
                    Some(left) if left < proofs.min_time => break,
                    Some(left) => budget.clone().with_timeout(left),
                    None => budget.clone(),
                },
            };
            let mut descent = self.descent(worker);
            let answer = descent.ask(at, root, regain, &mut prover, budget, &short);
            let failed = u64::from(answer.is_err());
            self.failures.fetch_add(failed, Ordering::Relaxed);
            worker.proving += budget.clock().now().saturating_sub(since);
            asked += 1;
        }
        worker.asks.drain(..asked);
        worker.asks.truncate(proofs.queue);
        let made = prover.states() - before;
        self.passed.fetch_add(made, Ordering::Relaxed);
        worker.prover = Some(prover);
    }

    /// How much time there is for proofs `now`, after so much of it went there; `None` for all there is.
    fn left_for_proofs(&self, now: Duration, spent: Duration) -> Option<Duration> {
        let part = self.config.proofs.time;
        // What depends on the clock would not repeat.
        let bounded = part < 1.0 && self.limits == Limits::default();
        let all = now.saturating_sub(self.began);
        bounded.then(|| all.mul_f64(part.max(0.0)).saturating_sub(spent))
    }

    /// Makes playouts from the open leaves. `false` if the budget ended first.
    fn play(&self, worker: &mut Worker) -> bool {
        for tally in &mut worker.tallies {
            tally.clear(worker.roles);
        }
        let playouts = u64::from(self.config.playouts.max(1));
        let open = worker
            .traversals
            .iter()
            .filter(|traversal| traversal.leaf == Leaf::Open);
        let starts = open.map(|Traversal { state, .. }| Start { state, playouts });
        let starts: Vec<Start<'_>> = starts.collect();
        if starts.is_empty() {
            return true;
        }
        let made = worker
            .playouts
            .run(&starts, &mut worker.tallies, self.budget);
        if made.is_err() {
            if self.budget.check().is_err() {
                return false;
            }
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        let steps: u64 = worker.tallies.iter().map(|tally| tally.steps).sum();
        self.passed.fetch_add(steps, Ordering::Relaxed);
        true
    }

    /// Brings the samples back.
    fn settle(&self, worker: &mut Worker) {
        let graph = &mut worker.graph;
        let mut tallies = worker.tallies.iter_mut();
        for Traversal {
            path, leaf, sample, ..
        } in &mut worker.traversals
        {
            sample.values.clear();
            sample.tally.finished = 0;
            match leaf {
                Leaf::Known => {
                    let last = path.nodes.last();
                    if let Some(last) = last.and_then(|&last| graph.get(last)) {
                        let values = last.stats.iter();
                        sample
                            .values
                            .extend(values.map(|role| role.value(last.updates)));
                        continue;
                    }
                    // It had to make room for others, and nothing came of the way.
                    undo(graph, path);
                    path.clear();
                }
                Leaf::Open => {
                    let tally = tallies.next();
                    let values = (0..worker.roles).map(|role| {
                        let tally = tally.as_deref();
                        tally.map_or(self.config.unknown, |tally| self.mean(tally, role))
                    });
                    sample.values.extend(values);
                    if let Some(tally) = tally.filter(|_| worker.watches) {
                        std::mem::swap(&mut sample.tally, tally);
                    }
                }
            }
        }
        backup(graph, &mut worker.traversals, self.config);
        if self.config.learning.visits > 0.0 {
            for Traversal {
                path, leaf, sample, ..
            } in &mut worker.traversals
            {
                let (learnt, expander) = (&mut worker.learnt, &mut worker.expander);
                let values = &mut sample.values;
                learnt.learn(expander, graph, path, *leaf, values, self.config);
            }
        }
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
