//! A board, as plain data.

use crate::Evidence;
use std::fmt;
use std::sync::Arc;

/// Cells and their possible contents; or several boards of the same kind, whose cells have the
/// same names.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// The shapes of the facts that place contents in cells.
    pub layers: Vec<Layer>,
    /// The names of the boards, if there are several of a kind: the same number of constants for
    /// each. One name without constants if there is only one board.
    pub grids: Vec<Vec<Arc<str>>>,
    /// The axes. The first is drawn to the right, the last upwards.
    pub axes: Vec<Axis>,
    /// The cells, board by board, and within a board by their coordinates.
    pub cells: Vec<Cell>,
    /// The contents of cells.
    pub pieces: Vec<Piece>,
    /// Pairs of cells that something moves between, or that rules read together.
    pub links: Vec<Link>,
    /// For each role and axis: 1 if random play moved its pieces only to greater coordinates
    /// along the axis (or kept them level), -1 if only to smaller ones, 0 otherwise.
    pub advance: Vec<Vec<i8>>,
}

/// One axis of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The constants along it, in order.
    pub values: Vec<Arc<str>>,
    /// The origin of the order.
    pub order: Order,
}

/// The origin of the order of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The cells that moves and rules connect. The direction is that of integers if the values
    /// are integers, otherwise arbitrary.
    Geometry,
    /// The values, which are integers.
    Integers,
    /// No order was found.
    None,
}

/// A cell of a board.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The position of its board in [`Board::grids`].
    pub grid: u32,
    /// The coordinate along each axis, from 0.
    pub at: Vec<u32>,
}

/// The facts of one shape that place contents in cells.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The shape: the fact with `_` for each constant except names of functions.
    pub shape: String,
    /// The positions of the constants that name the board, counted from 0 in the order in which
    /// they are written.
    pub board: Vec<usize>,
    /// The position of the constant along each axis.
    pub place: Vec<usize>,
    /// The positions of the constants that name the content; none if the fact says only that the
    /// cell is occupied.
    pub content: Vec<usize>,
    /// The position within the content that names the owner.
    pub owner: Option<usize>,
    /// The evidence that a cell never has more than one content of this layer.
    pub exclusive: Evidence,
    /// The evidence that a content is never in more than one cell, if that holds.
    pub unique: Option<Evidence>,
}

/// The owner of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// The role whose moves move the piece, or place it if it never moves.
    pub role: u16,
    /// The number of transitions in which they did.
    pub samples: u64,
}

/// A content of cells.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The position of its layer in [`Board::layers`].
    pub layer: usize,
    /// Its constants.
    pub content: Vec<Arc<str>>,
    /// The facts that place it, as pairs of cell and fact, ascending by cell.
    pub facts: Vec<(u32, u32)>,
    /// Its owner.
    pub owner: Option<Owner>,
    /// Whether it stands for an empty cell.
    pub blank: bool,
    /// Whether random play moved it from cell to cell.
    pub moves: bool,
}

/// Two related cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The cells, the smaller number first.
    pub cells: [u32; 2],
    /// The number of times that something moved from one to the other.
    pub moves: u32,
    /// The weight of rules that read both at once; 0 if none do.
    pub reads: f64,
}

impl Board {
    /// The number of the cell with these coordinates.
    pub fn cell(&self, grid: u32, at: &[u32]) -> Option<u32> {
        let order = |cell: &Cell| (cell.grid, cell.at.as_slice()).cmp(&(grid, at));
        let found = self.cells.binary_search_by(order);
        found.ok().map(|cell| cell as u32)
    }

    /// The name of a cell: the constants of its board and of its coordinates.
    pub fn name(&self, cell: u32) -> String {
        let cell = &self.cells[cell as usize];
        let grid = self.grids[cell.grid as usize].iter();
        let at = cell.at.iter().zip(&self.axes);
        let at = at.map(|(&at, axis)| &axis.values[at as usize]);
        let names: Vec<&str> = grid.chain(at).map(|name| &**name).collect();
        names.join(" ")
    }

    /// The links that something moves along; all links if nothing moves.
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
