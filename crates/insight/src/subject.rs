//! What may matter in a state: the subjects of findings, as plain data.

use analysis::boards::{Board, Boards, Order};

/// The region of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// Cells at an end of all axes that have an order.
    Corners,
    /// Other cells at an end of one.
    Edges,
}

/// What a number that is read from a state counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// How many pieces of a kind there are. Boards and pieces are positions in [`Boards`].
    Piece {
        /// The board.
        board: usize,
        /// The piece.
        piece: usize,
    },
    /// How many of them lie in a region.
    Place {
        /// The board.
        board: usize,
        /// The piece.
        piece: usize,
        /// The region.
        region: Region,
    },
    /// How far all of them have gone along an axis, in steps towards its last value.
    Along {
        /// The board.
        board: usize,
        /// The piece.
        piece: usize,
        /// The axis.
        axis: usize,
    },
    /// How many of them can no longer go away.
    Kept {
        /// The board.
        board: usize,
        /// The piece.
        piece: usize,
    },
    /// How many pairs of pieces lie at a step from each other.
    Pair {
        /// The board.
        board: usize,
        /// The pieces; the step leads from the first to the second.
        pieces: [usize; 2],
        /// The step along each axis.
        step: Vec<i32>,
    },
    /// How many lines, places that one rule reads together, hold so many of a piece and nothing
    /// else.
    Line {
        /// The board.
        board: usize,
        /// The piece.
        piece: usize,
        /// The places of the line.
        length: usize,
        /// How many of them hold the piece.
        filled: usize,
    },
    /// How many moves a role has.
    Choices {
        /// The role.
        role: usize,
    },
    /// What the rules would give a role if play ended now.
    Now {
        /// The role.
        role: usize,
    },
    /// How many transitions the nearest piece of a kind is away from a role's best result.
    Near {
        /// The board.
        board: usize,
        /// The piece.
        piece: usize,
        /// The role.
        role: usize,
    },
    /// The value of a quantity, as a position in its row ([`analysis::numbers`]).
    Quantity(usize),
    /// Whether a fact holds that is on no board and in no quantity.
    Fact(u32),
}

impl Subject {
    /// The piece that it is about.
    pub fn piece(&self) -> Option<(usize, usize)> {
        match *self {
            Subject::Piece { board, piece }
            | Subject::Place { board, piece, .. }
            | Subject::Along { board, piece, .. }
            | Subject::Kept { board, piece }
            | Subject::Line { board, piece, .. }
            | Subject::Near { board, piece, .. } => Some((board, piece)),
            Subject::Pair { board, pieces, .. } => Some((board, pieces[0])),
            _ => None,
        }
    }

    /// The role that has an interest in it, if there is only one.
    pub fn role(&self, boards: &Boards) -> Option<usize> {
        match *self {
            Subject::Choices { role } | Subject::Now { role } | Subject::Near { role, .. } => {
                Some(role)
            }
            _ => {
                let (board, piece) = self.piece()?;
                let owner = boards.boards[board].pieces[piece].owner?;
                Some(owner.role.into())
            }
        }
    }

    /// Whether it is about where pieces are rather than what there is. Such a subject counts
    /// only for what it tells beyond the pieces themselves.
    pub fn is_beside(&self) -> bool {
        !matches!(
            self,
            Subject::Piece { .. } | Subject::Quantity(_) | Subject::Fact(_)
        )
    }
}

/// The axes of a board whose values have an order, with three values at least.
pub fn ordered(board: &Board) -> impl Iterator<Item = usize> + '_ {
    let axes = board.axes.iter().enumerate();
    axes.filter(|(_, axis)| axis.order != Order::None && axis.values.len() > 2)
        .map(|(number, _)| number)
}

/// The region of a cell; `None` inside.
pub fn region(board: &Board, cell: u32) -> Option<Region> {
    let at = &board.cells[cell as usize].at;
    let end = |axis: &usize| {
        let last = board.axes[*axis].values.len() as u32 - 1;
        at[*axis] == 0 || at[*axis] == last
    };
    let axes = ordered(board).count();
    match ordered(board).filter(end).count() {
        _ if axes < 2 => None,
        0 => None,
        ends if ends == axes => Some(Region::Corners),
        _ => Some(Region::Edges),
    }
}
