//! The children of one state, one lane each.

use crate::circuit::{Circuit, value};
use crate::cube::Cube;
use crate::table::ones;
use game::State;
use std::sync::Arc;

/// The children that up to 64 moves lead to, one in each lane.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// The signals of the step from the parent.
    pub step: Vec<u64>,
    /// In which lanes each fact holds.
    pub facts: Vec<u64>,
    /// The signals of the children.
    pub state: Vec<u64>,
    /// The lanes in use.
    pub lanes: u64,
}

impl Chunk {
    /// About the memory that a chunk takes, in bytes.
    pub fn bytes(from: &Circuit, to: &Circuit) -> usize {
        size_of::<u64>() * (from.nodes() + to.nodes() + from.next.len())
    }

    /// The children in which play is over and the role has the result, and those in which it is
    /// over without.
    pub fn over(&self, circuit: &Circuit) -> (u64, u64) {
        let is = |lit| value(&self.state, lit) & self.lanes;
        (is(circuit.won), is(circuit.lost))
    }
}

/// The children of one state, kept for reuse.
#[derive(Debug, Default)]
pub(crate) struct Children {
    /// The role whose moves lead to them.
    pub chooser: usize,
    /// The only moves of all other roles.
    pub forced: Vec<(usize, u32)>,
    /// The moves, in the order of the lanes.
    pub moves: Vec<u32>,
    /// As many as the moves need are in use.
    pub chunks: Vec<Chunk>,
    /// What is proved of each child.
    pub proofs: Vec<Option<Arc<Cube>>>,
    /// The order in which they are searched.
    pub order: Vec<u32>,
    /// The child that decided for the role that chooses.
    pub decided: Option<usize>,
}

impl Children {
    /// The only child of nothing: the state that a question is about.
    pub fn root(&mut self, circuit: &Circuit, facts: impl Iterator<Item = bool>) {
        self.moves.clear();
        self.moves.push(0);
        if self.chunks.is_empty() {
            self.chunks.push(Chunk::default());
        }
        let chunk = &mut self.chunks[0];
        chunk.lanes = 1;
        chunk.facts.clear();
        chunk.facts.extend(facts.map(u64::from));
        circuit.evaluate_state(&chunk.facts, &mut chunk.state);
    }

    /// The chunk and lane of a child.
    pub fn place(&self, child: usize) -> (&Chunk, u32) {
        (&self.chunks[child / 64], (child % 64) as u32)
    }

    /// The facts of a child, a bit each.
    pub fn facts(&self, child: usize) -> State {
        let (chunk, lane) = self.place(child);
        let bit = |(at, word): (usize, &u64)| (word >> lane & 1) << at;
        let words = chunk
            .facts
            .chunks(64)
            .map(|words| words.iter().enumerate().map(bit).sum());
        State::from_words(words.collect())
    }

    /// Finds who chooses in a state, and the moves of all. Returns `false` if no role is the
    /// only one that chooses.
    pub fn list(&mut self, circuit: &Circuit, chunk: &Chunk, lane: u32, role: usize) -> bool {
        self.forced.clear();
        self.moves.clear();
        let mut chooser = None;
        for (at, legal) in circuit.legal.iter().enumerate() {
            let before = self.moves.len();
            let legal = legal.iter().enumerate();
            let is =
                |&(_, &lit): &(usize, &netlist::Lit)| value(&chunk.state, lit) >> lane & 1 == 1;
            self.moves.extend(legal.filter(is).map(|(mv, _)| mv as u32));
            match self.moves.len() - before {
                0 => return false,
                1 => {
                    let only = self.moves.pop().unwrap_or_default();
                    self.forced.push((at, only));
                }
                _ if chooser.is_some() => return false,
                _ => chooser = Some(at),
            }
        }
        self.chooser = chooser.unwrap_or_else(|| {
            let (_, only) = self.forced.remove(role);
            self.moves.push(only);
            role
        });
        true
    }

    /// Makes the moves.
    pub fn make(&mut self, from: &Circuit, to: &Circuit, facts: &[u64], lane: u32) {
        let chunks = self.moves.len().div_ceil(64);
        if self.chunks.len() < chunks {
            self.chunks.resize_with(chunks, Chunk::default);
        }
        for (moves, chunk) in self.moves.chunks(64).zip(&mut self.chunks) {
            let played = (self.chooser, moves);
            from.evaluate_step(facts, lane, &self.forced, played, &mut chunk.step);
            from.next_facts(&chunk.step, &mut chunk.facts);
            to.evaluate_state(&chunk.facts, &mut chunk.state);
            chunk.lanes = u64::MAX >> (64 - moves.len());
        }
        self.proofs.clear();
        self.proofs.resize(self.moves.len(), None);
    }

    /// Gives a proof to all children in its cube that have none.
    pub fn spread(&mut self, cube: &Arc<Cube>) {
        self.give(cube, |proof| proof.is_none());
    }

    /// Explains as many children as possible by the same cubes, as that makes a simpler
    /// explanation.
    pub fn merge(&mut self) {
        let mut merged: Vec<Arc<Cube>> = Vec::new();
        for child in 0..self.moves.len() {
            let Some(cube) = self.proofs[child].clone() else {
                continue;
            };
            if !merged.iter().any(|known| Arc::ptr_eq(known, &cube)) {
                let is_new = |proof: &Option<Arc<Cube>>| match proof {
                    Some(proof) => !merged.iter().any(|known| Arc::ptr_eq(known, proof)),
                    None => true,
                };
                self.give(&cube, is_new);
                merged.push(cube);
            }
        }
    }

    fn give(&mut self, cube: &Arc<Cube>, to: impl Fn(&Option<Arc<Cube>>) -> bool) {
        for (number, moves) in self.moves.chunks(64).enumerate() {
            let chunk = &self.chunks[number];
            let proofs = &mut self.proofs[number * 64..][..moves.len()];
            for lane in ones(cube.lanes(&chunk.facts, chunk.lanes)) {
                if to(&proofs[lane]) {
                    proofs[lane] = Some(cube.clone());
                }
            }
        }
    }
}
