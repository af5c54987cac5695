//! The positions of facts, moves and outputs in the flat arrays.

use crate::{Network, Node, Vocabulary};

/// The layout of a network's output bits, and the numbering of all roles' moves.
///
/// The bits begin with the next state, in the form of a state's words. The legal moves of each
/// role follow, each role starting at a new word. The goals and terminality are last.
#[derive(Debug)]
pub(super) struct Layout {
    facts: usize,
    /// For each role, the position of its first move among the moves of all roles, followed by
    /// the total number of moves.
    first_moves: Vec<usize>,
    /// The first bit of each role's legal moves.
    legals: Vec<usize>,
    /// For each role, its goal values and the bits that are set when they are reached.
    goals: Vec<Vec<(u8, usize)>>,
    terminal: usize,
}

impl Layout {
    pub(super) fn new(network: &Network) -> Self {
        let Vocabulary {
            facts,
            moves,
            roles,
            ..
        } = network.vocabulary();
        let mut layout = Layout {
            facts: facts.len(),
            first_moves: vec![0],
            legals: Vec::new(),
            goals: vec![Vec::new(); roles.len()],
            terminal: 0,
        };
        let mut free = facts.len().next_multiple_of(64);
        for moves in moves {
            layout.first_moves.push(layout.moves() + moves.len());
            layout.legals.push(free);
            free += moves.len().next_multiple_of(64);
        }
        for &node in network.graph.node_weights() {
            if let Node::Goal { role, value } = node {
                layout.goals[usize::from(role)].push((value, free));
                free += 1;
            }
        }
        layout.terminal = free;
        layout
    }

    /// The number of facts.
    pub(super) fn facts(&self) -> usize {
        self.facts
    }

    /// The number of words in a state.
    pub(super) fn state_words(&self) -> usize {
        self.facts.div_ceil(64)
    }

    /// The number of words that the output bits take.
    pub(super) fn words(&self) -> usize {
        self.terminal / 64 + 1
    }

    /// The total number of moves of all roles.
    pub(super) fn moves(&self) -> usize {
        self.first_moves.last().copied().unwrap_or(0)
    }

    /// The number of roles.
    pub(super) fn roles(&self) -> usize {
        self.legals.len()
    }

    /// Whether a role has a move with this number.
    pub(super) fn has_move(&self, role: usize, mv: u32) -> bool {
        self.first_moves[role] + (mv as usize) < self.first_moves[role + 1]
    }

    /// The position of a role's move among the moves of all roles.
    pub(super) fn move_position(&self, role: usize, mv: u32) -> usize {
        self.first_moves[role] + mv as usize
    }

    /// The words that hold a role's legal moves.
    pub(super) fn legal_words(&self, role: usize) -> std::ops::Range<usize> {
        let moves = self.first_moves[role + 1] - self.first_moves[role];
        let start = self.legals[role] / 64;
        start..start + moves.div_ceil(64)
    }

    /// A role's goal values and the bits that are set when they are reached.
    pub(super) fn goals(&self, role: usize) -> &[(u8, usize)] {
        &self.goals[role]
    }

    /// The bit that holds terminality.
    pub(super) fn terminal(&self) -> usize {
        self.terminal
    }

    /// The bit that an output proposition writes.
    pub(super) fn output_bit(&self, output: Node) -> usize {
        match output {
            Node::Transition { fact } => fact as usize,
            Node::Legal { role, mv } => self.legals[usize::from(role)] + mv as usize,
            Node::Goal { role, value } => {
                let goals = &self.goals[usize::from(role)];
                let goal = goals.iter().find(|(other, _)| *other == value);
                goal.map_or(self.terminal, |&(_, bit)| bit)
            }
            _ => self.terminal,
        }
    }
}
