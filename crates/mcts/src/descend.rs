//! Descents: selection from the root to a leaf, and expansion of the leaf.

mod expand;
mod leaves;
mod look_ahead;
mod priors;
mod proofs;
mod select;

use crate::Config;
use crate::expand::Expander;
use crate::graph::Graph;
use crate::learner::PriorWeights;
use crate::node::{Kind, Node, NodeRef};
use crate::path::{Descent, Leaf, Next, Path};
use crate::stages::{Stage, StageTimes};
use budget::{Budget, Checks};
use game::{EngineError, MoveId};
use heuristics::StateValue;
use rand::Rng;
use select::select_in;

/// What happens next at a node.
enum Visit {
    /// The descent ends here.
    End(Leaf),
    /// Look ahead at all moves if `moves`, refresh priors, then select as in `Select`.
    LookAhead { moves: bool, solved: u32 },
    /// A move was selected.
    Selected(Target),
    /// Select a move. So many solved joint moves may get samples before.
    Select { solved: u32 },
}

/// What a selected move leads to.
enum Target {
    /// A node.
    Node(NodeRef),
    /// A node that is to be found or made.
    Unknown,
    /// A leaf, since the move was never tried.
    Leaf,
    /// A leaf after a joint move that was never tried. Its state may be terminal, unless
    /// look-ahead has `checked` all joint moves, as far as it came.
    JointLeaf { checked: bool },
}

/// Where a descent continues.
enum Step {
    Continue(Next),
    End(Leaf),
}

/// The most steps of descents and examined moves between two checks of the budget.
pub(crate) const CHECK_EVERY: u64 = 64;

/// Everything that selection and expansion need.
pub(crate) struct TreePolicy<'w, R> {
    pub graph: &'w mut Graph,
    pub expander: &'w mut Expander,
    /// Learnt values of states.
    pub evaluation: &'w mut StateValue,
    /// How much priors count.
    pub priors: PriorWeights,
    /// Whether playouts report their final states.
    pub watches: bool,
    pub config: &'w Config,
    /// A role whose move at the root is fixed, and that move.
    pub fixed: Option<(usize, MoveId)>,
    /// Nodes that are due for a proof search ([`TreePolicy::search_proof`]).
    pub proof_queue: &'w mut Vec<NodeRef>,
    pub rng: &'w mut R,
    pub stages: &'w mut StageTimes,
    pub budget: &'w Budget,
    pub checks: &'w mut Checks,
    /// Visits that a descent counts while it is under way.
    pub visits: u32,
    /// Leaves that descents may have beside one each.
    pub spare: u32,
    /// Whether the budget has ended.
    pub over: bool,
}

impl<R: Rng> TreePolicy<'_, R> {
    /// Counts work, and checks the budget now and then. Returns whether it has ended.
    fn is_over(&mut self, work: usize) -> bool {
        self.over |= self.checks.after(work as u64, self.budget).is_err();
        self.over
    }

    /// Runs all these descents from `root` in lockstep; every node and edge on a descent counts a
    /// visit. Returns how many the engine failed on, which have no sample of their own. Where the
    /// budget ends first ([`TreePolicy::over`]), all of them have to be undone.
    ///
    /// Nodes are spread over the memory. The next node of one descent, or where the table has it,
    /// is prefetched while the others advance.
    pub fn descend(&mut self, root: NodeRef, descents: &mut [Descent]) -> u64 {
        let visits = self.visits;
        let begin = |descent: &mut Descent| descent.begin(root, visits);
        descents.iter_mut().for_each(begin);
        let (mut running, mut failures) = (descents.len(), 0);
        while running > 0 && !self.over {
            for place in 0..descents.len() {
                let following = &descents[(place + 1) % descents.len()];
                match following.next {
                    // The root is in the cache.
                    Some(Next::Node { at, .. }) if !following.path.nodes.is_empty() => {
                        self.graph.prefetch_edges(at);
                    }
                    Some(Next::Child) => self.graph.prefetch_node(&following.state),
                    _ => {}
                }
                let descent = &mut descents[place];
                let step = match descent.next {
                    None => continue,
                    Some(Next::Node { at, is_new }) => self.step(at, is_new, descent),
                    Some(Next::Child) => self.make_child(descent),
                };
                let step = step.unwrap_or_else(|_| {
                    // The visit still counts, or the same move would be selected for ever.
                    failures += 1;
                    Step::End(Leaf::Value)
                });
                descent.next = match step {
                    Step::Continue(next) => {
                        match next {
                            Next::Node { at, .. } => self.graph.prefetch(at),
                            Next::Child => self.graph.prefetch_entry(&descent.state),
                        }
                        Some(next)
                    }
                    Step::End(leaf) => {
                        descent.end(leaf, self.graph);
                        running -= 1;
                        None
                    }
                };
            }
        }
        failures
    }

    /// From one node of a descent to the next one.
    ///
    /// # Errors
    /// If the engine failed.
    fn step(
        &mut self,
        at: NodeRef,
        is_new: bool,
        descent: &mut Descent,
    ) -> Result<Step, EngineError> {
        let path = &mut descent.path;
        let begins = path.nodes.is_empty();
        // The node may have been evicted. Before this step it was not in the cache yet, and to ask
        // then would have meant to wait for it.
        if !begins && !self.graph.contains(at) {
            return match is_new {
                // Descents in lockstep would evict each other's new nodes for ever.
                true => Ok(Step::End(Leaf::Playouts)),
                false => self.begin_child(descent),
            };
        }
        path.nodes.push(at);
        let begin = path.choices.len();
        let visit = self.visit(at, begins, &mut path.choices);
        if let Visit::LookAhead { moves, .. } = visit {
            if moves {
                let since = self.stages.begin(self.budget);
                self.look_ahead(at, &path.nodes)?;
                self.stages.end(Stage::LookAhead, since, self.budget);
            }
            if self.over {
                return Ok(Step::End(Leaf::Value));
            }
            self.update_amaf(at, &path.nodes);
            if self.is_solved(at) && !begins {
                return Ok(Step::End(Leaf::Value));
            }
            if moves && self.try_children(at, begins, &mut descent.children)? {
                return Ok(Step::End(Leaf::Children));
            }
        }
        let target = match visit {
            Visit::End(leaf) => return Ok(Step::End(leaf)),
            Visit::Selected(target) => target,
            Visit::Select { solved } | Visit::LookAhead { solved, .. } => {
                if !self.select_unsolved(at, begins, solved, path) {
                    return Ok(Step::End(Leaf::Value));
                }
                self.visit_edge(at, begins, &path.choices[begin..])
            }
        };
        path.choice_starts.push(begin);
        match target {
            Target::Node(at) => Ok(self.go_on(at, false, 1, path)),
            Target::Unknown => self.begin_child(descent),
            Target::Leaf => self.try_child(descent),
            Target::JointLeaf { checked } => self.try_joint_move(checked, descent),
        }
    }

    /// Goes on to a child, after so much work, if it is not on the path.
    fn go_on(&mut self, at: NodeRef, is_new: bool, work: usize, path: &mut Path) -> Step {
        if self.is_over(work) {
            return Step::End(Leaf::Value);
        }
        if path.nodes.contains(&at) {
            // A cycle. The value of the node is the best estimate there is.
            path.nodes.push(at);
            if let Some(mut node) = self.graph.get_mut(at) {
                node.begin_visit(self.visits);
            }
            return Step::End(Leaf::Value);
        }
        Step::Continue(Next::Node { at, is_new })
    }

    /// Counts a visit of a node, and decides what happens next. If that needs no other node, a
    /// move is selected at once and added to `choices`, since locking a node again is expensive.
    fn visit(&mut self, at: NodeRef, begins: bool, choices: &mut Vec<u32>) -> Visit {
        let (turn, config) = (self.graph.turn(), self.config);
        let Some(mut node) = self.graph.get_mut(at) else {
            return Visit::End(Leaf::Value);
        };
        let is_first = node.visits == 0;
        node.begin_visit(self.visits);
        node.turn = turn;
        // The root is searched even if it is solved: a move has to be found.
        if node.is_terminal() || !begins && node.is_solved() {
            return Visit::End(Leaf::Value);
        }
        if is_first && !begins {
            return Visit::End(Leaf::Playouts);
        }
        let grown = node.allocate_edges();
        if grown > 0 {
            drop(node);
            self.graph.add_bytes(grown);
            node = match self.graph.get_mut(at) {
                Some(node) => node,
                None => return Visit::End(Leaf::Value),
            };
        }
        let doubled = node.is_turn() && node.has_doubled();
        if doubled && config.proofs.states > 0.0 && node.visits >= config.proofs.first_visits {
            self.proof_queue.push(at);
        }
        let learns = config.learning.visits > 0.0;
        let ahead = config.look_ahead && config.solve;
        // The evaluation improves, so that priors are computed again now and then.
        let again = learns && doubled && node.visits >= config.learning.refresh_visits;
        // Virtual losses of pending descents make their moves look worse than they are, so that
        // solved joint moves would be selected in their place far too often.
        let alone = node.visits <= node.samples + self.visits;
        let solved = if alone { config.simultaneous.known } else { 0 };
        let recall = self.watches && doubled;
        let few = node.turn_moves()
            <= config
                .look_ahead_moves
                .saturating_mul((node.visits / self.visits) as usize);
        let look = few && ((ahead || learns) && !node.looked_ahead || again);
        if look || recall {
            return Visit::LookAhead {
                moves: look,
                solved,
            };
        }
        if !node.is_turn() && solved > 0 {
            return Visit::Select { solved };
        }
        let begin = choices.len();
        let (priors, fixed) = (self.priors, self.fixed);
        select_in(&mut node, config, priors, begins, fixed, self.rng, choices);
        let (target, grown) = visit_edge(&mut node, begins, &choices[begin..], self.visits, config);
        drop(node);
        self.graph.add_bytes(grown);
        Visit::Selected(target)
    }

    fn is_solved(&self, at: NodeRef) -> bool {
        self.graph.get(at).is_some_and(|node| node.is_solved())
    }

    /// Counts a visit of an edge.
    fn visit_edge(&mut self, at: NodeRef, begins: bool, chosen: &[u32]) -> Target {
        let Some(mut node) = self.graph.get_mut(at) else {
            return Target::Unknown;
        };
        let (target, grown) = visit_edge(&mut node, begins, chosen, self.visits, self.config);
        drop(node);
        self.graph.add_bytes(grown);
        target
    }
}

/// Counts a visit of an edge. Returns what it leads to, and by how many bytes the node has grown.
///
/// Where the descent `begins`, a joint move gets a node at once: regrets compare their values.
fn visit_edge(
    node: &mut Node,
    begins: bool,
    chosen: &[u32],
    visits: u32,
    config: &Config,
) -> (Target, usize) {
    let looked_ahead = node.looked_ahead;
    let Kind::Simultaneous(joint_stats) = &mut node.kind else {
        return (visit_turn(node, chosen[0] as usize, visits), 0);
    };
    let before = joint_stats.bytes();
    let Some(edge) = joint_stats.edge_or_new(chosen) else {
        return (Target::Unknown, 0);
    };
    edge.visits += 1;
    let target = match edge.child {
        Some(child) => Target::Node(child),
        None if looked_ahead && !begins && edge.visits == 1 => Target::JointLeaf {
            checked: joint_stats.is_looked_ahead(config),
        },
        None => Target::Unknown,
    };
    (target, joint_stats.bytes() - before)
}

/// Counts visits of a move, where one role chooses.
///
/// Before the moves of a node were checked, the state after one may be terminal, so that it needs a
/// node.
fn visit_turn(node: &mut Node, choice: usize, visits: u32) -> Target {
    let looked_ahead = node.looked_ahead;
    let Kind::Turn { edges, .. } = &mut node.kind else {
        return Target::Unknown;
    };
    let edge = &mut edges[choice];
    let is_leaf = looked_ahead && edge.is_new();
    match edge.visit(visits) {
        Some(child) => Target::Node(child),
        None if is_leaf => Target::Leaf,
        None => Target::Unknown,
    }
}
