//! Nodes and edges.

mod edge;

pub(crate) use edge::Edge;

use crate::Bounds;
use crate::simultaneous::JointStats;
use game::{MoveId, State, Tally};
use smallvec::SmallVec;
use std::num::NonZeroU32;

/// One value for each role. Those of two roles, as most games have, lie in the node itself.
pub(crate) type ByRole<T> = SmallVec<[T; 2]>;

/// A reference to a node. It is stale once the node was evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeRef {
    pub index: u32,
    /// The generation of the node's slot when the reference was made.
    pub generation: NonZeroU32,
}

/// Statistics and bounds of one role's result in a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoleStats {
    /// The mean of the samples, 0 to 1.
    pub mean: f32,
    /// The mean of their squares.
    pub square: f32,
    pub bounds: Bounds,
}

impl RoleStats {
    pub const NEW: RoleStats = RoleStats {
        mean: 0.0,
        square: 0.0,
        bounds: Bounds::OPEN,
    };

    /// The mean, clamped to the bounds; the middle of the bounds while there are no samples.
    #[inline]
    pub fn value(&self, samples: u32) -> f64 {
        let bounds = self.bounds;
        match samples {
            0 => (f64::from(bounds.low) + f64::from(bounds.high)) / 200.0,
            _ => bounds.clamp(f64::from(self.mean)),
        }
    }

    #[inline]
    pub fn variance(&self) -> f64 {
        let mean = f64::from(self.mean);
        (f64::from(self.square) - mean * mean).max(0.0)
    }
}

/// A copy of the statistics of a node, for its parent.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub samples: u32,
    pub stats: ByRole<RoleStats>,
}

impl Snapshot {
    /// Replaces the copy by that of another node.
    #[inline]
    pub fn take(&mut self, node: &Node) {
        self.samples = node.samples;
        self.stats.clone_from(&node.stats);
    }

    /// Whether the results of all roles are proved.
    #[inline]
    pub fn is_solved(&self) -> bool {
        is_solved(&self.stats)
    }

    /// How much is proved of the results of all roles, a number that only grows.
    pub fn proved(&self) -> u16 {
        proved(&self.stats)
    }
}

fn is_solved(stats: &[RoleStats]) -> bool {
    stats.iter().all(|role| role.bounds.is_exact())
}

fn proved(stats: &[RoleStats]) -> u16 {
    stats.iter().fold(0, |sum, role| {
        let bounds = role.bounds;
        let own = u16::from(bounds.low) + 100 - u16::from(bounds.high.min(100));
        sum.saturating_add(own)
    })
}

/// Who chooses in a state.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Nobody: the state is terminal, or play cannot continue.
    Terminal,
    /// One role.
    Turn {
        role: u16,
        /// Its moves, in the order of the edges.
        moves: Box<[MoveId]>,
        /// Empty until a move is selected.
        edges: Box<[Edge]>,
        /// A joint move. The chooser's entry is a placeholder.
        joint: ByRole<MoveId>,
    },
    /// Several roles.
    Simultaneous(JointStats),
}

/// A terminal state, or one in which at least one role has a choice.
///
/// What every visit reads comes first: nodes are spread over the memory, and cache misses take
/// most of the time.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Node {
    /// Visits, those included that were not backpropagated yet.
    pub visits: u32,
    /// Samples that were backpropagated.
    pub samples: u32,
    /// The number of the move of the match during which the search was last here.
    pub turn: u32,
    /// Decisions from here to the end on the proved line, if the node is solved.
    pub depth: u16,
    /// Whether its moves were checked for terminal states, so that the first try of one needs no
    /// node.
    pub looked_ahead: bool,
    /// How often its visits have doubled, as far as descents have noticed.
    pub doublings: u8,
    /// Statistics of each role.
    pub stats: ByRole<RoleStats>,
    pub kind: Kind,
    pub state: State,
    /// Results and final states of the playouts from below, once the node has many samples.
    pub tally: Option<Box<Tally>>,
}

/// Bytes of a heap allocation beside its contents, about.
pub(crate) const ALLOCATION: usize = 16;

/// Bytes of a list that lie outside the node.
fn heap_bytes<T>(all: &ByRole<T>) -> usize {
    match all.spilled() {
        true => all.capacity() * size_of::<T>() + ALLOCATION,
        false => 0,
    }
}

/// Bytes of an entry in the table of states, of which a quarter to a half is in use.
const TABLE_ENTRY: usize = 4 * size_of::<u64>();

impl Node {
    /// Bytes that any node takes.
    pub const MIN_BYTES: usize = size_of::<Node>() + TABLE_ENTRY;

    pub fn new(state: State, kind: Kind, stats: ByRole<RoleStats>) -> Node {
        Node {
            state,
            kind,
            stats,
            tally: None,
            visits: 0,
            samples: 0,
            looked_ahead: false,
            doublings: 0,
            depth: 0,
            turn: 0,
        }
    }

    /// The joint move of these choices: the index of the chooser's move, or those of all roles'
    /// moves.
    pub fn joint(&self, choices: &[u32]) -> Vec<MoveId> {
        match &self.kind {
            Kind::Terminal => Vec::new(),
            Kind::Turn {
                role, moves, joint, ..
            } => {
                let mut joint = joint.to_vec();
                joint[*role as usize] = moves[choices[0] as usize];
                joint
            }
            Kind::Simultaneous(joint_stats) => {
                let arms = joint_stats.roles().zip(choices);
                arms.map(|(arms, &choice)| arms[choice as usize].mv)
                    .collect()
            }
        }
    }

    /// Allocates the edges, where one role chooses and there are none. Returns the bytes that
    /// were added to the node.
    pub fn allocate_edges(&mut self) -> usize {
        match &mut self.kind {
            Kind::Turn { moves, edges, .. } if edges.is_empty() => {
                *edges = vec![Edge::NEW; moves.len()].into();
                size_of_val(&**edges) + ALLOCATION
            }
            _ => 0,
        }
    }

    /// Counts visits of a descent. Its number of samples is not known yet.
    #[inline]
    pub fn begin_visit(&mut self, visits: u32) {
        self.visits = self.visits.saturating_add(visits);
    }

    /// Replaces the visits that a descent counted by the number of its samples.
    #[inline]
    pub fn finish_visit(&mut self, visits: u32, samples: u32) {
        self.visits = self.visits.saturating_sub(visits).saturating_add(samples);
    }

    /// Whether its visits have doubled since this was asked.
    #[inline]
    pub fn has_doubled(&mut self) -> bool {
        let doublings = (u32::BITS - self.visits.leading_zeros()) as u8;
        let more = doublings > self.doublings;
        self.doublings = self.doublings.max(doublings);
        more
    }

    /// Whether one role chooses here, and none of its moves was tried.
    pub fn is_untried(&self) -> bool {
        match &self.kind {
            Kind::Turn { edges, .. } => edges.iter().all(|edge| edge.visits == 0),
            _ => false,
        }
    }

    /// Counts a visit of a move that was not tried yet and is not solved; `false` if it was.
    pub fn try_move(&mut self, choice: usize) -> bool {
        let edge = match &mut self.kind {
            Kind::Turn { edges, .. } => edges.get_mut(choice),
            _ => None,
        };
        let Some(edge) = edge.filter(|edge| edge.is_new() && !edge.solved) else {
            return false;
        };
        edge.visit(1);
        true
    }

    #[inline]
    pub fn is_terminal(&self) -> bool {
        matches!(self.kind, Kind::Terminal)
    }

    /// Whether one role chooses here.
    #[inline]
    pub fn is_turn(&self) -> bool {
        matches!(self.kind, Kind::Turn { .. })
    }

    /// The number of moves of the role that chooses here, if only one does; 0 otherwise.
    #[inline]
    pub fn turn_moves(&self) -> usize {
        match &self.kind {
            Kind::Turn { moves, .. } => moves.len(),
            _ => 0,
        }
    }

    /// The role that chooses here, if only one does.
    pub fn chooser(&self) -> Option<usize> {
        match &self.kind {
            Kind::Turn { role, .. } => Some(usize::from(*role)),
            _ => None,
        }
    }

    /// Whether the results of all roles are proved.
    #[inline]
    pub fn is_solved(&self) -> bool {
        is_solved(&self.stats)
    }

    /// How much is proved of the results of all roles, a number that only grows.
    pub fn proved(&self) -> u16 {
        proved(&self.stats)
    }

    /// Bytes of the node, its entry in the table included.
    pub fn bytes(&self) -> usize {
        let kind = match &self.kind {
            Kind::Terminal => 0,
            Kind::Turn {
                moves,
                edges,
                joint,
                ..
            } => {
                let edges = match edges.is_empty() {
                    true => 0,
                    false => size_of_val(&**edges) + ALLOCATION,
                };
                size_of_val(&**moves) + ALLOCATION + edges + heap_bytes(joint)
            }
            Kind::Simultaneous(joint_stats) => joint_stats.bytes() + 2 * ALLOCATION,
        };
        let tally = self
            .tally
            .as_ref()
            .map_or(0, |tally| crate::amaf::bytes(tally));
        Node::MIN_BYTES + self.state.heap() + heap_bytes(&self.stats) + kind + tally
    }
}
