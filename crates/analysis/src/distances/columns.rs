//! The meaning of the columns of the matrix.

use super::Met;
use game::{MoveId, RoleId};
use propnet::{Network, Node};

/// The columns of the matrix: facts, then the moves of the first role, then of the second, and
/// so on.
#[derive(Debug, Clone)]
pub struct Columns {
    facts: usize,
    /// The first column of each role, plus the end of the last.
    roles: Vec<usize>,
}

impl Columns {
    pub(super) fn of(network: &Network) -> Columns {
        let words = network.vocabulary();
        let facts = words.facts.len();
        let mut roles = vec![facts];
        for moves in &words.moves {
            roles.push(roles[roles.len() - 1] + moves.len());
        }
        Columns { facts, roles }
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.roles[self.roles.len() - 1]
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of facts; these are the first columns.
    pub fn facts(&self) -> usize {
        self.facts
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        self.len() - self.facts
    }

    /// The column of a fact or move; `None` if its number is out of range.
    pub fn column(&self, met: Met) -> Option<usize> {
        match met {
            Met::Fact(fact) => Some(fact as usize).filter(|&fact| fact < self.facts),
            Met::Move(role, mv) => self.of_move(role.0, mv.0),
        }
    }

    /// The fact or move of a column; `None` if the column is out of range.
    pub fn met(&self, column: usize) -> Option<Met> {
        if column < self.facts {
            return Some(Met::Fact(column as u32));
        }
        let role = self.roles.partition_point(|&start| start <= column) - 1;
        let mv = MoveId((column - self.roles[role]) as u32);
        (column < self.len()).then_some(Met::Move(RoleId(role), mv))
    }

    pub(super) fn of_move(&self, role: usize, mv: u32) -> Option<usize> {
        let column = self.roles.get(role)? + mv as usize;
        (column < *self.roles.get(role + 1)?).then_some(column)
    }

    pub(super) fn of_node(&self, node: Node) -> Option<usize> {
        match node {
            Node::Base { fact } => Some(fact as usize),
            Node::Does { role, mv } => self.of_move(role.into(), mv),
            _ => None,
        }
    }
}
