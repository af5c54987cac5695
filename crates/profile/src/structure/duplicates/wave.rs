//! One changed input, carried through the gates that really change.

use analysis::reads::Readers;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A change of some values, to be looked at and taken back.
pub(super) struct Wave<V> {
    open: BinaryHeap<Reverse<u32>>,
    queued: FixedBitSet,
    /// The nodes that changed, ascending, with what they were before.
    pub changed: Vec<(u32, V)>,
    /// Nodes visited so far, over all waves.
    pub visits: u64,
}

impl<V: Copy + PartialEq> Wave<V> {
    /// For so many nodes.
    pub fn new(nodes: usize) -> Self {
        Wave {
            open: BinaryHeap::new(),
            queued: FixedBitSet::with_capacity(nodes),
            changed: Vec::new(),
            visits: 0,
        }
    }

    /// Gives a node another value, and all nodes that depend on it what `make` says; for nodes of
    /// which that says nothing, the change stops.
    pub fn run(
        &mut self,
        readers: &Readers,
        values: &mut [V],
        node: usize,
        value: V,
        mut make: impl FnMut(usize, &[V]) -> Option<V>,
    ) {
        self.changed.clear();
        self.change(readers, values, node, value);
        // A node comes after all that it reads, so it is visited once.
        while let Some(Reverse(node)) = self.open.pop() {
            let node = node as usize;
            self.queued.set(node, false);
            self.visits += 1;
            if let Some(value) = make(node, values) {
                self.change(readers, values, node, value);
            }
        }
    }

    fn change(&mut self, readers: &Readers, values: &mut [V], node: usize, value: V) {
        if values[node] == value {
            return;
        }
        self.changed.push((node as u32, values[node]));
        values[node] = value;
        for &reader in readers.of(node) {
            // Inputs that stand for recursive signals may come before; they are not asked for.
            if reader as usize > node && !self.queued.put(reader as usize) {
                self.open.push(Reverse(reader));
            }
        }
    }

    /// Takes the last change back.
    pub fn undo(&self, values: &mut [V]) {
        for &(node, before) in &self.changed {
            values[node as usize] = before;
        }
    }
}
