//! What one thread's handle keeps for itself, so that threads do not write to the same memory with
//! every node.

use super::Shared;
use std::sync::atomic::{AtomicIsize, Ordering};

/// The most bytes that a handle keeps for itself.
const MOST_BYTES: usize = 1 << 16;

/// The most slots that a handle takes at once.
const MOST_SLOTS: usize = 32;

/// In small graphs it is one part in so many of all bytes and slots.
const PART: usize = 4096;

/// Slots that a handle may fill, and what it has not added to the sums of all handles yet.
#[derive(Debug, Default)]
pub(super) struct Local {
    /// Empty slots. The last one is filled first.
    spare: Vec<u32>,
    nodes: isize,
    bytes: isize,
}

impl Local {
    /// The bytes of all nodes, as far as this handle knows.
    #[inline]
    pub fn bytes(&self, shared: &Shared) -> usize {
        sum(&shared.bytes, self.bytes)
    }

    /// The number of nodes, as far as this handle knows.
    pub fn nodes(&self, shared: &Shared) -> usize {
        sum(&shared.nodes, self.nodes)
    }

    /// Counts nodes and bytes that were added, or taken away.
    #[inline]
    pub fn count(&mut self, nodes: isize, bytes: isize, shared: &Shared) {
        self.nodes += nodes;
        self.bytes += bytes;
        if self.bytes.unsigned_abs() > MOST_BYTES.min(shared.memory / PART) {
            self.publish(shared);
        }
    }

    /// Adds what was counted to the sums of all handles.
    pub fn publish(&mut self, shared: &Shared) {
        let nodes = std::mem::take(&mut self.nodes);
        let bytes = std::mem::take(&mut self.bytes);
        shared.nodes.fetch_add(nodes, Ordering::Relaxed);
        shared.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// An empty slot; `None` if there is none left.
    pub fn take_slot(&mut self, shared: &Shared) -> Option<u32> {
        if self.spare.is_empty() {
            let count = (shared.slots.most() / PART).clamp(1, MOST_SLOTS);
            let mut free = shared.free.lock();
            let kept = free.len().saturating_sub(count);
            self.spare.extend(free.drain(kept..));
            drop(free);
            if self.spare.is_empty() {
                let new = shared.slots.allocate(count as u32)?;
                self.spare.extend(new.rev());
            }
        }
        self.spare.pop()
    }

    /// Keeps a slot that was emptied.
    pub fn keep_slot(&mut self, index: u32) {
        self.spare.push(index);
    }

    /// Leaves everything to the other handles.
    pub fn leave(&mut self, shared: &Shared) {
        self.publish(shared);
        shared.free.lock().append(&mut self.spare);
    }
}

fn sum(shared: &AtomicIsize, own: isize) -> usize {
    usize::try_from(shared.load(Ordering::Relaxed) + own).unwrap_or(0)
}
