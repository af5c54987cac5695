//! Propagates the change of one input through the gates that change.

use analysis::reads::Readers;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A change of some values that can be undone.
pub(super) struct Wave<V> {
    open: BinaryHeap<Reverse<u32>>,
    queued: FixedBitSet,
    /// The nodes that changed, ascending, with their previous values.
    pub changed: Vec<(u32, V)>,
    /// Nodes visited so far, in all changes.
    pub visits: u64,
}

impl<V: Copy + PartialEq> Wave<V> {
    /// An instance for a netlist of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Wave {
            open: BinaryHeap::new(),
            queued: FixedBitSet::with_capacity(nodes),
            changed: Vec::new(),
            visits: 0,
        }
    }

    /// Sets the value of a node and recomputes all nodes that depend on it with `make`. Where
    /// `make` returns `None`, the change stops.
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
            // Inputs that stand for recursive signals may come before; they are ignored.
            if reader as usize > node && !self.queued.put(reader as usize) {
                self.open.push(Reverse(reader));
            }
        }
    }

    /// Undoes the last change.
    pub fn undo(&self, values: &mut [V]) {
        for &(node, before) in &self.changed {
            values[node as usize] = before;
        }
    }
}
