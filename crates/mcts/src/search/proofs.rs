//! Proof searches between the batches of a search.

use super::run::Run;
use super::worker::Worker;
use crate::Limits;
use crate::node::NodeRef;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Run<'_> {
    /// Runs proof searches for the nodes that are due, while proofs are within their part of the
    /// time, which is less beside questions about the root. The other nodes wait.
    pub(super) fn search_proofs(&self, worker: &mut Worker, root: NodeRef, beside: bool) {
        let Some(mut prover) = worker.prover.take() else {
            worker.proof_queue.clear();
            return;
        };
        let proofs = &self.config.proofs;
        let before = prover.states();
        let mut reprove = std::mem::take(&mut worker.reprove);
        let mut asked = 0;
        while asked < worker.proof_queue.len()
            && self.budget.check().is_ok()
            && !self.done.load(Ordering::Relaxed)
        {
            let at = worker.proof_queue[asked];
            let reprove = reprove.take().filter(|_| at == root);
            let budget = self.budget;
            let since = budget.clock().now();
            let short = match reprove {
                // A move is needed for what was proved, but not at the cost of all other search.
                Some(_) => budget.share(proofs.root_time),
                None => match self.time_for_proofs(since, worker, beside) {
                    Some(left) if left < proofs.min_time => break,
                    Some(left) => budget.clone().with_timeout(left),
                    None => budget.clone(),
                },
            };
            let mut policy = self.tree_policy(worker);
            let answer = policy.search_proof(at, root, reprove, &mut *prover, budget, &short);
            let failed = u64::from(answer.is_err());
            self.failures.fetch_add(failed, Ordering::Relaxed);
            worker.proofs[0] += 1;
            worker.proofs[1] += u64::from(answer.unwrap_or(false));
            worker.proof_time += budget.clock().now().saturating_sub(since);
            asked += 1;
        }
        worker.proof_queue.drain(..asked);
        worker.proof_queue.truncate(proofs.queue);
        let made = prover.states() - before;
        self.passed.fetch_add(made, Ordering::Relaxed);
        worker.prover = Some(prover);
    }

    /// The time for proofs `now`, after what they took already; `None` for all that is left.
    fn time_for_proofs(&self, now: Duration, worker: &Worker, beside: bool) -> Option<Duration> {
        let alone = self.config.proofs.time;
        let part = match beside {
            true => alone.min(self.config.questions.beside),
            false => alone,
        };
        let spent = worker.proof_time;
        // A search with limits has to repeat, so that it must not depend on the clock.
        let bounded = part < 1.0 && self.limits == Limits::default();
        let all = now.saturating_sub(self.began);
        bounded.then(|| all.mul_f64(part.max(0.0)).saturating_sub(spent))
    }
}
