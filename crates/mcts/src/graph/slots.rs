//! Slots for nodes, which stay in place while more are allocated.

use crate::node::{Kind, Node, NodeRef};
use crossbeam_utils::CachePadded;
use parking_lot::{
    MappedRwLockReadGuard, MappedRwLockWriteGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A node that is locked for reading.
pub(crate) type ReadGuard<'a> = MappedRwLockReadGuard<'a, Node>;
/// A node that is locked for writing.
pub(crate) type WriteGuard<'a> = MappedRwLockWriteGuard<'a, Node>;

/// A slot for a node.
///
/// The lock and what every visit reads first share one cache line. No two nodes share a line, or
/// threads would invalidate each other's lines.
#[derive(Debug)]
#[repr(C, align(64))]
struct Slot {
    /// Incremented when the node is evicted, under its write lock. Never zero.
    generation: AtomicU32,
    node: RwLock<Option<Node>>,
}

impl Slot {
    #[inline]
    fn generation(&self) -> NonZeroU32 {
        let generation = self.generation.load(Ordering::Relaxed);
        NonZeroU32::new(generation).unwrap_or(NonZeroU32::MIN)
    }
}

/// Slots of a block.
const BLOCK: usize = 512;

type Block = Box<[Slot]>;

/// All slots, in blocks.
#[derive(Debug)]
pub(super) struct Slots {
    blocks: Box<[OnceLock<Block>]>,
    /// The number of slots that were allocated.
    taken: CachePadded<AtomicU32>,
}

impl Slots {
    /// Bytes of a slot beside its node.
    pub const OVERHEAD: usize = size_of::<Slot>() - size_of::<Node>();

    /// No slots yet, and never more than `most`, rounded up to a block.
    pub fn new(most: usize) -> Slots {
        let most = most.min(u32::MAX as usize - BLOCK);
        let blocks = (0..=most / BLOCK).map(|_| OnceLock::new());
        Slots {
            blocks: blocks.collect(),
            taken: CachePadded::default(),
        }
    }

    /// The number of slots that were allocated.
    pub fn len(&self) -> usize {
        self.taken.load(Ordering::Relaxed) as usize
    }

    /// The number of slots that there can be.
    pub fn most(&self) -> usize {
        self.blocks.len() * BLOCK
    }

    /// Allocates so many slots, or what is left; `None` if that is nothing.
    pub fn allocate(&self, count: u32) -> Option<Range<u32>> {
        let last = self.most() as u32;
        let end = |taken: u32| taken.saturating_add(count).min(last);
        let next = |taken| (taken < last).then(|| end(taken));
        let order = Ordering::Relaxed;
        let begin = self.taken.fetch_update(order, order, next).ok()?;
        let new = begin..end(begin);
        for block in begin as usize / BLOCK..(new.end as usize).div_ceil(BLOCK) {
            self.blocks[block].get_or_init(|| {
                let slot = |_| Slot {
                    generation: AtomicU32::new(1),
                    node: RwLock::new(None),
                };
                (0..BLOCK).map(slot).collect()
            });
        }
        Some(new)
    }

    #[inline]
    fn slot(&self, index: u32) -> Option<&Slot> {
        let index = index as usize;
        Some(&self.blocks.get(index / BLOCK)?.get()?[index % BLOCK])
    }

    /// Whether a node still exists. It may be evicted at any time.
    #[inline]
    pub fn contains(&self, node: NodeRef) -> bool {
        let slot = self.slot(node.index);
        slot.is_some_and(|slot| slot.generation() == node.generation)
    }

    /// A node, if it still exists.
    ///
    /// A thread that reads may read another node, and the same one again: waiting writers do not
    /// block recursive readers.
    #[inline]
    pub fn read(&self, node: NodeRef) -> Option<ReadGuard<'_>> {
        let slot = self.slot(node.index)?;
        let own = slot.node.read_recursive();
        if slot.generation() != node.generation {
            return None;
        }
        RwLockReadGuard::try_map(own, Option::as_ref).ok()
    }

    /// A node to write to, if it still exists. The thread may hold no other lock.
    #[inline]
    pub fn write(&self, node: NodeRef) -> Option<WriteGuard<'_>> {
        let slot = self.slot(node.index)?;
        let own = slot.node.write();
        if slot.generation() != node.generation {
            return None;
        }
        RwLockWriteGuard::try_map(own, Option::as_mut).ok()
    }

    /// Prefetches a node.
    #[inline]
    pub fn prefetch(&self, node: NodeRef) {
        self.prefetch_at(node.index);
    }

    /// Prefetches the node in a slot.
    #[inline]
    pub fn prefetch_at(&self, index: u32) {
        if let Some(slot) = self.slot(index) {
            prefetch::item(slot);
        }
    }

    /// Prefetches the edges of a node. The node should be in the cache already.
    #[inline]
    pub fn prefetch_edges(&self, node: NodeRef) {
        let slot = self
            .slot(node.index)
            .and_then(|slot| slot.node.try_read_recursive());
        let node = slot.as_deref().and_then(Option::as_ref);
        match node.map(|node| &node.kind) {
            Some(Kind::Turn { edges, .. }) => prefetch::slice(edges),
            Some(Kind::Simultaneous(joint_stats)) => {
                prefetch::slice(joint_stats.all_arms());
                prefetch::slice(joint_stats.edges.slots());
            }
            _ => {}
        }
    }

    /// The node in a slot, with its reference.
    #[inline]
    pub fn read_at(&self, index: u32) -> Option<(NodeRef, ReadGuard<'_>)> {
        let slot = self.slot(index)?;
        let node = RwLockReadGuard::try_map(slot.node.read_recursive(), Option::as_ref).ok()?;
        let generation = slot.generation();
        Some((NodeRef { index, generation }, node))
    }

    /// Stores a node in a slot that is allocated and empty.
    pub fn store(&self, index: u32, node: Node) -> Option<NodeRef> {
        let slot = self.slot(index)?;
        let mut own = slot.node.write();
        *own = Some(node);
        // Under the lock: the node may be evicted as soon as it is released.
        let generation = slot.generation();
        Some(NodeRef { index, generation })
    }

    /// Empties a slot. References to its node become stale.
    pub fn clear(&self, index: u32) -> Option<Node> {
        let slot = self.slot(index)?;
        let mut own = slot.node.write();
        let node = own.take()?;
        let next = slot.generation().checked_add(1).unwrap_or(NonZeroU32::MIN);
        slot.generation.store(next.get(), Ordering::Relaxed);
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::RoleStats;
    use game::State;

    /// Prefetching is harmless for stale references, nodes that are locked, and slots that do not
    /// exist.
    #[test]
    fn any_reference_may_be_prefetched() {
        let slots = Slots::new(2);
        let kind = Kind::Turn {
            role: 0,
            moves: Box::default(),
            edges: vec![crate::node::Edge::NEW; 100].into(),
            joint: smallvec::smallvec![],
        };
        let state = State::from_words(vec![1]);
        let node = Node::new(state, kind, smallvec::smallvec![RoleStats::NEW]);
        let index = slots.allocate(1).unwrap().start;
        let name = slots.store(index, node).unwrap();
        let all = |name| (slots.prefetch(name), slots.prefetch_edges(name));
        all(name);
        let written = slots.write(name).unwrap();
        all(name);
        drop(written);
        assert_eq!(slots.read(name).unwrap().state, State::from_words(vec![1]));
        slots.clear(index).unwrap();
        all(name);
        all(NodeRef {
            index: u32::MAX,
            ..name
        });
    }
}
