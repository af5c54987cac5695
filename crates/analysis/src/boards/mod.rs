//! Boards and pieces: which facts say what lies where, and what moves do there.
//!
//! A rulesheet does not say that it has a board, and names mean nothing. But the form of its facts
//! and the way they change do:
//!
//! 1. Random play shows for the facts of each shape, such as `(cell _ _ _)`, which positions are a
//!    key: no two facts of a state share the constants there. What a key leaves over is what lies in
//!    the place that the key names. A thing that is in one place only, such as `(rider red 3 4)`, is
//!    the other way round.
//! 2. Places are tied together by what moves between them in play, and by the rules that read them
//!    together: a step asks whether the next square is free, a line asks for four squares.
//! 3. From the ties come the order of the values along each axis, and which positions are no axis
//!    but the name of one board among several: nothing ties places of different boards.
//! 4. Who makes a thing come or move is its owner; what is left behind where something moves away is
//!    the blank. A move is a placement or a relocation if it is seen to be one whenever it is made.
//!
//! Where ties say nothing of the order of values that are integers, their own order is taken, since
//! integers keep their meaning whoever renames the rest. Everything else is the same however a game
//! is named, but for the direction of an axis whose values are not integers.

mod board;
mod forms;
mod keys;
mod layers;
mod order;
mod pieces;
mod reads;
mod seen;
mod terms;

pub use board::{Axis, Board, Cell, Layer, Link, Order, Owner, Piece};
pub use forms::{Form, MoveForm};

use budget::{Budget, Exhausted};
use invariants::Groups;
use netlist::GameLogic;
use std::time::Duration;

/// The boards of a game, and what its moves do on them.
#[derive(Debug, Clone, Default)]
pub struct Boards {
    /// The boards, the one with the most cells first.
    pub boards: Vec<Board>,
    /// For each role, what each of its moves does.
    pub moves: Vec<Vec<MoveForm>>,
    /// How the search went.
    pub report: Report,
}

/// How the search for boards went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Sampled states.
    pub samples: u64,
    /// Transitions of random play looked at.
    pub transitions: u64,
    /// Time it took.
    pub time: Duration,
    /// What ran out, if something did; then there may be more.
    pub exhausted: Option<Exhausted>,
}

impl Boards {
    /// Finds what it can within the budget. The seed is that of random play.
    pub fn find(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Boards {
        let begun = budget.clock().now();
        let seen = seen::Seen::new(logic, seed, budget);
        let mut constants = terms::Constants::default();
        let shapes = terms::shapes(&logic.words.facts, &mut constants);
        let layers = layers::layers(logic, groups, &shapes, &constants, &seen, budget);
        let mut boards = layers::boards(&layers, &shapes, &constants, &seen);
        pieces::pieces(logic, &mut boards, &seen, budget);
        let moves = forms::forms(logic, &boards, &mut constants, &seen, budget);
        Boards {
            boards,
            moves,
            report: Report {
                samples: 64 * seen.states.len() as u64,
                transitions: seen.transitions.len() as u64,
                time: budget.clock().now().saturating_sub(begun),
                exhausted: budget.check().err(),
            },
        }
    }
}
