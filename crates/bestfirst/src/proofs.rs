//! Proof-number search from nodes with many visits.

use crate::tree::{Tree, WIN, certain};
use budget::Budget;
use dfpn::{Answer, ProofSearch};
use game::{EngineError, MoveId};
use heuristics::Outputs;
use std::time::Duration;

/// Visits of a node before its first question.
const FIRST: u32 = 32;
/// States that a question may generate for each visit of the node, and at most.
const STATES: u64 = 16;
const MOST: u64 = 1 << 20;
/// Nodes that wait for a question, at most.
const QUEUE: usize = 64;
/// The part of the time that questions may take.
const TIME: f64 = 0.5;

/// The nodes and edges from the root to a node.
pub(crate) type Path = Vec<(u32, usize)>;

/// A question that is due.
struct Due {
    /// The nodes and edges from the root to the node.
    path: Path,
    at: u32,
    /// Whether the role hopes to win, if that is known; else it is what the node seems to be.
    hopes: Option<bool>,
}

/// Questions that are due, and the prover that answers them.
pub(crate) struct Proofs {
    prover: Box<dyn ProofSearch>,
    outputs: Outputs,
    queue: Vec<Due>,
    /// The time spent in this search.
    spent: Duration,
    /// Questions asked and answered in this search.
    pub asked: u64,
    pub answered: u64,
}

impl Proofs {
    pub fn new(prover: Box<dyn ProofSearch>, outputs: Outputs) -> Proofs {
        Proofs {
            prover,
            outputs,
            queue: Vec::new(),
            spent: Duration::ZERO,
            asked: 0,
            answered: 0,
        }
    }

    /// Begins a new search.
    pub fn begin(&mut self) {
        self.prover.next_turn();
        self.queue.clear();
        (self.spent, self.asked, self.answered) = (Duration::ZERO, 0, 0);
    }

    /// Forgets all nodes that wait, whose numbers change.
    pub fn forget_queue(&mut self) {
        self.queue.clear();
    }

    /// Asks again about the root, which was proved to be won or lost for the role.
    pub fn ask_again(&mut self, root: u32, won: bool) {
        self.queue.push(Due {
            path: Path::new(),
            at: root,
            hopes: Some(won),
        });
    }

    /// Puts a node on the queue if its number of visits has doubled.
    pub fn visited(&mut self, path: &[(u32, usize)], at: u32, visits: u32) {
        if visits >= FIRST && visits.is_power_of_two() && self.queue.len() < QUEUE {
            self.queue.push(Due {
                path: path.to_vec(),
                at,
                hopes: None,
            });
        }
    }

    /// The states that questions have generated.
    pub fn states(&self) -> u64 {
        self.prover.states()
    }

    /// Asks what is due, while questions are within their part of the time since `began`; with
    /// `repeats`, all of it. Returns the paths to nodes about which something was proved.
    pub fn ask(
        &mut self,
        tree: &mut Tree,
        root: u32,
        began: Duration,
        repeats: bool,
        budget: &Budget,
    ) -> Vec<Path> {
        let mut solved = Vec::new();
        while !self.queue.is_empty() && budget.check().is_ok() {
            let now = budget.clock().now();
            let left = now.saturating_sub(began).mul_f64(TIME);
            let left = left.saturating_sub(self.spent);
            let short = match repeats {
                true => budget.clone(),
                false if left.is_zero() => break,
                false => budget.clone().with_timeout(left),
            };
            let Due { path, at, hopes } = self.queue.remove(0);
            let changed = self.ask_about(tree, at, hopes, at == root, &short);
            self.spent += budget.clock().now().saturating_sub(now);
            if changed.unwrap_or(false) {
                solved.push(path);
            }
        }
        solved
    }

    /// Asks whether the role wins from a node or, if it seems to lose, whether the others can
    /// win. Returns whether anything was proved.
    fn ask_about(
        &mut self,
        tree: &mut Tree,
        at: u32,
        hopes: Option<bool>,
        is_root: bool,
        budget: &Budget,
    ) -> Result<bool, EngineError> {
        let node = &tree.nodes[at as usize];
        if node.solved {
            return Ok(false);
        }
        let own = self.prover.role().0;
        let opposed = self.outputs == Outputs::Opposed;
        let hopes = hopes.unwrap_or_else(|| tree.worth(node.best as usize, own) >= 0.0);
        if !hopes && !opposed {
            return Ok(false);
        }
        let at_least = if hopes { 100 } else { 1 };
        let states = (u64::from(node.visits) * STATES).min(MOST);
        let (state, mut joint, role) = (
            node.state.clone(),
            node.joint.clone(),
            usize::from(node.role),
        );
        self.asked += 1;
        let answer = self.prover.ask(&state, at_least, states, budget)?;
        let Some(whole) = self.certain(answer) else {
            return Ok(false);
        };
        self.answered += 1;
        for edge in tree.edges_of(at) {
            if tree.edges[edge].solved {
                continue;
            }
            let mv: MoveId = tree.edges[edge].mv;
            joint[role] = mv;
            let after = self.prover.after(&state, &joint)?;
            let Some(value) = self.certain(after) else {
                continue;
            };
            let of = self.values(value);
            tree.set_values(edge, &of, true);
            let child = tree.edges[edge].child;
            if (child as usize) < tree.nodes.len() && child != at {
                tree.settle(child, &of);
            }
        }
        tree.update(at);
        // The root needs a move, not only a result.
        if !is_root && !tree.nodes[at as usize].solved {
            let of = self.values(whole);
            tree.settle(at, of);
        }
        Ok(true)
    }

    /// What an answer is worth for the role, if it is certain.
    fn certain(&self, answer: Answer) -> Option<f32> {
        match answer {
            Answer::Yes {
                at_least: 100..,
                plies,
            } => Some(WIN - f32::from(plies.min(400))),
            Answer::No { at_most: 0, plies } if self.outputs == Outputs::Opposed => {
                Some(-WIN + f32::from(plies.min(400)))
            }
            _ => None,
        }
    }

    /// The values for each output of a result of the role.
    fn values(&self, worth: f32) -> impl Fn(usize) -> f32 + use<> {
        certain(self.outputs, self.prover.role().0, worth)
    }
}
