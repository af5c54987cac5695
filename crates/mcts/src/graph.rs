//! Storage of the nodes for all threads: a fixed number of bytes, and a table from states to
//! nodes.
//!
//! Every node has a lock. A thread that writes to a node holds no other lock, which the compiler
//! enforces: [`Graph::get`] borrows the thread's handle of the graph, [`Graph::get_mut`] borrows
//! it mutably. So a thread that waits for a node waits for one that waits for nothing, and there
//! are no deadlocks.

mod evict;
mod local;
mod slots;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use slots::{ReadGuard, WriteGuard};

use crate::Memory;
use crate::node::{Node, NodeRef};
use crossbeam_utils::CachePadded;
use evict::ClockHand;
use game::State;
use local::Local;
use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;
use slots::Slots;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicU32, Ordering};
use table::Table;

/// One thread's handle of the graph.
#[derive(Debug)]
pub(crate) struct Graph {
    shared: Arc<Shared>,
    local: Local,
}

/// What all handles share.
///
/// Most fields are read with every node and hardly ever written. Those that are written all the
/// time have cache lines of their own, so that writes do not invalidate the others.
#[derive(Debug)]
struct Shared {
    slots: Slots,
    table: Table,
    share: bool,
    memory: usize,
    eviction: Memory,
    /// The number of the move of the match.
    turn: AtomicU32,
    free: CachePadded<Mutex<Vec<u32>>>,
    /// The number of all nodes, without what handles have not added yet.
    nodes: CachePadded<AtomicIsize>,
    /// Bytes of all nodes, likewise. Negative only for a moment, if a node is evicted before its
    /// growth is added.
    bytes: CachePadded<AtomicIsize>,
    hand: CachePadded<Mutex<ClockHand>>,
}

impl Graph {
    /// A graph of at most `memory` bytes. With `share`, equal states share one node.
    pub fn new(memory: usize, share: bool, eviction: Memory) -> Graph {
        let slots = memory / (Node::MIN_BYTES + Slots::OVERHEAD);
        let shared = Shared {
            slots: Slots::new(slots),
            table: Table::new(slots),
            share,
            memory,
            eviction,
            turn: AtomicU32::new(0),
            free: CachePadded::default(),
            nodes: CachePadded::default(),
            bytes: CachePadded::default(),
            hand: CachePadded::new(Mutex::new(ClockHand::new())),
        };
        Graph {
            shared: Arc::new(shared),
            local: Local::default(),
        }
    }

    /// A handle of the same graph for another thread.
    pub fn handle(&self) -> Graph {
        Graph {
            shared: self.shared.clone(),
            local: Local::default(),
        }
    }

    /// The number of nodes. What other threads have just added may be missing.
    pub fn len(&self) -> usize {
        self.local.nodes(&self.shared)
    }

    /// Bytes of all nodes, about. What other threads have just added may be missing.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.local.bytes(&self.shared)
    }

    /// Tells the other handles what this one has added.
    pub fn publish(&mut self) {
        self.local.publish(&self.shared);
    }

    /// The number of the move of the match.
    #[inline]
    pub fn turn(&self) -> u32 {
        self.shared.turn.load(Ordering::Relaxed)
    }

    /// Begins the next move of the match.
    pub fn next_turn(&self) {
        self.shared.turn.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether a node still exists. It may be evicted at any time.
    #[inline]
    pub fn contains(&self, node: NodeRef) -> bool {
        self.shared.slots.contains(node)
    }

    /// A node to read, if it still exists. A thread may read any number of nodes at a time.
    #[inline]
    pub fn get(&self, node: NodeRef) -> Option<ReadGuard<'_>> {
        self.shared.slots.read(node)
    }

    /// A node to write to, if it still exists.
    #[inline]
    pub fn get_mut(&mut self, node: NodeRef) -> Option<WriteGuard<'_>> {
        self.shared.slots.write(node)
    }

    /// Prefetches a node.
    #[inline]
    pub fn prefetch(&self, node: NodeRef) {
        self.shared.slots.prefetch(node);
    }

    /// Prefetches the edges of a node. The node should be in the cache already.
    #[inline]
    pub fn prefetch_edges(&self, node: NodeRef) {
        self.shared.slots.prefetch_edges(node);
    }

    /// Prefetches where [`Graph::find`] looks for a state.
    pub fn prefetch_entry(&self, state: &State) {
        self.shared.table.prefetch(hash(state));
    }

    /// Prefetches the node of a state, if there is one. The entry should be in the cache already.
    pub fn prefetch_node(&self, state: &State) {
        if let Some(index) = self.shared.table.find(hash(state)) {
            self.shared.slots.prefetch_at(index);
        }
    }

    /// The node of a state, if there is one.
    pub fn find(&self, state: &State) -> Option<NodeRef> {
        let index = self.shared.table.find(hash(state))?;
        let (name, node) = self.shared.slots.read_at(index)?;
        (node.state == *state).then_some(name)
    }

    /// Inserts a node, or finds the one that another thread has inserted for the same state
    /// meanwhile. Evicts other nodes if necessary, but none of `keep`; `None` if there is no
    /// memory.
    ///
    /// If nodes are shared, the caller must have checked that there is none of that state.
    pub fn insert(&mut self, node: Node, keep: &[NodeRef]) -> Option<NodeRef> {
        let bytes = bytes_of(&node);
        while self.bytes() + bytes > self.shared.memory {
            if !self.evict(keep) {
                return None;
            }
        }
        let hash = hash(&node.state);
        let index = loop {
            // The other handles may keep the last ones for themselves.
            match self.local.take_slot(&self.shared) {
                Some(index) => break index,
                None if self.evict(keep) => {}
                None => return None,
            }
        };
        // The table comes first, since a node can be evicted as soon as it is in its slot.
        while self.shared.share
            && let Some(other) = self.shared.table.insert(hash, index)
        {
            let Some((other, theirs)) = self.shared.slots.read_at(other) else {
                // Another thread is inserting or evicting that node.
                std::thread::yield_now();
                continue;
            };
            if theirs.state == node.state {
                self.local.keep_slot(index);
                return Some(other);
            }
            if self.shared.table.is_same(self::hash(&theirs.state), hash) {
                break;
            }
        }
        self.count(1, bytes);
        self.shared.slots.store(index, node)
    }

    /// Adds the growth of a node to the bytes of all nodes.
    #[inline]
    pub fn add_bytes(&mut self, bytes: usize) {
        if bytes > 0 {
            self.count(0, bytes);
        }
    }

    fn count(&mut self, nodes: isize, bytes: usize) {
        let bytes = isize::try_from(bytes).unwrap_or(isize::MAX);
        self.local.count(nodes, bytes, &self.shared);
    }

    /// Whether equal states share one node.
    pub fn shares(&self) -> bool {
        self.shared.share
    }

    /// All nodes.
    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = ReadGuard<'_>> {
        let places = 0..self.shared.slots.len() as u32;
        places.filter_map(|place| Some(self.shared.slots.read_at(place)?.1))
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        self.local.leave(&self.shared);
    }
}

/// Bytes of a node and its slot.
pub(crate) fn bytes_of(node: &Node) -> usize {
    node.bytes() + Slots::OVERHEAD
}

/// The table needs both halves of a hash to differ, whichever facts of states do.
fn hash(state: &State) -> u64 {
    let hash = FxBuildHasher.hash_one(state.words());
    let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}
