//! The flat arrays that the engine runs on.

use super::layout::Layout;
use std::ops::Range;

/// The phases of evaluation, by the outputs that need a gate. Later phases read earlier ones,
/// never the reverse. Each query evaluates the phases that it needs and defers the others.
pub(super) mod phase {
    /// Legality and terminality.
    pub const LEGAL: usize = 0;
    /// Logic that both goals and transitions need.
    pub const SHARED: usize = 1;
    /// Goals alone.
    pub const GOAL: usize = 2;
    /// Transitions: the part that does not depend on the moves.
    pub const NEXT: usize = 3;
    /// Transitions: the part that depends on the moves.
    pub const MOVES: usize = 4;
    /// The number of phases.
    pub const COUNT: usize = 5;
}

/// Lists of numbers, one for each of `0..n`, stored in two arrays.
#[derive(Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Distributes `(list, item)` pairs to lists. The order within a list is kept.
    pub(super) fn new(lists: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; lists + 2];
        for &(list, _) in pairs {
            starts[list as usize + 2] += 1;
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut items = vec![0; pairs.len()];
        for &(list, item) in pairs {
            // The position up to which the list is filled. At the end it is the start of the
            // next list.
            let filled = &mut starts[list as usize + 1];
            items[*filled as usize] = item;
            *filled += 1;
        }
        Lists { starts, items }
    }

    pub(super) fn of(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// A connection to a gate, packed in 32 bits: the number of the gate, whether the connection is
/// inverted, and whether it enters a cycle (the gate is on a cycle and the source is not).
#[derive(Debug, Clone, Copy)]
pub(super) struct Link(pub(super) u32);

impl Link {
    /// Gate numbers must be below this.
    pub(super) const MAX_GATES: usize = 1 << 30;

    pub(super) fn new(gate: u32, inverted: bool, cyclic: bool) -> Self {
        Link(gate << 2 | u32::from(inverted) << 1 | u32::from(cyclic))
    }

    pub(super) fn from_item(item: u32) -> Self {
        Link(item)
    }

    pub(super) fn gate(self) -> usize {
        (self.0 >> 2) as usize
    }

    pub(super) fn inverted(self) -> bool {
        self.0 & 2 != 0
    }

    pub(super) fn cyclic(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The position of a gate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Its level.
    pub level: u32,
    /// The first gate of its cycle. The gate itself if it is on no cycle.
    pub first: u32,
    /// The number of gates of its cycle. Zero if it is on no cycle.
    pub cycle: u32,
}

/// A network as flat arrays.
///
/// A gate is a counter. It starts at minus the number of true inputs that it needs: all of an
/// and-gate, one of an or-gate. Every true input adds one, and the gate is true while the
/// counter is not negative. Not-gates are inverted links. Gates are numbered by phase, then by
/// level, so that each gate's links lead to higher levels. The gates of a cycle share a level
/// and have consecutive numbers.
///
/// The sources of links are numbered too: first the gates, then the moves of all roles, then
/// for each phase all facts.
#[derive(Debug)]
pub(super) struct Lowered {
    /// Links by source.
    pub links: Lists,
    /// Output bits by gate.
    pub outputs: Lists,
    /// Positions by gate.
    pub places: Vec<Place>,
    /// The counters if all sources and all gates are false.
    pub counts: Vec<i32>,
    /// The output bits if all sources and all gates are false.
    pub bits: Vec<u64>,
    /// The first gate of each level, followed by the total number of gates.
    pub levels: Vec<u32>,
    /// The range of levels of each phase.
    pub phases: [Range<usize>; phase::COUNT],
    /// The number of gates on the largest cycle.
    pub largest_cycle: usize,
    /// The positions of facts, moves and outputs.
    pub layout: Layout,
}

impl Lowered {
    pub(super) fn gates(&self) -> usize {
        self.places.len()
    }

    /// The source number of a role's move.
    pub(super) fn move_source(&self, role: usize, mv: u32) -> usize {
        self.gates() + self.layout.move_position(role, mv)
    }

    /// The source number of a fact for the links into one phase.
    pub(super) fn fact_source(&self, phase: usize, fact: usize) -> usize {
        self.gates() + self.layout.moves() + phase * self.layout.facts() + fact
    }
}
