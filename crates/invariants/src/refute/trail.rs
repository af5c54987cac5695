//! The trail: what was found out in a case, to be undone when the case ends.

use super::Refuter;
use super::value::{UNKNOWN, Value};

/// A change to undo when an assumption is left.
#[derive(Clone, Copy)]
pub(super) enum Undo {
    Value(u32),
    Chosen(u32),
    Made(u16),
    Narrowed(u16),
}

/// The sizes to return to when a case ends.
pub(super) struct Mark {
    trail: usize,
    pending: usize,
    since: u64,
}

impl Refuter<'_> {
    /// Starts a case; [`Refuter::leave`] undoes all that was assumed in it.
    pub fn enter(&mut self) {
        self.marks.push(Mark {
            trail: self.trail.len(),
            pending: self.pending.len(),
            since: self.since,
        });
    }

    /// Ends a case.
    pub fn leave(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for undo in self.trail.drain(mark.trail..) {
            match undo {
                Undo::Value(node) => {
                    let node = &mut self.nodes[node as usize];
                    *node = node.with(UNKNOWN);
                }
                Undo::Chosen(group) => self.chosen[group as usize] = None,
                Undo::Made(role) => self.made[usize::from(role)] = None,
                Undo::Narrowed(role) => self.narrowed[usize::from(role)] = false,
            }
        }
        self.pending.truncate(mark.pending);
        // What was unknown under more assumptions is unknown under fewer.
        self.since = mark.since;
        self.queue.clear();
    }

    /// Records the value of a node until the case ends.
    pub(super) fn write(&mut self, node: usize, value: Value) {
        self.set_value(node, value);
        self.trail.push(Undo::Value(node as u32));
    }

    fn set_value(&mut self, node: usize, value: Value) {
        self.nodes[node] = self.nodes[node].with(value);
    }
}
