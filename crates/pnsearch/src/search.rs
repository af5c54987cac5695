//! Rounds of the search: descents to the most proving leaves, their expansion in one call, and
//! the new numbers along the paths.

use crate::prover::Prover;
use budget::Budget;
use dfpn::Numbers;
use game::EngineError;

/// The most joint moves that it looks ahead.
const DEEPEST: usize = 300;

/// Children made in one call, about, and the most leaves they belong to.
const CHILDREN: usize = 192;
const LEAVES: usize = 64;

/// The size of a batch is at most one in this many of the nodes there are: a small graph has few
/// leaves that are worth their expansion.
const PART: usize = 16;

/// Descents that end at a leaf of the batch or in a cycle, after which a batch is full.
const VAIN: usize = 16;

/// Where a descent ends.
enum End {
    /// At a leaf.
    Leaf,
    /// At a leaf that is part of the batch.
    Again,
    /// Where no move can be searched, or the copy of a number was out of date.
    Cut,
}

impl Prover {
    /// Searches until the question of a node is answered, or states, time or memory run out.
    /// Returns where the node is then.
    pub(crate) fn search(&mut self, mut root: u32, budget: &Budget) -> Result<u32, EngineError> {
        loop {
            let numbers = self.graph.nodes[root as usize].numbers;
            let over = numbers.is_known() || numbers == Numbers::CLOSED;
            if over || self.states >= self.most || budget.check().is_err() {
                return Ok(root);
            }
            self.gather(root)?;
            if !self.graph.has_room(self.batch.children()) {
                // The paths of the batch do not survive.
                let paths = std::mem::take(&mut self.batch.paths);
                self.back_up(&paths);
                self.batch.clear();
                root = self.graph.collect(root);
                self.gather(root)?;
                if !self.graph.has_room(self.batch.children()) {
                    let paths = std::mem::take(&mut self.batch.paths);
                    self.back_up(&paths);
                    return Ok(root);
                }
            }
            let expanded = self.expand(root, budget);
            let paths = std::mem::take(&mut self.batch.paths);
            self.back_up(&paths);
            self.batch.paths = paths;
            expanded?;
        }
    }

    /// Collects the most proving leaves.
    fn gather(&mut self, root: u32) -> Result<(), EngineError> {
        self.batch.clear();
        self.batches = self.batches.wrapping_add(1);
        let part = 1 + self.graph.nodes.len() / PART;
        let (leaves, children) = match self.subject.fans {
            Some(_) => (LEAVES.min(part), CHILDREN),
            // Without lanes, nothing is gained by waiting.
            None => (1, 1),
        };
        let mut vain = 0;
        while self.batch.leaves.len() < leaves
            && self.batch.children() < children
            && vain < VAIN
            && self.graph.nodes[root as usize].numbers != Numbers::CLOSED
            && !self.graph.nodes[root as usize].numbers.is_known()
        {
            let mut path = self.batch.path();
            match self.descend(root, &mut path) {
                End::Leaf => {
                    let leaf = path[path.len() - 1];
                    if self.take(leaf)? {
                        self.wait(&path, false);
                        self.batch.paths.push(path);
                        continue;
                    }
                    // Nothing can be proved here.
                    self.graph.nodes[leaf as usize].numbers = Numbers::CLOSED;
                }
                End::Again => {
                    self.wait(&path, true);
                    vain += 1;
                    self.batch.paths.push(path);
                    continue;
                }
                End::Cut => vain += 1,
            }
            self.refresh(&path);
            self.batch.spare.push(path);
        }
        Ok(())
    }

    /// Follows the most proving moves from a node.
    fn descend(&mut self, root: u32, path: &mut Vec<u32>) -> End {
        self.descents = self.descents.wrapping_add(1).max(1);
        let mut at = root;
        loop {
            let turn = self.graph.turn;
            let node = &mut self.graph.nodes[at as usize];
            node.visits = node.visits.saturating_add(1);
            (node.descent, node.turn) = (self.descents, turn);
            path.push(at);
            let node = *node;
            if node.count == 0 {
                return match (node.numbers.is_known(), node.batch == self.batches) {
                    (true, _) => End::Cut,
                    (_, true) => End::Again,
                    (_, false) => End::Leaf,
                };
            }
            let edges = node.first as usize..(node.first + node.count) as usize;
            let edges = &mut self.graph.edges[edges];
            let best = edges
                .iter_mut()
                .min_by_key(|edge| edge.numbers.of_chooser(node.own));
            let best = best.expect("the node has edges");
            let child = &self.graph.nodes[best.child as usize];
            // A state that repeats on a line proves nothing.
            let closes = child.descent == self.descents || path.len() >= DEEPEST;
            if closes {
                best.numbers = Numbers::CLOSED;
            }
            if closes || best.numbers == Numbers::CLOSED {
                self.recompute(at);
                return End::Cut;
            }
            at = best.child;
        }
    }

    /// Raises the numbers on the way to a leaf of the batch, so that the next descent goes
    /// elsewhere.
    fn wait(&mut self, path: &[u32], again: bool) {
        let Some((&leaf, above)) = path.split_last() else {
            return;
        };
        let Some(&parent) = above.last() else {
            return;
        };
        if let Some(place) = self.edge(parent, leaf) {
            let edge = &mut self.graph.edges[place];
            edge.numbers = edge.numbers.virtually(again);
        }
        self.recompute(parent);
        for pair in above.windows(2).rev() {
            if let Some(place) = self.edge(pair[0], pair[1]) {
                self.graph.edges[place].numbers = self.graph.nodes[pair[1] as usize].numbers;
                self.recompute(pair[0]);
            }
        }
    }

    /// Brings the numbers of all paths up to date, the last first.
    fn back_up(&mut self, paths: &[Vec<u32>]) {
        for path in paths.iter().rev() {
            self.refresh(path);
        }
    }

    /// Brings the numbers of a path up to date, from below.
    fn refresh(&mut self, path: &[u32]) {
        for pair in path.windows(2).rev() {
            self.pass_up(pair[0], pair[1]);
        }
    }

    /// The place of the edge from a node to a child.
    fn edge(&self, at: u32, child: u32) -> Option<usize> {
        let first = self.graph.nodes[at as usize].first as usize;
        let edges = self.graph.edges(at);
        let found = edges.iter().position(|edge| edge.child == child)?;
        Some(first + found)
    }

    /// Copies the numbers of a child to its edge, and computes those of the node.
    fn pass_up(&mut self, at: u32, child: u32) {
        let Some(place) = self.edge(at, child) else {
            return;
        };
        let child = self.graph.nodes[child as usize];
        if child.numbers.is_known() {
            let node = &mut self.graph.nodes[at as usize];
            let last = (node.first + node.count - 1) as usize;
            self.graph.edges.swap(place, last);
            node.decide_child(child.numbers, child.plies, true);
        } else {
            let edge = &mut self.graph.edges[place];
            // A cycle stays closed.
            if edge.numbers != Numbers::CLOSED {
                edge.numbers = child.numbers;
            }
        }
        self.recompute(at);
    }

    /// Computes the numbers of an open node from its edges.
    pub(crate) fn recompute(&mut self, at: u32) {
        let node = &self.graph.nodes[at as usize];
        if node.count == 0 {
            return;
        }
        let (mut one, mut all) = (Numbers::NEVER, 0);
        for edge in self.graph.edges(at) {
            let (first, second) = edge.numbers.of_chooser(node.own);
            (one, all) = (one.min(first), all.max(second));
        }
        if all < Numbers::NEVER {
            // The greatest of them and little for each other: states have transpositions, which a
            // sum would count twice.
            let others = (node.count - 1) * self.subject.sibling();
            all = (all + others).min(Numbers::NEVER - 1);
        }
        let numbers = Numbers::from_chooser(node.own, one, all);
        self.graph.nodes[at as usize].numbers = numbers;
    }
}
