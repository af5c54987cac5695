//! One decision node and its statistics.

use game::{MoveId, State};

/// A node's index in its tree.
pub(crate) type NodeId = u32;

/// One move of one role, with its statistics.
#[derive(Debug, Clone)]
pub(crate) struct Arm {
    pub mv: MoveId,
    /// Playouts that chose it, including those still running.
    pub visits: u32,
    /// The sum of the role's results, each 0 to 1.
    pub sum: f64,
}

impl Arm {
    /// The mean result. A playout still running counts as lost (virtual loss).
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// A state in which at least one role has a choice, or a terminal one.
#[derive(Debug)]
pub(crate) struct Node {
    pub state: State,
    pub visits: u32,
    /// The result of every role if the state is terminal. Then there are no arms.
    pub end: Option<Box<[f64]>>,
    /// The moves of every role.
    ///
    /// Each role keeps its own statistics, whatever the others choose at the same time
    /// (decoupled UCT).
    pub arms: Box<[Box<[Arm]>]>,
    /// Children by the number of the joint move, ascending.
    pub children: Vec<(u64, NodeId)>,
}

/// The approximate overhead of a heap allocation in bytes.
const ALLOCATION: usize = 16;

impl Node {
    pub fn decision(state: State, options: &[Vec<MoveId>]) -> Self {
        let arm = |&mv: &MoveId| Arm {
            mv,
            visits: 0,
            sum: 0.0,
        };
        Node {
            state,
            visits: 0,
            end: None,
            arms: options
                .iter()
                .map(|moves| moves.iter().map(arm).collect())
                .collect(),
            children: Vec::new(),
        }
    }

    pub fn end(state: State, values: &[f64]) -> Self {
        Node {
            state,
            visits: 0,
            end: Some(values.into()),
            arms: Box::default(),
            children: Vec::new(),
        }
    }

    /// The number of the joint move with these choices, one per role in order.
    ///
    /// `None` if there are too many joint moves to be numbered.
    pub fn joint_number(&self, choices: &[u32]) -> Option<u64> {
        self.arms
            .iter()
            .zip(choices)
            .try_fold(0u64, |number, (arms, &choice)| {
                number
                    .checked_mul(arms.len() as u64)?
                    .checked_add(u64::from(choice))
            })
    }

    pub fn child(&self, joint: u64) -> Option<NodeId> {
        let at = self
            .children
            .binary_search_by_key(&joint, |&(number, _)| number)
            .ok()?;
        Some(self.children[at].1)
    }

    /// Bytes for the node and for its entry in its parent.
    ///
    /// Node and entry count three times: a growing vector holds twice its previous size beside
    /// the old copy.
    pub fn bytes(&self) -> usize {
        let arms: usize = self.arms.iter().map(|arms| size_of_val(&**arms)).sum();
        let allocations = 3 + self.arms.len();
        3 * (size_of::<Node>() + size_of::<(u64, NodeId)>())
            + size_of_val(&*self.arms)
            + arms
            + self.end.as_ref().map_or(0, |values| size_of_val(&**values))
            + size_of_val(self.state.words())
            + allocations * ALLOCATION
    }
}
