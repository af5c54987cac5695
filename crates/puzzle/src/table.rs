//! The states that were generated, each with its parent: an exact set in few bytes.

use crate::packing::Packing;
use foldhash::quality::FixedState;
use game::{MoveId, State};
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Bytes of a node beside its words: parent, move, and its share of the index.
const BESIDE: usize = 4 + 4 + 10;

/// What came of an insertion.
pub(crate) enum Inserted {
    /// A new state, with its number.
    New(u32),
    /// It was there.
    Known,
    /// There is no room.
    Full,
}

/// A set of states. Each has a number, in the order of insertion, and the first one is the start.
pub(crate) struct Table {
    packing: Arc<Packing>,
    /// The words that states are compared by.
    compared: usize,
    keys: Vec<u64>,
    parents: Vec<u32>,
    moves: Vec<u32>,
    index: HashTable<u32>,
    hasher: FixedState,
    key: Vec<u64>,
    most: usize,
}

impl Table {
    /// With `timeless`, states are equal that differ in nothing but the time.
    pub fn new(packing: Arc<Packing>, timeless: bool, bytes: usize) -> Table {
        let compared = if timeless {
            packing.timeless
        } else {
            packing.words
        };
        // Vectors double: for a moment there are the old one and one of twice its size.
        let most = bytes / 2 / (packing.words * 8 + BESIDE);
        Table {
            packing,
            compared,
            keys: Vec::new(),
            parents: Vec::new(),
            moves: Vec::new(),
            index: HashTable::new(),
            hasher: FixedState::default(),
            key: Vec::new(),
            most: most.min(u32::MAX as usize),
        }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Adds a state that a move leads to.
    pub fn insert(&mut self, state: &[u64], parent: u32, mv: MoveId) -> Inserted {
        self.packing.pack(state, &mut self.key);
        let (words, compared) = (self.packing.words, self.compared);
        let same = &self.key[..compared];
        let hash = self.hasher.hash_one(same);
        let of = |keys: &[u64], at: u32| {
            at as usize * words..at as usize * words + compared.min(keys.len())
        };
        let known = self
            .index
            .find(hash, |&at| &self.keys[of(&self.keys, at)] == same);
        if known.is_some() {
            return Inserted::Known;
        }
        if self.parents.len() >= self.most {
            return Inserted::Full;
        }
        let number = self.parents.len() as u32;
        self.keys.extend_from_slice(&self.key);
        self.parents.push(parent);
        self.moves.push(mv.0);
        let (keys, hasher) = (&self.keys, &self.hasher);
        self.index.insert_unique(hash, number, |&at| {
            hasher.hash_one(&keys[at as usize * words..at as usize * words + compared])
        });
        Inserted::New(number)
    }

    /// The state with a number.
    pub fn state(&self, number: u32) -> State {
        let words = self.packing.words;
        let mut state = Vec::with_capacity(self.packing.unpacked);
        let key = &self.keys[number as usize * words..][..words];
        self.packing.unpack(key, &mut state);
        State::from_words(state)
    }

    /// The moves from the start to a state.
    pub fn line(&self, number: u32) -> Vec<MoveId> {
        let mut moves = Vec::new();
        let mut at = number;
        while at != 0 {
            moves.push(MoveId(self.moves[at as usize]));
            at = self.parents[at as usize];
        }
        moves.reverse();
        moves
    }
}
