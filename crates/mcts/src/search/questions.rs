//! Questions about the root, asked outright.
//!
//! Can the role force a better result from here? Can the others force a better one after the move
//! that leads, and after the next best? These decide what is played, so they are asked from the
//! first batch on and again and again, in slices that grow. Proofs from nodes with many visits
//! (module `proofs`) follow where the search looks anyway; here the search is asked where it may
//! be wrong.

use super::run::Run;
use super::worker::Worker;
use crate::Limits;
use crate::answer::candidates;
use crate::node::NodeRef;
use budget::Budget;
use game::MoveId;
use provers::Answer;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A question about the result that the value is further from gets one in this many states.
const UNLIKELY: u64 = 3;

/// A slice takes one in this many of the time so far, at least, where time bounds questions: what
/// a proof search works on has to come back into the caches.
const SLICES: u32 = 64;

/// A question about a state, and how far it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The move after which the result is asked for; `None` for the state itself.
    pub mv: Option<MoveId>,
    /// Whether the role can force at least this result.
    pub at_least: u8,
    /// States that it has taken.
    pub states: u64,
    /// The answer, once it is proved.
    pub answer: Option<bool>,
}

/// The questions of one search.
#[derive(Debug, Default)]
pub(super) struct Questions {
    all: Vec<Question>,
    /// Places of questions that nothing more can be found out about, as where several roles
    /// choose at once below.
    stuck: Vec<usize>,
    /// The time that they took, and the states.
    time: Duration,
    states: u64,
}

impl Questions {
    /// The questions that were asked, in the order of the first time.
    pub(super) fn asked(&self) -> Vec<Question> {
        let asked = self.all.iter().filter(|question| question.states > 0);
        asked.copied().collect()
    }

    /// The place of a question, which is new if it is asked for the first time.
    fn place(&mut self, mv: Option<MoveId>, at_least: u8) -> usize {
        let same = |own: &Question| (own.mv, own.at_least) == (mv, at_least);
        self.all.iter().position(same).unwrap_or_else(|| {
            self.all.push(Question {
                mv,
                at_least,
                states: 0,
                answer: None,
            });
            self.all.len() - 1
        })
    }
}

impl Run<'_> {
    /// Asks what is due, while questions are within their part of the time. With limits on the
    /// search, states count instead, so that it repeats.
    pub(super) fn ask_questions(&self, worker: &mut Worker, root: NodeRef) {
        let config = &self.config.questions;
        while self.budget.check().is_ok() && !self.done.load(Ordering::Relaxed) {
            let since = self.budget.clock().now();
            let (states, short) = match self.limits == Limits::default() {
                true => {
                    let spent = since.saturating_sub(self.began);
                    let left = spent
                        .mul_f64(config.time)
                        .saturating_sub(worker.questions.time);
                    if left < config.min_time.max(spent / SLICES) {
                        return;
                    }
                    (u64::MAX, self.budget.clone().with_timeout(left))
                }
                false => {
                    let all = (f64::from(worker.visits()) * config.states) as u64;
                    let left = all.saturating_sub(worker.questions.states);
                    if left < config.first_states {
                        return;
                    }
                    (left, self.budget.clone())
                }
            };
            let Some(place) = self.next_question(worker, root) else {
                return;
            };
            self.ask_question(worker, root, place, states, &short);
            let spent = self.budget.clock().now().saturating_sub(since);
            worker.questions.time += spent;
        }
    }

    /// The open question that has taken the fewest states for its weight.
    ///
    /// Most weight have those that are likely to change the choice: whether the state is worth the
    /// result that its value is nearer to, and whether the others can refute the move that leads.
    /// That a move is worth the best result is part of the question about the state.
    fn next_question(&self, worker: &mut Worker, root: NodeRef) -> Option<usize> {
        let role = self.role.0;
        let node = worker.graph.get(root)?;
        let (stats, samples) = (node.stats[role], node.samples);
        let own = node.chooser() == Some(role);
        drop(node);
        let bounds = stats.bounds;
        if !own || bounds.is_exact() {
            return None;
        }
        let mut moves = candidates(&worker.graph, root, role, self.config, None);
        let low = moves.iter().map(|own| own.bounds.low).max()?;
        // A move that cannot be better than another one needs no proof.
        moves.retain(|own| own.bounds.high > low);
        moves.sort_by_key(|own| std::cmp::Reverse(own.visits));
        moves.truncate(self.config.questions.moves);
        // Without a constant sum the others need not play against the role: only wins are proved.
        let among = self.config.results;
        let worst = self.config.sum.map(|_| among.at_least(low + 1));
        let best = among.at_least(bounds.high.max(low + 1));
        let middle = (f64::from(bounds.low) + f64::from(bounds.high)) / 200.0;
        let mut results = vec![best];
        results.extend(worst.filter(|worst| *worst < best));
        if stats.value(samples) < middle {
            results.reverse();
        }
        let mut due: Option<(u64, usize)> = None;
        for (&at_least, likely) in results.iter().zip([1, UNLIKELY]) {
            let refuted = moves.iter().filter(|_| worst == Some(at_least));
            let of_moves = refuted.zip([1, 2, 4].into_iter().chain(std::iter::repeat(8)));
            let of_moves = of_moves.filter(|(own, _)| own.bounds.high >= at_least);
            let of_moves = of_moves.filter(|(own, _)| own.bounds.low < at_least);
            let of_moves = of_moves.map(|(own, rank)| (Some(own.mv), rank));
            for (mv, rank) in std::iter::once((None, 1)).chain(of_moves) {
                let place = worker.questions.place(mv, at_least);
                let question = worker.questions.all[place];
                let open = question.answer.is_none() && !worker.questions.stuck.contains(&place);
                let weighed = question.states.saturating_mul(likely * rank);
                if open && due.is_none_or(|(least, _)| weighed < least) {
                    due = Some((weighed, place));
                }
            }
        }
        due.map(|(_, place)| place)
    }

    /// Asks a question for a slice longer than all its slices so far.
    fn ask_question(
        &self,
        worker: &mut Worker,
        root: NodeRef,
        place: usize,
        states: u64,
        short: &Budget,
    ) {
        // Questions have a proof search of their own, or that of all other proofs.
        let own = worker.asker.is_some();
        let taken = worker.asker.take().or_else(|| worker.prover.take());
        let Some(mut prover) = taken else {
            return;
        };
        let question = worker.questions.all[place];
        let before = prover.states();
        let slice = question.states.max(self.config.questions.first_states);
        let slice = slice.min(states);
        let mut policy = self.tree_policy(worker);
        let answer = policy.ask_at_root(root, question, &mut *prover, slice, short);
        let failed = u64::from(answer.is_err());
        self.failures.fetch_add(failed, Ordering::Relaxed);
        let made = (prover.states() - before).max(1);
        self.passed.fetch_add(made, Ordering::Relaxed);
        let questions = &mut worker.questions;
        questions.states += made;
        let question = &mut questions.all[place];
        question.states += made;
        question.answer = match answer {
            Ok(Answer::Yes { .. }) => Some(true),
            Ok(Answer::No { .. }) => Some(false),
            Ok(Answer::Open) | Err(_) => None,
        };
        if made < slice && question.answer.is_none() && short.check().is_ok() {
            questions.stuck.push(place);
        }
        match own {
            true => worker.asker = Some(prover),
            false => worker.prover = Some(prover),
        }
    }
}
