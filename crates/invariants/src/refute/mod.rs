//! A refuter: proves by case analysis over the gates that signals cannot have given values
//! together.
//!
//! Assumed values are propagated downwards (both inputs of an and-gate that is true are true,
//! and a move that is played is legal). All other signals are evaluated on demand only, in three
//! values. Then the refuter splits: one case for every way in which an or-gate can be true. This
//! is the justification-driven search of circuit test generation, without learning. It is fast
//! here because nearly all queries are decided near the root, while forward propagation of every
//! value would visit the thousands of readers of each fact and move.
//!
//! Every inference holds in all states that satisfy the assumed invariants, for all joint moves
//! in which each role plays exactly one of its moves, and a legal one.

mod evaluate;
mod phases;
mod propagate;
mod split;
mod stuck;
mod trail;
mod value;

pub use stuck::Stuck;

use crate::invariant::Assumed;
use netlist::{GameLogic, Lit};
use trail::{Mark, Undo};
use value::{FALSE, Node};

/// The state of one search.
pub struct Refuter<'l> {
    logic: &'l GameLogic,
    pub assumed: Assumed,
    nodes: Vec<Node>,
    now: u64,
    since: u64,
    trail: Vec<Undo>,
    queue: Vec<Lit>,
    /// Gates whose value is assumed while the values of their inputs are open.
    pending: Vec<u32>,
    marks: Vec<Mark>,
    /// For each group, the member known to hold.
    chosen: Vec<Option<u32>>,
    /// For each role, the move known to be played, and whether some move is known not to be
    /// played.
    made: Vec<Option<u32>>,
    narrowed: Vec<bool>,
    /// For each role, two moves that were possible at the last check.
    witnesses: Vec<[u32; 2]>,
    /// Invariants that inferences needed since the last [`Refuter::take_used`].
    used: Vec<bool>,
    used_list: Vec<u32>,
    /// Work done, in node visits, and the count at which the present query gives up.
    pub steps: u64,
    limit: u64,
    /// The count at which even an evaluation in progress gives up.
    stop: u64,
    stack: Vec<u32>,
    seen: Vec<u32>,
    seen_now: u32,
    /// Where a refutation first got stuck since the last [`Refuter::take_stuck`].
    stuck: Option<Stuck>,
}

impl<'l> Refuter<'l> {
    /// Starts with no assumptions but the invariants.
    pub fn new(logic: &'l GameLogic, assumed: Assumed) -> Self {
        let nodes = logic.net.len();
        let invariants = assumed.len();
        let mut refuter = Refuter {
            logic,
            assumed,
            nodes: vec![Node::default(); nodes],
            now: 1,
            since: 1,
            trail: Vec::new(),
            queue: Vec::new(),
            pending: Vec::new(),
            marks: Vec::new(),
            chosen: vec![None; invariants],
            made: vec![None; logic.roles()],
            narrowed: vec![false; logic.roles()],
            witnesses: vec![[0, 0]; logic.roles()],
            used: vec![false; invariants],
            used_list: Vec::new(),
            steps: 0,
            limit: u64::MAX,
            stop: u64::MAX,
            stack: Vec::new(),
            seen: vec![0; 2 * nodes],
            seen_now: 0,
            stuck: None,
        };
        refuter.write(0, FALSE);
        refuter.trail.clear();
        refuter
    }

    /// Must be called after an invariant was added to [`Refuter::assumed`].
    pub fn grown(&mut self) {
        self.chosen.resize(self.assumed.len(), None);
        self.used.resize(self.assumed.len(), false);
    }

    /// Sets the work that the following queries may do in total, in node visits.
    pub fn allow(&mut self, steps: u64) {
        self.limit = self.steps + steps;
    }

    /// Sets the total step count, over all queries, after which every value is unknown at once;
    /// `u64::MAX` for never.
    pub fn stop_at(&mut self, steps: u64) {
        self.stop = steps;
    }

    /// Whether the allowed work is used up; from then on every value is unknown.
    pub fn is_exhausted(&self) -> bool {
        self.steps >= self.limit
    }

    /// The invariants that inferences needed since the last call.
    pub fn take_used(&mut self) -> Vec<u32> {
        for &id in &self.used_list {
            self.used[id as usize] = false;
        }
        std::mem::take(&mut self.used_list)
    }

    /// Records that an inference needed an invariant.
    pub fn mark_used(&mut self, id: u32) {
        if !std::mem::replace(&mut self.used[id as usize], true) {
            self.used_list.push(id);
        }
    }
}
