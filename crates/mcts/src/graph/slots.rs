//! Places for nodes, which stay where they are while others are added.

use crate::node::{Node, NodeRef};
use parking_lot::{
    MappedRwLockReadGuard, MappedRwLockWriteGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use std::num::NonZeroU32;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A node that is being read.
pub(crate) type Reading<'a> = MappedRwLockReadGuard<'a, Node>;
/// A node that is being written.
pub(crate) type Writing<'a> = MappedRwLockWriteGuard<'a, Node>;

/// A place for a node.
#[derive(Debug)]
struct Slot {
    node: Option<Node>,
    generation: NonZeroU32,
}

/// Slots of a block.
const BLOCK: usize = 512;

type Block = Box<[RwLock<Slot>]>;

/// All places, block after block.
#[derive(Debug)]
pub(super) struct Slots {
    blocks: Box<[OnceLock<Block>]>,
    /// How many were taken so far.
    taken: AtomicU32,
}

impl Slots {
    /// As many as there can ever be.
    pub fn new(most: usize) -> Slots {
        let most = most.min(u32::MAX as usize - BLOCK);
        let blocks = (0..=most / BLOCK).map(|_| OnceLock::new());
        Slots {
            blocks: blocks.collect(),
            taken: AtomicU32::new(0),
        }
    }

    /// How many were taken.
    pub fn len(&self) -> usize {
        self.taken.load(Ordering::Relaxed) as usize
    }

    /// Takes one that nobody had; `None` if there is none left.
    pub fn take(&self) -> Option<u32> {
        let last = (self.blocks.len() * BLOCK) as u32;
        let next = |taken| (taken < last).then_some(taken + 1);
        let order = Ordering::Relaxed;
        let index = self.taken.fetch_update(order, order, next).ok()?;
        self.blocks[index as usize / BLOCK].get_or_init(|| {
            let slot = |_| {
                RwLock::new(Slot {
                    node: None,
                    generation: NonZeroU32::MIN,
                })
            };
            (0..BLOCK).map(slot).collect()
        });
        Some(index)
    }

    #[inline]
    fn at(&self, index: u32) -> Option<&RwLock<Slot>> {
        let index = index as usize;
        Some(&self.blocks.get(index / BLOCK)?.get()?[index % BLOCK])
    }

    /// A node, if it is still there.
    ///
    /// Whoever reads may read another one, and the same one once more: those who wait to write stand
    /// back behind those who read already.
    #[inline]
    pub fn read(&self, node: NodeRef) -> Option<Reading<'_>> {
        let slot = self.at(node.index)?.read_recursive();
        if slot.generation != node.generation {
            return None;
        }
        RwLockReadGuard::try_map(slot, |slot| slot.node.as_ref()).ok()
    }

    /// A node to write to, if it is still there. Nothing else may be locked by the same thread.
    #[inline]
    pub fn write(&self, node: NodeRef) -> Option<Writing<'_>> {
        let slot = self.at(node.index)?.write();
        if slot.generation != node.generation {
            return None;
        }
        RwLockWriteGuard::try_map(slot, |slot| slot.node.as_mut()).ok()
    }

    /// The node in a place, with its name.
    #[inline]
    pub fn read_at(&self, index: u32) -> Option<(NodeRef, Reading<'_>)> {
        let slot = self.at(index)?.read_recursive();
        let generation = slot.generation;
        let node = RwLockReadGuard::try_map(slot, |slot| slot.node.as_ref()).ok()?;
        Some((NodeRef { index, generation }, node))
    }

    /// Puts a node in a place that was taken and is empty.
    pub fn put(&self, index: u32, node: Node) -> Option<NodeRef> {
        let mut slot = self.at(index)?.write();
        slot.node = Some(node);
        let generation = slot.generation;
        Some(NodeRef { index, generation })
    }

    /// Empties a place. Whoever refers to the node that was there does not find it any more.
    pub fn clear(&self, index: u32) -> Option<Node> {
        let mut slot = self.at(index)?.write();
        let node = slot.node.take()?;
        slot.generation = slot.generation.checked_add(1).unwrap_or(NonZeroU32::MIN);
        Some(node)
    }
}
