//! A board, as plain data.

use crate::Evidence;
use std::fmt;
use std::sync::Arc;

/// Places with what may lie there; or several boards that are alike, with places of the same names.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// The shapes of facts that say what lies where.
    pub layers: Vec<Layer>,
    /// The names of the boards, if several are alike: constants, as many for each. One without any
    /// if there is only one.
    pub grids: Vec<Vec<Arc<str>>>,
    /// The axes. The first is drawn to the right, the last upwards.
    pub axes: Vec<Axis>,
    /// The cells, board by board, and within a board by their place.
    pub cells: Vec<Cell>,
    /// What lies in cells.
    pub pieces: Vec<Piece>,
    /// Cells that something moves between, or that are read together.
    pub links: Vec<Link>,
    /// For each role and axis, 1 if its pieces were only ever seen to move to greater places along
    /// the axis (or to stay level), -1 if only to smaller ones, 0 otherwise.
    pub advance: Vec<Vec<i8>>,
}

/// One direction of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The constants along it, in order.
    pub values: Vec<Arc<str>>,
    /// What the order comes from.
    pub order: Order,
}

/// What the order of an axis comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From which places meet in moves and in rules. The direction is that of integers if the
    /// values are such, else any.
    Geometry,
    /// From the values, which are integers.
    Integers,
    /// There is none to be seen.
    None,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Which of [`Board::grids`].
    pub grid: u32,
    /// Where along each axis, from 0.
    pub at: Vec<u32>,
}

/// Facts of one shape that say what lies where.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The shape: the fact with `_` for each constant but names of functions.
    pub shape: String,
    /// Which constants, counted from 0 in the order in which they are written, name the board.
    pub board: Vec<usize>,
    /// Which is the place along each axis.
    pub place: Vec<usize>,
    /// Which say what lies there; none if the fact says only that something does.
    pub content: Vec<usize>,
    /// Which of the content says whose it is.
    pub owner: Option<usize>,
    /// That a cell never has more than one content of this layer.
    pub exclusive: Evidence,
    /// That a content is never in more than one cell, if it never is.
    pub unique: Option<Evidence>,
}

/// Whose a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// The role that makes it move, or come if it never moves.
    pub role: u16,
    /// In how many transitions it did.
    pub samples: u64,
}

/// A content of cells.
#[derive(Debug, Clone)]
pub struct Piece {
    /// In which of [`Board::layers`].
    pub layer: usize,
    /// Its constants.
    pub content: Vec<Arc<str>>,
    /// The facts that say that it is there, by cell (ascending): cell, fact.
    pub facts: Vec<(u32, u32)>,
    /// Whose it is.
    pub owner: Option<Owner>,
    /// Whether it says that nothing is there.
    pub blank: bool,
    /// Whether it was seen to move from cell to cell.
    pub moves: bool,
}

/// Two cells that have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The cells, the smaller number first.
    pub cells: [u32; 2],
    /// How often something was seen to move from one to the other.
    pub moves: u32,
    /// How strongly rules tie them by reading both at once; 0 if they do not.
    pub reads: f64,
}

impl Board {
    /// The number of the cell at a place.
    pub fn cell(&self, grid: u32, at: &[u32]) -> Option<u32> {
        let order = |cell: &Cell| (cell.grid, cell.at.as_slice()).cmp(&(grid, at));
        let found = self.cells.binary_search_by(order);
        found.ok().map(|cell| cell as u32)
    }

    /// The name of a cell: the constants of its board and of its place.
    pub fn name(&self, cell: u32) -> String {
        let cell = &self.cells[cell as usize];
        let grid = self.grids[cell.grid as usize].iter();
        let at = cell.at.iter().zip(&self.axes);
        let at = at.map(|(&at, axis)| &axis.values[at as usize]);
        let names: Vec<&str> = grid.chain(at).map(|name| &**name).collect();
        names.join(" ")
    }

    /// The links that something moves along; all of them if nothing moves.
    pub fn ways(&self) -> impl Iterator<Item = &Link> {
        let any = self.links.iter().any(|link| link.moves > 0);
        let links = self.links.iter();
        links.filter(move |link| !any || link.moves > 0)
    }

    /// The pieces of a role.
    pub fn of_role(&self, role: u16) -> impl Iterator<Item = &Piece> {
        let mine = move |piece: &&Piece| piece.owner.is_some_and(|owner| owner.role == role);
        self.pieces.iter().filter(mine)
    }
}

/// One line: `2 boards of 8x8 cells`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.grids.len() {
            1 => write!(f, "a board of ")?,
            several => write!(f, "{several} boards of ")?,
        }
        for (at, axis) in self.axes.iter().enumerate() {
            write!(f, "{}{}", if at > 0 { "x" } else { "" }, axis.values.len())?;
        }
        let all = self.axes.iter().map(|axis| axis.values.len());
        let all = all.product::<usize>() * self.grids.len();
        match all == self.cells.len() {
            true => write!(f, " cells"),
            false => write!(f, " places, {} of them cells", self.cells.len()),
        }
    }
}
