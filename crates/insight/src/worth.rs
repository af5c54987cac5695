//! What pieces are worth, square by square.

use crate::fit::Fit;
use crate::moments::{Moments, facts};
use crate::subject::{Subject, ordered};
use analysis::boards::Boards;
use heuristics::Outputs;

/// Moments in which a piece was seen on a square, at least, for that to have a value.
const SEEN: u32 = 20;

/// What pieces of a kind are worth to a role, in points of its result, 0 to 100.
#[derive(Debug, Clone, PartialEq)]
pub struct Worth {
    /// The board, and the piece on it.
    pub board: usize,
    /// The piece.
    pub piece: usize,
    /// The role.
    pub role: usize,
    /// Its worth where it usually is.
    pub mean: f64,
    /// For each cell of the board what it is worth there; `None` where it was hardly seen.
    pub squares: Vec<Option<f64>>,
    /// For each cell in how many moments it was there.
    pub seen: Vec<u32>,
    /// For each axis of the board its worth at each value, where that was seen. Nothing for axes
    /// without an order.
    pub along: Vec<Vec<Option<f64>>>,
}

/// The worth of pieces to their owners, or of pieces without an owner to each role, by the
/// weights of each output.
pub fn worth(
    moments: &Moments,
    boards: &Boards,
    subjects: &[Subject],
    outputs: Outputs,
    fits: &[Fit],
) -> Vec<Worth> {
    let size = fits.first().map_or(0, |fit| fit.weights.len());
    let mut held = vec![0u32; size];
    for moment in &moments.moments {
        facts(&moment.state).for_each(|fact| held[fact as usize] += 1);
    }
    let mut all = Vec::new();
    for subject in subjects {
        let &Subject::Piece { board, piece } = subject else {
            continue;
        };
        let roles = match (subject.role(boards), outputs) {
            (Some(role), _) => role..role + 1,
            (None, Outputs::Opposed) => 0..1,
            (None, Outputs::Each { roles }) => 0..roles,
        };
        for role in roles {
            let (output, sign) = outputs.of_role(role);
            let Some(fit) = fits.get(output) else {
                continue;
            };
            let weights: Vec<f64> = fit.weights.iter().map(|w| f64::from(sign) * w).collect();
            all.extend(Worth::of(boards, [board, piece, role], &weights, &held));
        }
    }
    all
}

impl Worth {
    /// The worth of a piece of a board to a role, if it was seen.
    fn of(
        boards: &Boards,
        [board, piece, role]: [usize; 3],
        weights: &[f64],
        held: &[u32],
    ) -> Option<Worth> {
        let of = &boards.boards[board];
        let mut one = Worth {
            board,
            piece,
            role,
            mean: 0.0,
            squares: vec![None; of.cells.len()],
            seen: vec![0; of.cells.len()],
            along: vec![Vec::new(); of.axes.len()],
        };
        for &(cell, fact) in &of.pieces[piece].facts {
            let count = held[fact as usize];
            one.seen[cell as usize] = count;
            if count >= SEEN {
                one.squares[cell as usize] = Some(weights[fact as usize]);
            }
        }
        one.mean = one.mean(|_| true)?;
        for axis in ordered(of) {
            let values = 0..of.axes[axis].values.len() as u32;
            let at = |cell: usize| of.cells[cell].at[axis];
            let values = values.map(|value| one.mean(|cell| at(cell) == value));
            one.along[axis] = values.collect();
        }
        Some(one)
    }

    /// The mean over some cells, each as often as the piece was there.
    fn mean(&self, cells: impl Fn(usize) -> bool) -> Option<f64> {
        let values = self.squares.iter().zip(&self.seen).enumerate();
        let values = values.filter(|&(cell, _)| cells(cell));
        let (mut sum, mut count) = (0.0, 0u64);
        for (_, (value, &seen)) in values {
            if let Some(value) = value {
                sum += value * f64::from(seen);
                count += u64::from(seen);
            }
        }
        (count > 0).then(|| sum / count as f64)
    }
}
