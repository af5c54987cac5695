//! Nodes and edges.

use crate::Bounds;
use crate::amaf::{Fact, NO_FACT};
use crate::simultaneous::JointStats;
use game::{MoveId, State, Tally};
use smallvec::SmallVec;
use std::num::NonZeroU32;

/// One of something for each role: with two roles, as most games have, in the node itself.
pub(crate) type ByRole<T> = SmallVec<[T; 2]>;

/// A node, if it is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeRef {
    pub index: u32,
    /// The generation that the node had when the reference was made.
    pub generation: NonZeroU32,
}

/// What is known of one role's result in a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoleStats {
    /// The mean of what came back, 0 to 1.
    pub mean: f32,
    /// The mean of the squares.
    pub square: f32,
    pub bounds: Bounds,
}

impl RoleStats {
    pub const NEW: RoleStats = RoleStats {
        mean: 0.0,
        square: 0.0,
        bounds: Bounds::OPEN,
    };

    /// The mean, as far as the bounds allow it; half way between them before anything came back.
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

/// What is known of the results in a node, to be told elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub samples: u32,
    pub stats: ByRole<RoleStats>,
}

impl Snapshot {
    /// What is known of this one, in the place of another one.
    #[inline]
    pub fn take(&mut self, node: &Node) {
        self.samples = node.samples;
        self.stats.clone_from(&node.stats);
    }

    /// Whether the results of all roles are known.
    #[inline]
    pub fn is_solved(&self) -> bool {
        is_solved(&self.stats)
    }

    /// How much is proved of the results of all roles: it only grows.
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

/// What a move, or a joint move, leads to.
///
/// What the chooser may expect of the child is copied here whenever a sample comes by, so that moves
/// are compared without a look at their children, which lie all over the memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub child: Option<NodeRef>,
    /// Times that it was taken, those included that have not come back.
    pub visits: u32,
    /// How many of them have not.
    pub pending: u32,
    /// The chooser's mean result in the child, as far as the bounds allow it, 0 to 1.
    pub mean: f32,
    /// The variance of the results.
    pub variance: f32,
    /// What is proved of the chooser's result.
    pub bounds: Bounds,
    /// Whether the results of all roles are known.
    pub solved: bool,
    /// How much more than in the node itself the chooser may expect, before it was tried.
    pub prior: f32,
    /// The same by playouts that ended with the fact that it brings.
    pub amaf: f32,
    /// What that was when it was tried for the first time.
    pub tried_amaf: f32,
    /// The fact that it brings and hardly any other move does.
    pub fact: Fact,
}

impl Edge {
    pub const NEW: Edge = Edge {
        child: None,
        visits: 0,
        pending: 0,
        mean: 0.0,
        variance: 0.25,
        bounds: Bounds::OPEN,
        solved: false,
        prior: 0.0,
        amaf: 0.0,
        tried_amaf: 0.0,
        fact: NO_FACT,
    };

    /// Copies what is known of the child for a role.
    #[inline]
    pub fn update(&mut self, child: &Snapshot, role: usize) {
        let role_stats = &child.stats[role];
        self.mean = role_stats.value(child.samples) as f32;
        self.variance = role_stats.variance() as f32;
        self.bounds = role_stats.bounds;
        self.solved = child.is_solved();
    }

    /// Notes a result that is known without a child.
    pub fn solve(&mut self, bounds: Bounds) {
        (self.mean, self.variance) = (f32::from(bounds.low) / 100.0, 0.0);
        (self.bounds, self.solved) = (bounds, true);
    }

    /// Whether it is known without a child, and was never taken.
    pub fn is_foreseen(&self) -> bool {
        self.solved && self.visits == 0 && self.child.is_none()
    }

    /// Whether the child is proved to be something that is not noted yet.
    #[inline]
    pub fn is_stale(&self, child: &Snapshot, role: usize) -> bool {
        self.bounds != child.stats[role].bounds || self.solved != child.is_solved()
    }

    /// Counts a visit. Where it leads, if that was seen before.
    #[inline]
    pub fn visit(&mut self) -> Option<NodeRef> {
        if self.visits == 0 {
            self.tried_amaf = self.amaf;
        }
        self.visits += 1;
        self.pending += 1;
        self.child
    }

    /// A visit comes back, or is taken back.
    #[inline]
    pub fn finish_visit(&mut self) {
        self.pending = self.pending.saturating_sub(1);
    }
}

/// What happens in a state.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Play ends, or cannot go on.
    Terminal,
    /// One role chooses.
    Turn {
        role: u16,
        /// Its moves, in the order of the edges.
        moves: Box<[MoveId]>,
        /// None until one of the moves is to be chosen: most nodes are visited once.
        edges: Box<[Edge]>,
        /// The moves of all roles; the chooser's is to be filled in.
        joint: ByRole<MoveId>,
    },
    /// Several do.
    Simultaneous(Box<JointStats>),
}

/// A state in which at least one role has a choice, or in which play ends.
///
/// What every visit looks at comes first: nodes lie all over the memory, and to wait for it is what takes
/// most of the time.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Node {
    /// Times that the search came here, those included that have not gone back.
    pub visits: u32,
    /// Samples that went back.
    pub samples: u32,
    /// The move of the match in which the search last came here.
    pub turn: u32,
    /// Decisions to the end on the way that was proved to be best, if it is solved.
    pub depth: u16,
    /// Whether its children were looked at for ends of play.
    pub looked_ahead: bool,
    /// For each role.
    pub stats: ByRole<RoleStats>,
    pub kind: Kind,
    pub state: State,
    /// What playouts from below came to, and what held where they ended; where there were many.
    pub tally: Option<Box<Tally>>,
}

/// What a heap allocation costs beside its contents, about.
pub(crate) const ALLOCATION: usize = 16;

/// Bytes that something for each role takes beside the node.
fn heap_bytes<T>(all: &ByRole<T>) -> usize {
    match all.spilled() {
        true => all.capacity() * size_of::<T>() + ALLOCATION,
        false => 0,
    }
}

/// Bytes of an entry in the table.
const TABLE_ENTRY: usize = 2 * size_of::<(u64, u32)>();

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
            depth: 0,
            turn: 0,
        }
    }

    /// The joint move of these choices: the place of the chooser's move, or of all roles' moves.
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
                let arms = joint_stats.arms.iter().zip(choices);
                arms.map(|(arms, &choice)| arms[choice as usize].mv)
                    .collect()
            }
        }
    }

    /// Makes edges for the moves, where one role chooses and there are none yet. Bytes that the node takes more.
    pub fn allocate_edges(&mut self) -> usize {
        match &mut self.kind {
            Kind::Turn { moves, edges, .. } if edges.is_empty() => {
                *edges = vec![Edge::NEW; moves.len()].into();
                size_of_val(&**edges) + ALLOCATION
            }
            _ => 0,
        }
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

    /// The role that chooses here, if it is one.
    pub fn chooser(&self) -> Option<usize> {
        match &self.kind {
            Kind::Turn { role, .. } => Some(usize::from(*role)),
            _ => None,
        }
    }

    /// Whether the results of all roles are known.
    #[inline]
    pub fn is_solved(&self) -> bool {
        is_solved(&self.stats)
    }

    /// How much is proved of the results of all roles: it only grows.
    pub fn proved(&self) -> u16 {
        proved(&self.stats)
    }

    /// Bytes that the node takes, its entry in the table included.
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
            Kind::Simultaneous(joint_stats) => joint_stats.bytes() + ALLOCATION,
        };
        let tally = self
            .tally
            .as_ref()
            .map_or(0, |tally| crate::amaf::bytes(tally));
        Node::MIN_BYTES + self.state.heap() + heap_bytes(&self.stats) + kind + tally
    }
}
