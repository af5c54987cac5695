//! Where the nodes are: a fixed number of bytes, and a table from states to nodes.

use crate::node::{Node, NodeRef};
use game::State;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::num::NonZeroU32;

/// A place for a node.
#[derive(Debug)]
struct Slot {
    node: Option<Node>,
    generation: NonZeroU32,
}

/// All nodes.
#[derive(Debug)]
pub(crate) struct Graph {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Hashes of states to slots. Of two states with the same hash, one is not in it.
    table: FxHashMap<u64, u32>,
    share: bool,
    bytes: usize,
    memory: usize,
    /// Where the last node was given away.
    hand: usize,
    /// Nodes with no more visits than this may go.
    few: u32,
    /// The move of the match.
    pub turn: u32,
}

/// Slots looked at for one that may go, at most, before more visits are taken for few.
const LOOK: usize = 4096;

impl Graph {
    /// Room for `memory` bytes; with `share`, equal states are one node.
    pub fn new(memory: usize, share: bool) -> Graph {
        Graph {
            slots: Vec::new(),
            free: Vec::new(),
            table: FxHashMap::default(),
            share,
            bytes: 0,
            memory,
            hand: 0,
            few: 1,
            turn: 0,
        }
    }

    /// An empty one in the bytes that this one does not take.
    pub fn beside(&self) -> Graph {
        Graph::new(self.memory.saturating_sub(self.bytes), self.share)
    }

    /// Nodes in it.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Bytes that they take, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    #[inline]
    pub fn get(&self, node: NodeRef) -> Option<&Node> {
        let slot = self.slots.get(node.index as usize)?;
        slot.node
            .as_ref()
            .filter(|_| slot.generation == node.generation)
    }

    #[inline]
    pub fn get_mut(&mut self, node: NodeRef) -> Option<&mut Node> {
        let slot = self.slots.get_mut(node.index as usize)?;
        let same = slot.generation == node.generation;
        slot.node.as_mut().filter(|_| same)
    }

    /// The node of a state, if there is one.
    pub fn find(&self, state: &State) -> Option<NodeRef> {
        let index = *self.table.get(&hash(state))?;
        let slot = self.slots.get(index as usize)?;
        let node = slot.node.as_ref()?;
        (node.state == *state).then_some(NodeRef {
            index,
            generation: slot.generation,
        })
    }

    /// Takes a node in. Others may have to go, but none of `keep`; `None` if there is no room.
    ///
    /// The caller has looked whether there is one of that state, if they are to be shared.
    pub fn insert(&mut self, node: Node, keep: &[NodeRef]) -> Option<NodeRef> {
        let bytes = node.bytes();
        while self.bytes + bytes > self.memory {
            if !self.give_way(keep) {
                return None;
            }
        }
        self.bytes += bytes;
        let hash = hash(&node.state);
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.slots.len()).ok()?;
                self.slots.push(Slot {
                    node: None,
                    generation: NonZeroU32::MIN,
                });
                index
            }
        };
        let slot = &mut self.slots[index as usize];
        slot.node = Some(node);
        if self.share {
            self.table.entry(hash).or_insert(index);
        }
        Some(NodeRef {
            index,
            generation: slot.generation,
        })
    }

    /// Notes that a node takes more bytes than it did.
    pub fn grown(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Whether the table finds nodes that were made on other ways.
    pub fn shares(&self) -> bool {
        self.share
    }

    /// Removes a node that is worth little: not seen since an earlier move of the match, or seldom
    /// visited. `false` if there is none.
    ///
    /// The hand goes round like that of a clock, so that each node has its turn; what is few grows
    /// while nothing is found and shrinks while much is.
    fn give_way(&mut self, keep: &[NodeRef]) -> bool {
        let mut looked = 0;
        let limit = 2 * self.slots.len() + 2 * LOOK;
        for step in 0..limit {
            if self.slots.is_empty() {
                return false;
            }
            self.hand = (self.hand + 1) % self.slots.len();
            let hand = self.hand;
            let slot = &self.slots[hand];
            let Some(node) = &slot.node else {
                continue;
            };
            looked += 1;
            let old = node.turn < self.turn;
            let last = step + self.slots.len() > limit;
            let kept = keep.iter().any(|keep| keep.index as usize == hand);
            if !kept && (old || node.visits <= self.few || last) {
                self.remove(hand);
                if looked < 8 {
                    self.few = self.few.saturating_sub(self.few / 64).max(1);
                }
                return true;
            }
            if looked % LOOK == 0 {
                self.few = self.few.saturating_add(self.few / 2 + 1);
            }
        }
        false
    }

    fn remove(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        let Some(node) = slot.node.take() else {
            return;
        };
        slot.generation = slot.generation.checked_add(1).unwrap_or(NonZeroU32::MIN);
        self.bytes -= node.bytes();
        self.free.push(index as u32);
        let hash = hash(&node.state);
        if self.table.get(&hash) == Some(&(index as u32)) {
            self.table.remove(&hash);
        }
    }
}

fn hash(state: &State) -> u64 {
    FxBuildHasher.hash_one(state.words())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{Kind, Standing};

    fn node(word: u64) -> Node {
        let state = State::from_words(vec![word]);
        Node::new(state, Kind::End, smallvec::smallvec![Standing::NEW])
    }

    #[test]
    fn equal_states_are_found() {
        let mut graph = Graph::new(1 << 20, true);
        let one = graph.insert(node(1), &[]).unwrap();
        let two = graph.insert(node(2), &[]).unwrap();
        assert_eq!(graph.find(&State::from_words(vec![1])), Some(one));
        assert_eq!(graph.find(&State::from_words(vec![2])), Some(two));
        assert_eq!(graph.find(&State::from_words(vec![3])), None);
    }

    #[test]
    fn a_full_graph_gives_seldom_visited_nodes_away_and_keeps_to_its_memory() {
        let size = node(0).bytes();
        let mut graph = Graph::new(100 * size, true);
        let root = graph.insert(node(0), &[]).unwrap();
        let often = graph.insert(node(1), &[]).unwrap();
        graph.get_mut(often).unwrap().visits = 1000;
        let mut last = root;
        for word in 2..10_000 {
            last = graph.insert(node(word), &[root]).unwrap();
            assert!(graph.bytes() <= 100 * size);
        }
        assert!(graph.get(root).is_some() && graph.get(last).is_some());
        assert!(graph.get(often).is_some(), "{graph:?}");
        assert_eq!(graph.find(&State::from_words(vec![2])), None);
        assert_eq!(graph.len(), 100);
    }

    #[test]
    fn nodes_of_earlier_moves_go_first() {
        let size = node(0).bytes();
        let mut graph = Graph::new(3 * size, true);
        let old = graph.insert(node(0), &[]).unwrap();
        graph.get_mut(old).unwrap().visits = 1000;
        graph.turn = 1;
        for word in 1..3 {
            let new = graph.insert(node(word), &[]).unwrap();
            let new = graph.get_mut(new).unwrap();
            (new.visits, new.turn) = (10, 1);
        }
        graph.insert(node(3), &[]).unwrap();
        assert!(graph.get(old).is_none());
        // Where everything is to be kept, there is no room.
        let keep: Vec<NodeRef> = (1..4)
            .filter_map(|word| graph.find(&State::from_words(vec![word])))
            .collect();
        assert_eq!(graph.insert(node(4), &keep), None);
    }
}
