//! The effects of moves on boards: relocations and placements.

use super::board::Board;
use super::pieces::{self, Says};
use super::seen::{Seen, Transition};
use super::terms::{Constants, Shape, shapes};
use crate::Evidence;
use budget::Budget;
use netlist::GameLogic;
use std::collections::HashMap;
use std::sync::Arc;

/// Moves or transitions between two checks of the budget.
const STRIDE: usize = 256;

/// The effect of a move on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A piece of the role moves from one cell to another; `None` if the cell depends on the
    /// state.
    Relocation {
        /// The position in [`Boards::boards`](super::Boards::boards).
        board: usize,
        /// The origin.
        from: Option<u32>,
        /// The destination.
        to: Option<u32>,
    },
    /// A new content appears in a cell; `None` if the cell depends on the state.
    Placement {
        /// The position in [`Boards::boards`](super::Boards::boards).
        board: usize,
        /// The destination.
        at: Option<u32>,
    },
}

/// The effect of a move, with its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveForm {
    /// The effect, if the move always has the same effect on the same board.
    pub form: Option<Form>,
    /// Observed if random play played the move. Otherwise unknown: the form is then taken from
    /// moves of the same shape, if the constants of all played ones name the cells in the
    /// same way.
    pub evidence: Evidence,
}

/// The effect of a move in one transition: the cells that pieces left and those that they
/// reached.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Effect {
    board: usize,
    relocation: bool,
    from: Vec<u32>,
    to: Vec<u32>,
}

/// The effects of a move in all transitions.
#[derive(Debug, Clone, Default)]
struct Effects {
    samples: u64,
    /// The part common to all; `None` if there is none.
    common: Option<Effect>,
}

impl Effects {
    fn add(&mut self, effect: Option<Effect>) {
        self.samples += 1;
        if self.samples == 1 {
            self.common = effect;
            return;
        }
        let Some(common) = &mut self.common else {
            return;
        };
        match effect {
            Some(other) if other.board == common.board && other.relocation == common.relocation => {
                common.from.retain(|cell| other.from.contains(cell));
                common.to.retain(|cell| other.to.contains(cell));
            }
            _ => self.common = None,
        }
    }

    fn form(&self) -> Option<Form> {
        let common = self.common.as_ref()?;
        let only = |cells: &[u32]| match cells {
            [one] => Some(*one),
            _ => None,
        };
        let (from, to) = (only(&common.from), only(&common.to));
        Some(match common.relocation {
            true => Form::Relocation {
                board: common.board,
                from,
                to,
            },
            false => Form::Placement {
                board: common.board,
                at: to,
            },
        })
    }
}

/// The forms of all moves.
pub(super) fn forms(
    logic: &GameLogic,
    boards: &[Board],
    constants: &mut Constants,
    seen: &Seen,
    budget: &Budget,
) -> Vec<Vec<MoveForm>> {
    let says: Vec<Vec<Option<Says>>> = boards
        .iter()
        .map(|board| pieces::says(board, logic.facts.len()))
        .collect();
    let rows = logic
        .does
        .iter()
        .map(|row| vec![Effects::default(); row.len()]);
    let mut effects: Vec<Vec<Effects>> = rows.collect();
    for (at, transition) in seen.transitions.iter().enumerate() {
        if at % STRIDE == 0 && budget.check().is_err() {
            break;
        }
        for (role, mv) in transition.moves.iter().enumerate() {
            if let Some(mv) = mv {
                let found = boards.iter().enumerate().find_map(|(number, board)| {
                    effect(transition, number, board, &says[number], role as u16)
                });
                effects[role][*mv as usize].add(found);
            }
        }
    }
    let mut forms: Vec<Vec<MoveForm>> = Vec::new();
    for row in &effects {
        let form = |effects: &Effects| MoveForm {
            form: effects.form(),
            evidence: match effects.samples {
                0 => Evidence::Unknown,
                samples => Evidence::Observed { samples },
            },
        };
        forms.push(row.iter().map(form).collect());
    }
    for (role, row) in forms.iter_mut().enumerate() {
        for shape in shapes(&logic.words.moves[role], constants) {
            generalise(&shape, row, boards, constants, budget);
        }
    }
    forms
}

/// The effect of a role's move in a transition, on one board.
fn effect(
    transition: &Transition,
    number: usize,
    board: &Board,
    says: &[Option<Says>],
    role: u16,
) -> Option<Effect> {
    let mine = |said: &Says| {
        let piece = &board.pieces[said.piece as usize];
        !piece.blank && piece.owner.is_none_or(|owner| owner.role == role)
    };
    let cells = |facts: &[u32]| -> Vec<u32> {
        let said = facts.iter().filter_map(|&fact| says[fact as usize]);
        said.filter(mine).map(|said| said.cell).collect()
    };
    let (mut from, mut to) = (cells(&transition.gone), cells(&transition.came));
    // A piece that turns into another one in its cell does not move.
    let stays: Vec<u32> = from
        .iter()
        .copied()
        .filter(|cell| to.contains(cell))
        .collect();
    from.retain(|cell| !stays.contains(cell));
    to.retain(|cell| !stays.contains(cell));
    if to.is_empty() {
        return None;
    }
    let relocation = !from.is_empty();
    Some(Effect {
        board: number,
        relocation,
        from,
        to,
    })
}

/// Gives moves that random play did not play the form of played moves of the same shape, if
/// their constants name cells in the same way.
fn generalise(
    shape: &Shape,
    row: &mut [MoveForm],
    boards: &[Board],
    constants: &Constants,
    budget: &Budget,
) {
    let Some((board, relocation, played)) = common(shape, row) else {
        return;
    };
    let naming = Naming::new(shape, &boards[board], constants, &played);
    for (term, &mv) in shape.terms.iter().enumerate() {
        if term % STRIDE == 0 && budget.check().is_err() {
            return;
        }
        let form = &mut row[mv as usize];
        if form.evidence != Evidence::Unknown {
            continue;
        }
        let [from, to] = naming.cells(term);
        form.form = Some(match relocation {
            true => Form::Relocation { board, from, to },
            false => Form::Placement { board, at: to },
        });
    }
}

/// A played move, by its position in a shape, with its origin and destination.
type PlayedMove = (usize, [Option<u32>; 2]);

/// What all played moves of a shape have in common, the board and whether they relocate, with
/// these moves. `None` if they are fewer than two or not alike.
fn common(shape: &Shape, row: &[MoveForm]) -> Option<(usize, bool, Vec<PlayedMove>)> {
    let parts = |form: Form| match form {
        Form::Relocation { board, from, to } => ((board, true), [from, to]),
        Form::Placement { board, at } => ((board, false), [None, at]),
    };
    let terms = shape.terms.iter().enumerate();
    let forms = terms.map(|(term, &mv)| (term, &row[mv as usize]));
    let made = forms.filter(|(_, form)| matches!(form.evidence, Evidence::Observed { .. }));
    let made: Option<Vec<_>> = made
        .map(|(term, form)| Some((term, parts(form.form?))))
        .collect();
    let made = made?;
    let &(_, (kind, _)) = made.first().filter(|_| made.len() > 1)?;
    if made.iter().any(|&(_, (other, _))| other != kind) {
        return None;
    }
    let played = made.into_iter().map(|(term, (_, ends))| (term, ends));
    Some((kind.0, kind.1, played.collect()))
}

/// How the constants of the moves of a shape name cells.
struct Naming<'a> {
    shape: &'a Shape,
    constants: &'a Constants,
    /// For the origin and the destination, the position of the constant that names each
    /// coordinate in all played moves; `None` if there is not one for every coordinate.
    positions: [Option<Vec<usize>>; 2],
    /// The cells by their coordinates.
    cells: HashMap<Vec<Arc<str>>, u32>,
}

impl<'a> Naming<'a> {
    fn new(
        shape: &'a Shape,
        board: &Board,
        constants: &'a Constants,
        played: &[PlayedMove],
    ) -> Naming<'a> {
        let coordinates = board.grids.first().map_or(0, Vec::len) + board.axes.len();
        let names = |(term, cell): (usize, u32), i: usize, position: usize| {
            coordinate(board, cell, i) == constants.name(shape.args[term][position])
        };
        let positions = |end: usize| -> Option<Vec<usize>> {
            let ends = played.iter().map(|&(term, ends)| Some((term, ends[end]?)));
            let ends: Vec<(usize, u32)> = ends.collect::<Option<_>>()?;
            let position = |i: usize| {
                let mut positions = 0..shape.arity();
                positions.find(|&position| ends.iter().all(|&end| names(end, i, position)))
            };
            (0..coordinates).map(position).collect()
        };
        let name = |cell: u32| (0..coordinates).map(move |i| coordinate(board, cell, i));
        let cells = 0..board.cells.len() as u32;
        Naming {
            shape,
            constants,
            positions: [positions(0), positions(1)],
            cells: cells.map(|cell| (name(cell).collect(), cell)).collect(),
        }
    }

    /// The origin and the destination of a move, as far as its constants name them.
    fn cells(&self, term: usize) -> [Option<u32>; 2] {
        let args = &self.shape.args[term];
        self.positions.each_ref().map(|positions| {
            let named = positions.as_ref()?.iter();
            let wanted: Vec<Arc<str>> = named.map(|&at| self.constants.name(args[at])).collect();
            self.cells.get(&wanted).copied()
        })
    }
}

/// The constant of coordinate `i` of a cell; those of its board come first.
fn coordinate(board: &Board, cell: u32, i: usize) -> Arc<str> {
    let cell = &board.cells[cell as usize];
    let grid = &board.grids[cell.grid as usize];
    match grid.get(i) {
        Some(name) => name.clone(),
        None => {
            let axis = i - grid.len();
            board.axes[axis].values[cell.at[axis] as usize].clone()
        }
    }
}
