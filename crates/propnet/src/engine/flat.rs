//! A network as flat arrays: what runs.

use super::layout::Layout;
use std::ops::Range;

/// What the logic of a gate is needed for. Later phases read earlier ones, never the reverse, so
/// each question evaluates the phases that it needs and leaves the others for later.
pub(super) mod phase {
    /// Legality and terminality.
    pub const LEGAL: usize = 0;
    /// Both goals and transitions.
    pub const SHARED: usize = 1;
    /// Goals alone.
    pub const GOAL: usize = 2;
    /// Transitions, as far as they do not depend on the moves.
    pub const NEXT: usize = 3;
    /// Transitions, as far as they do.
    pub const MOVES: usize = 4;
    /// How many there are.
    pub const COUNT: usize = 5;
}

/// Lists of numbers, one list for each of `0..n`, in two arrays.
#[derive(Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Sorts `(list, item)` pairs into lists, keeping their order within a list.
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
            // Where the list has been filled up to; in the end, the start of the next one.
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

/// A connection to a gate: its number, whether it is inverted on the way, and whether the gate is
/// on a cycle (and the source is not), packed in 32 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link(pub(super) u32);

impl Link {
    /// Gates can be numbered below this.
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

/// Where a gate stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Its level.
    pub level: u32,
    /// The first gate of its cycle; itself if it is on none.
    pub first: u32,
    /// How many gates its cycle has; zero if it is on none.
    pub cycle: u32,
}

/// A network as flat arrays.
///
/// A gate is a counter: it begins at minus the number of true inputs that it needs (all of an
/// and-gate, one of an or-gate), every true input adds one, and the gate is true while the counter
/// is not negative. Not-gates are inverted links. Gates are numbered by phase, then by level, so
/// that each gate's links lead to higher levels; the gates of a cycle share a level and stand side
/// by side.
///
/// Sources of links are numbered: the gates, then the moves of all roles, then for each phase all
/// facts.
#[derive(Debug)]
pub(super) struct Lowered {
    /// Links by source.
    pub links: Lists,
    /// Output bits by gate.
    pub outputs: Lists,
    /// By gate.
    pub places: Vec<Place>,
    /// The counters when all sources and all gates are false.
    pub counts: Vec<i32>,
    /// The output bits then.
    pub bits: Vec<u64>,
    /// The first gate of each level, and after the last level the number of gates.
    pub levels: Vec<u32>,
    /// The levels of each phase.
    pub phases: [Range<usize>; phase::COUNT],
    /// Gates on the largest cycle.
    pub largest_cycle: usize,
    /// Where facts, moves and answers are found.
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
