//! What a search has found, in the end and while it goes on.

use super::questions::Question;
use super::worker::Worker;
use crate::Config;
use crate::answer::{Candidate, principal_variation};
use game::MoveId;

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The move to play; a random one if no playout finished.
    pub best: MoveId,
    /// Its statistics; `None` if the role had no choice or nothing was searched.
    pub candidate: Option<Candidate>,
    /// Statistics of all moves, if the role has a choice.
    pub candidates: Vec<Candidate>,
    /// The principal variation, as long as one role at a time chooses: the role and the move of
    /// each decision.
    pub expected: Vec<(usize, MoveId)>,
    /// Whether the results of all roles are proved.
    pub solved: bool,
    /// Visits of this state by earlier searches.
    pub known: u32,
    /// Playouts of this search; a visit of a solved node counts as one.
    pub playouts: u64,
    /// States passed by this search, in the graph and in playouts, as
    /// [`Limits::nodes`](crate::Limits::nodes) counts them.
    pub passed: u64,
    /// Descents, batches of playouts and proof searches in which the engine failed.
    pub failures: u64,
    /// Nodes in the graph.
    pub nodes: usize,
    /// Bytes of these nodes.
    pub bytes: usize,
    /// R² of the priors by learnt values of states and by final states of playouts, as
    /// predictions of what moves change, in the first thread; `None` if nothing was learnt. Nodes
    /// with many samples are the data.
    pub foretold: Option<f64>,
    /// The gain in R² by final states of playouts alone.
    pub by_ends: Option<f64>,
    /// Proof searches for nodes of this search, and how many had an answer, in the first thread.
    pub proofs: [u64; 2],
    /// What was asked about the state, the last search's questions alone.
    pub questions: Vec<Question>,
}

impl Report {
    /// The report on a move of which nothing is known yet but that it is legal.
    pub(super) fn unsearched(best: MoveId) -> Report {
        Report {
            best,
            candidate: None,
            candidates: Vec::new(),
            expected: Vec::new(),
            solved: false,
            known: 0,
            playouts: 0,
            passed: 0,
            failures: 0,
            nodes: 0,
            bytes: 0,
            foretold: None,
            by_ends: None,
            proofs: [0; 2],
            questions: Vec::new(),
        }
    }
}

/// A search that is going on, as those see it who want to know its best move so far.
pub struct SoFar<'a> {
    /// The best move so far.
    pub best: MoveId,
    report: &'a dyn Fn() -> Report,
}

impl<'a> SoFar<'a> {
    pub(super) fn new(best: MoveId, report: &'a dyn Fn() -> Report) -> Self {
        SoFar { best, report }
    }

    /// What the search has found so far. It is put together in this call, which takes
    /// microseconds, so it should not be made for every move that is published.
    pub fn report(&self) -> Report {
        (self.report)()
    }
}

/// Counters of one search.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Visits of the root by earlier searches.
    pub(super) known: u32,
    pub(super) playouts: u64,
    pub(super) passed: u64,
    pub(super) failures: u64,
}

impl Worker {
    /// The report of a search. `found` are the statistics of all moves, empty if there was no
    /// choice or nothing was searched; `place` is that of the best one among them, and `fallback`
    /// is the move without it.
    pub(super) fn report(
        &self,
        fallback: MoveId,
        found: &[Candidate],
        place: Option<usize>,
        config: &Config,
        counts: Counts,
    ) -> Report {
        let candidate = place.map(|place| found[place]);
        let root = self.root().filter(|_| !found.is_empty());
        let fit = self.learner.predictions.fit();
        Report {
            best: candidate.map_or(fallback, |candidate| candidate.mv),
            candidate,
            candidates: found.to_vec(),
            expected: root.map_or_else(Vec::new, |(graph, root)| {
                principal_variation(graph, root, config.max_line)
            }),
            solved: root
                .and_then(|(graph, root)| graph.get(root))
                .is_some_and(|root| root.is_solved()),
            known: counts.known,
            playouts: counts.playouts,
            passed: counts.passed,
            failures: counts.failures,
            nodes: self.graph.len(),
            bytes: self.graph.bytes(),
            foretold: fit.map(|fit| fit.part),
            by_ends: fit.map(|fit| fit.added),
            proofs: self.proofs,
            questions: self.questions.asked(),
        }
    }
}
