//! Expansion: the children of all leaves of a batch, made in one call.

use crate::graph::{Edge, Node};
use crate::prover::Prover;
use budget::Budget;
use dfpn::Numbers;
use game::{EngineError, MoveId, Outlook, Parent, RoleId, State};
use std::ops::Range;

/// Children between two looks at the clock, where they are made one by one.
const STRIDE: usize = 16;

/// A leaf that waits for its expansion.
#[derive(Debug)]
pub(crate) struct Leaf {
    at: u32,
    state: State,
    /// The role that chooses; any role if each has a single move.
    role: RoleId,
    own: bool,
    /// Where its moves and a joint move are.
    moves: Range<usize>,
    joint: Range<usize>,
}

/// The leaves of a round. The memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub leaves: Vec<Leaf>,
    /// The paths from the root to them, the leaf included.
    pub paths: Vec<Vec<u32>>,
    pub spare: Vec<Vec<u32>>,
    moves: Vec<MoveId>,
    joints: Vec<MoveId>,
    /// The hashes of the children that were made together.
    hashes: Vec<u64>,
}

impl Batch {
    /// The number of children of all leaves.
    pub fn children(&self) -> usize {
        self.moves.len()
    }

    pub fn clear(&mut self) {
        self.leaves.clear();
        self.spare.append(&mut self.paths);
        self.moves.clear();
        self.joints.clear();
    }

    /// An empty path.
    pub fn path(&mut self) -> Vec<u32> {
        let mut path = self.spare.pop().unwrap_or_default();
        path.clear();
        path
    }
}

impl Node {
    /// Takes note of a decided child, which has an edge, the last one, or none yet.
    pub fn decide_child(&mut self, child: Numbers, plies: u16, has_edge: bool) {
        let plies = plies.saturating_add(1);
        let (good, _) = child.of_chooser(self.own);
        if good == 0 {
            // One is enough for the side that chooses.
            (self.numbers, self.plies, self.count) = (child, plies, 0);
            return;
        }
        self.plies = self.plies.max(plies);
        self.count -= u32::from(has_edge);
        if has_edge && self.count == 0 {
            self.numbers = child;
        }
    }
}

impl Prover {
    /// Adds a leaf to the batch. `false` if nothing can be proved there, because several roles
    /// choose at once or one has no move.
    pub(crate) fn take(&mut self, at: u32) -> Result<bool, EngineError> {
        let state = State::from_words(self.graph.state(at).to_vec());
        let (first, from) = (self.batch.moves.len(), self.batch.joints.len());
        let mut chooser = None;
        for role in (0..self.subject.roles).map(RoleId) {
            self.subject
                .engine
                .legal(&state, role, &mut self.subject.scratch)?;
            let several = self.subject.scratch.len() > 1;
            if self.subject.scratch.is_empty() || several && chooser.is_some() {
                self.batch.moves.truncate(first);
                self.batch.joints.truncate(from);
                return Ok(false);
            }
            self.batch.joints.push(self.subject.scratch[0]);
            if several {
                chooser = Some(role);
                self.batch.moves.extend_from_slice(&self.subject.scratch);
            }
        }
        if chooser.is_none() {
            let forced = self.batch.joints[from];
            self.batch.moves.push(forced);
        }
        self.graph.nodes[at as usize].batch = self.batches;
        self.batch.leaves.push(Leaf {
            at,
            state,
            role: chooser.unwrap_or(RoleId(0)),
            own: chooser == Some(self.subject.judge.role),
            moves: first..self.batch.moves.len(),
            joint: from..self.batch.joints.len(),
        });
        Ok(true)
    }

    /// Expands the leaves of the batch, as many as time allows.
    pub(crate) fn expand(&mut self, root: u32, budget: &Budget) -> Result<(), EngineError> {
        let leaves = std::mem::take(&mut self.batch.leaves);
        let moves = std::mem::take(&mut self.batch.moves);
        let joints = std::mem::take(&mut self.batch.joints);
        let fanned = self.fan(&leaves, &moves, &joints);
        let (mut result, mut first) = (Ok(()), 0);
        for leaf in &leaves {
            let place = fanned.then_some(first);
            let (moves, joint) = (&moves[leaf.moves.clone()], &joints[leaf.joint.clone()]);
            result = self.open(leaf, moves, joint, place, leaf.at == root, budget);
            first += moves.len();
            if result.is_err() {
                break;
            }
        }
        (self.batch.leaves, self.batch.moves, self.batch.joints) = (leaves, moves, joints);
        result
    }

    /// Makes the children of all leaves in one call, if that is faster. Returns whether it did.
    fn fan(&mut self, leaves: &[Leaf], moves: &[MoveId], joints: &[MoveId]) -> bool {
        let foresees = self.subject.foresees;
        let fans = self.subject.fans.as_mut();
        let Some(fans) = fans.filter(|fans| foresees || moves.len() >= fans.least()) else {
            return false;
        };
        let parents = leaves.iter().map(|leaf| Parent {
            state: &leaf.state,
            joint: &joints[leaf.joint.clone()],
            role: leaf.role,
            moves: &moves[leaf.moves.clone()],
        });
        let parents: Vec<Parent<'_>> = parents.collect();
        if fans.fan_all(&parents, &mut self.subject.fan).is_err() {
            return false;
        }
        // All are looked for soon, so that the memory has time to deliver their places.
        self.batch.hashes.clear();
        for place in 0..moves.len() {
            let words = self.subject.fan.state(place).words();
            let hash = self.graph.hash(words, self.subject.judge.at_least);
            self.graph.prefetch(hash);
            self.batch.hashes.push(hash);
        }
        true
    }

    /// Gives a leaf its edges. `place` is that of its first child, if they were made together.
    fn open(
        &mut self,
        leaf: &Leaf,
        moves: &[MoveId],
        joint: &[MoveId],
        place: Option<usize>,
        is_root: bool,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let at = leaf.at as usize;
        let first = self.graph.edges.len();
        let (mut joint, mut next) = (joint.to_vec(), State::default());
        let (own, before) = (leaf.own, self.graph.nodes[at]);
        (self.graph.nodes[at].own, self.graph.nodes[at].plies) = (own, 0);
        let mut known = Numbers::CLOSED;
        self.expansions = self.expansions.wrapping_add(1).max(1);
        if let Some(guide) = &mut self.subject.guide {
            guide.near(&leaf.state);
        }
        for (number, &mv) in moves.iter().enumerate() {
            let fanned = place.map(|place| place + number);
            if fanned.is_none() {
                joint[leaf.role.0] = mv;
                let late = number % STRIDE == STRIDE - 1 && budget.check().is_err();
                let made = self.subject.engine.next(&leaf.state, &joint, &mut next);
                if let (Err(_), _) | (_, true) = (&made, late) {
                    // It stays a leaf.
                    self.graph.edges.truncate(first);
                    self.graph.nodes[at] = before;
                    return made;
                }
            }
            self.states += 1;
            let fan = std::mem::take(&mut self.subject.fan);
            let state = fanned.map_or(&next, |place| fan.state(place));
            let looked = self.first_look(state, fanned, &fan, is_root);
            self.subject.fan = fan;
            let (child, numbers, plies) = looked?;
            if numbers.is_known() {
                known = numbers;
                self.graph.nodes[at].decide_child(numbers, plies, false);
                if self.graph.nodes[at].numbers.is_known() {
                    self.graph.edges.truncate(first);
                    return Ok(());
                }
                continue;
            }
            let node = &mut self.graph.nodes[child as usize];
            if std::mem::replace(&mut node.expansion, self.expansions) != self.expansions {
                self.graph.edges.push(Edge { child, numbers });
            }
        }
        let node = &mut self.graph.nodes[at];
        node.first = first as u32;
        node.count = (self.graph.edges.len() - first) as u32;
        match node.count {
            // All were decided against the side that chooses.
            0 => node.numbers = known,
            _ => self.recompute(leaf.at),
        }
        Ok(())
    }

    /// The node of a child, its numbers, and the plies to the end of play if it is decided.
    ///
    /// `fanned` is its place among the states made together, if it is one of them. A child that
    /// is decided at once gets a node only if `keep`.
    fn first_look(
        &mut self,
        state: &State,
        fanned: Option<usize>,
        fan: &game::Fan,
        keep: bool,
    ) -> Result<(u32, Numbers, u16), EngineError> {
        let over = fanned.map(|place| fan.is_over(place));
        if let Some(numbers) = self
            .subject
            .judge
            .end(&mut *self.subject.engine, state, over)?
        {
            return Ok((0, numbers, 0));
        }
        let at_least = self.subject.judge.at_least;
        let outlook = fanned.and_then(|place| fan.outlook(place));
        if let Some((numbers, plies)) =
            outlook.and_then(|outlook| self.subject.judge.foreseen(outlook))
        {
            if keep {
                let at = self
                    .graph
                    .find_or_insert(state.words(), at_least, || numbers);
                let node = &mut self.graph.nodes[at as usize];
                (node.numbers, node.plies, node.count) = (numbers, plies, 0);
            }
            return Ok((0, numbers, plies));
        }
        let numbers = match fanned {
            Some(place) => self.mobility(fan.choices(place), outlook),
            None if self.graph.find(state.words(), at_least).is_some() => Numbers::CLOSED,
            None => {
                let mut counts = Vec::with_capacity(self.subject.roles);
                for role in (0..self.subject.roles).map(RoleId) {
                    self.subject
                        .engine
                        .legal(state, role, &mut self.subject.scratch)?;
                    counts.push(self.subject.scratch.len() as u32);
                }
                self.mobility(&counts, None)
            }
        };
        let hash = match fanned {
            Some(place) => self.batch.hashes[place],
            None => self.graph.hash(state.words(), at_least),
        };
        let subject = &mut self.subject;
        let leaf = || subject.leaf(state, numbers);
        let at = self
            .graph
            .find_or_insert_hashed(hash, state.words(), at_least, leaf);
        let node = &self.graph.nodes[at as usize];
        Ok((at, node.numbers, node.plies))
    }

    /// The numbers of a state of which only the numbers of moves are known: the other side has to
    /// be refuted after each of them.
    fn mobility(&self, counts: &[u32], outlook: Option<Outlook>) -> Numbers {
        let mut choosing = (0..).zip(counts).filter(|(_, count)| **count != 1);
        match (choosing.next(), choosing.next()) {
            (None, _) => Numbers { yes: 1, no: 1 },
            (Some((role, &count)), None) if count > 0 => {
                let careful = outlook.and_then(|outlook| outlook.careful);
                // The other moves lose at once.
                let count = careful.map_or(count, |(_, careful)| careful.max(1));
                Numbers::from_chooser(RoleId(role) == self.subject.judge.role, 1, count)
            }
            _ => Numbers::CLOSED,
        }
    }
}
