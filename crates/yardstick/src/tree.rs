//! The tree: selection by UCT in the descent, and backpropagation.
//!
//! Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006); for simultaneous moves
//! the decoupled form, in which every role treats its moves as a bandit of its own (Finnsson
//! and Björnsson, "Simulation-based approach to general game playing", 2008).

use crate::Config;
use crate::node::{Arm, Node, NodeId};
use game::{MoveId, RoleId, State};
use rand::{Rng, RngExt};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// A descent from the root to where a playout begins.
#[derive(Debug, Default)]
pub(crate) struct Path {
    pub nodes: Vec<NodeId>,
    /// The choice of every role at every node of the path, node after node.
    pub choices: Vec<u32>,
}

/// Where a descent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// At a terminal node.
    End,
    /// At a joint move of the path's last node that has no child node yet.
    New,
}

#[derive(Debug)]
pub(crate) struct Tree {
    /// The root comes first. Empty only before the first search.
    nodes: Vec<Node>,
    bytes: usize,
    max_bytes: usize,
}

impl Tree {
    pub fn new(max_bytes: usize) -> Self {
        Tree {
            nodes: Vec::new(),
            bytes: 0,
            max_bytes,
        }
    }

    pub fn root(&self) -> Option<&Node> {
        self.nodes.first()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether another node would exceed the memory bound (or the range of [`NodeId`]).
    pub fn is_full(&self) -> bool {
        self.bytes >= self.max_bytes || self.nodes.len() >= NodeId::MAX as usize
    }

    /// Replaces the tree by a single `root`, which is kept even if it exceeds the bound.
    pub fn reset(&mut self, root: Node) {
        self.bytes = root.bytes();
        self.nodes.clear();
        self.nodes.push(root);
    }

    /// Descends from the root, and counts the visits in advance.
    ///
    /// Other threads see such a visit as a loss until its result arrives (virtual loss).
    pub fn select(&mut self, path: &mut Path, config: &Config, rng: &mut impl Rng) -> Leaf {
        path.nodes.clear();
        path.choices.clear();
        let mut id: NodeId = 0;
        loop {
            let node = &mut self.nodes[id as usize];
            path.nodes.push(id);
            let from = path.choices.len();
            let visits = node.visits;
            node.visits += 1;
            if node.end.is_some() {
                return Leaf::End;
            }
            let alone = node.arms.iter().filter(|arms| arms.len() > 1).count() == 1;
            for arms in &mut node.arms {
                let choice = if arms.len() == 1 {
                    0
                } else if !alone && rng.random_bool(config.greedy.clamp(0.0, 1.0)) {
                    choose(arms, visits, 0.0, rng)
                } else {
                    choose(arms, visits, config.exploration, rng)
                };
                arms[choice].visits += 1;
                path.choices.push(choice as u32);
            }
            let joint = node.joint_number(&path.choices[from..]);
            match joint.and_then(|joint| node.child(joint)) {
                Some(child) => id = child,
                None => return Leaf::New,
            }
        }
    }

    /// Backpropagates a finished playout along its path, and adds the node that it found.
    pub fn backup(&mut self, path: &Path, values: &[f64], found: Option<Node>) {
        let roles = values.len();
        for (&id, choices) in path.nodes.iter().zip(path.choices.chunks(roles.max(1))) {
            let arms = self.nodes[id as usize].arms.iter_mut();
            for ((arms, &choice), value) in arms.zip(choices).zip(values) {
                arms[choice as usize].sum += value;
            }
        }
        if let (Some(node), Some(&parent)) = (found, path.nodes.last()) {
            let last = &path.choices[path.choices.len() - roles..];
            self.add(parent, last, node);
        }
    }

    /// Removes the visits of a playout that was aborted.
    pub fn undo(&mut self, path: &Path, roles: usize) {
        for &id in &path.nodes {
            self.nodes[id as usize].visits -= 1;
        }
        for (&id, choices) in path.nodes.iter().zip(path.choices.chunks(roles.max(1))) {
            for (arms, &choice) in self.nodes[id as usize].arms.iter_mut().zip(choices) {
                arms[choice as usize].visits -= 1;
            }
        }
    }

    fn add(&mut self, parent: NodeId, choices: &[u32], node: Node) {
        if self.is_full() {
            return;
        }
        let Some(joint) = self.nodes[parent as usize].joint_number(choices) else {
            return;
        };
        let id = self.nodes.len() as NodeId;
        let children = &mut self.nodes[parent as usize].children;
        // Another thread may have added this child first; then its node stays.
        if let Err(at) = children.binary_search_by_key(&joint, |&(number, _)| number) {
            children.insert(at, (joint, id));
            self.bytes += node.bytes();
            self.nodes.push(node);
        }
    }

    /// Makes the node of `state` the root and drops what cannot be reached from it.
    ///
    /// Examines no more than `limit` nodes, nearest to the root first. Returns `false` and
    /// changes nothing if it is not found.
    pub fn reroot(&mut self, state: &State, limit: usize) -> bool {
        let mut queue: VecDeque<NodeId> = (0..self.nodes.len().min(1) as NodeId).collect();
        for _ in 0..limit {
            let Some(id) = queue.pop_front() else {
                return false;
            };
            let node = self.node(id);
            if node.state == *state {
                self.keep_below(id);
                return true;
            }
            queue.extend(node.children.iter().map(|&(_, child)| child));
        }
        false
    }

    /// Copies the nodes below `root` into a new vector, breadth first.
    fn keep_below(&mut self, root: NodeId) {
        if root == 0 {
            return;
        }
        let mut old: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        let mut kept = Vec::new();
        kept.extend(old[root as usize].take());
        let mut at = 0;
        while at < kept.len() {
            for child in 0..kept[at].children.len() {
                let from = kept[at].children[child].1 as usize;
                kept[at].children[child].1 = kept.len() as NodeId;
                // A tree: every node has one parent, so it is still there.
                kept.extend(old[from].take());
            }
            at += 1;
        }
        self.bytes = kept.iter().map(Node::bytes).sum();
        self.nodes = kept;
    }

    /// The role's move at the root with the most visits. `None` if no playout visited any.
    ///
    /// Ties are broken by the better mean, and then at random. Otherwise, where nothing
    /// distinguishes the moves, the first in the engine's order would always be played, and
    /// some games can only be ended by another one.
    pub fn best(&self, role: RoleId, rng: &mut impl Rng) -> Option<&Arm> {
        let arms = self.root()?.arms.get(role.0)?;
        let mut best: Option<&Arm> = None;
        let mut equals = 0;
        for arm in arms.iter().filter(|arm| arm.visits > 0) {
            let rank = |arm: &Arm| (arm.visits, arm.mean());
            let order = best.map_or(Some(Ordering::Greater), |best| {
                rank(arm).partial_cmp(&rank(best))
            });
            match order {
                Some(Ordering::Greater) => (best, equals) = (Some(arm), 1),
                Some(Ordering::Equal) => {
                    equals += 1;
                    if rng.random_range(0..equals) == 0 {
                        best = Some(arm);
                    }
                }
                _ => {}
            }
        }
        best
    }

    /// Copies what a playout from the end of `path` needs: the state and the joint move.
    pub fn departure(&self, path: &Path, state: &mut State, joint: &mut Vec<MoveId>) {
        let Some(&last) = path.nodes.last() else {
            return;
        };
        let node = self.node(last);
        state.clone_from(&node.state);
        joint.clear();
        let choices = &path.choices[path.choices.len() - node.arms.len()..];
        joint.extend(
            node.arms
                .iter()
                .zip(choices)
                .map(|(arms, &choice)| arms[choice as usize].mv),
        );
    }
}

/// The arm with the highest upper confidence bound. Unvisited arms come first, in random order.
fn choose(arms: &[Arm], visits: u32, exploration: f64, rng: &mut impl Rng) -> usize {
    let mut unvisited = 0;
    let mut pick = 0;
    for (at, arm) in arms.iter().enumerate() {
        if arm.visits == 0 {
            unvisited += 1;
            if rng.random_range(0..unvisited) == 0 {
                pick = at;
            }
        }
    }
    if unvisited > 0 {
        return pick;
    }
    let log = f64::from(visits.max(1)).ln();
    let mut top = f64::NEG_INFINITY;
    for (at, arm) in arms.iter().enumerate() {
        let bound = arm.mean() + exploration * (log / f64::from(arm.visits)).sqrt();
        if bound > top {
            top = bound;
            pick = at;
        }
    }
    pick
}
