//! Boards and pieces: the facts that place pieces, and the effects of moves on boards.
//!
//! A rulesheet does not say that it has a board, and names carry no meaning. But the form of its
//! facts and the way they change reveal it:
//!
//! 1. For the facts of each shape, such as `(cell _ _ _)`, random play shows which positions are
//!    a key: no two facts of a state have the same constants there. The key names a place, and
//!    the remaining constants its content. For a piece that is in only one place, such as
//!    `(rider red 3 4)`, it is the other way round.
//! 2. Places are tied by pieces that move between them, and by rules that read them together: a
//!    step requires that the next square is free, a line requires four squares.
//! 3. The ties give the order of the values along each axis. They also show which positions are
//!    not an axis but the name of one board among several: nothing ties places of different
//!    boards.
//! 4. The owner of a piece is the role whose moves place or move it. The content left behind by
//!    a piece that moves away is the blank. A move is a placement or a relocation if it has this
//!    effect whenever it is played.
//!
//! If ties do not determine the order of integer values, their numerical order is used, since
//! integers keep their meaning when other names are scrambled. Everything else is independent of
//! names, except for the direction of an axis whose values are not integers.

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

/// The boards of a game, and the effects of its moves on them.
#[derive(Debug, Clone, Default)]
pub struct Boards {
    /// The boards, in descending order of their number of cells.
    pub boards: Vec<Board>,
    /// For each role, the effect of each of its moves.
    pub moves: Vec<Vec<MoveForm>>,
    /// Statistics of the search.
    pub report: Report,
}

/// Statistics of the search for boards.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Number of sampled states.
    pub samples: u64,
    /// Number of transitions of random play examined.
    pub transitions: u64,
    /// Time of the search.
    pub time: Duration,
    /// The part of the budget that ran out, if any; then there may be more boards.
    pub exhausted: Option<Exhausted>,
}

impl Boards {
    /// Finds boards within the budget. `seed` is the seed of random play.
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
