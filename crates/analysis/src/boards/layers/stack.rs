//! The board of a stack of layers that have the same places.

use super::Read;
use crate::boards::board::{Axis, Board, Cell, Layer, Link, Order, Piece};
use crate::boards::terms::{Constants, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A layer of a stack.
pub(super) struct Turned<'r> {
    pub read: &'r Read,
    /// The permutation of its coordinates that matches those of the first layer.
    pub turn: Vec<usize>,
}

impl Turned<'_> {
    /// A place of the layer, in the order of coordinates of the first layer.
    fn turned(&self, place: &[u32]) -> Vec<u32> {
        self.turn.iter().map(|&i| place[i]).collect()
    }

    /// The place of a term.
    fn place(&self, shape: &Shape, term: usize) -> Vec<u32> {
        self.turned(&self.read.place(shape, term))
    }

    fn positions(&self) -> Vec<usize> {
        let positions = self.read.positions();
        self.turn.iter().map(|&i| positions[i]).collect()
    }
}

/// The board of some layers. Its pieces have no owners yet.
pub(super) fn build(stack: &[Turned<'_>], shapes: &[Shape], constants: &Constants) -> Board {
    let places = Places::of(stack, shapes, constants);
    let mut board = places.board(constants);
    for (number, layer) in stack.iter().enumerate() {
        let shape = &shapes[layer.read.shape];
        board.layers.push(description(layer, shape, places.grids));
        let pieces = pieces(number, layer, shape, constants, |place| {
            places.number(&board, place)
        });
        board.pieces.extend(pieces);
    }
    board.links = links(stack, |place| places.number(&board, place));
    board
}

/// The places of a board, given by their constants.
struct Places {
    /// The number of constants that name the grid, which come first.
    grids: usize,
    /// All places.
    all: BTreeSet<Vec<u32>>,
    /// The names of the grids, in order.
    names: Vec<Vec<u32>>,
    /// The values along each axis, in order.
    axes: Vec<(Vec<u32>, Order)>,
}

impl Places {
    fn of(stack: &[Turned<'_>], shapes: &[Shape], constants: &Constants) -> Places {
        let first = stack[0].read;
        let grids = first.grid.len();
        let mut all: BTreeSet<Vec<u32>> = BTreeSet::new();
        for layer in stack {
            let shape = &shapes[layer.read.shape];
            all.extend((0..shape.terms.len()).map(|term| layer.place(shape, term)));
        }
        let axes = first.axes.iter().enumerate();
        let axes = axes.map(|(i, (_, values, order))| {
            let mut values = values.clone();
            // Other layers may have places that the first one has not.
            let others = all.iter().map(|place| place[grids + i]);
            let others: BTreeSet<u32> = others.filter(|value| !values.contains(value)).collect();
            values.extend(others);
            (values, *order)
        });
        let axes = axes.collect();
        let names: BTreeSet<Vec<u32>> = all.iter().map(|place| place[..grids].to_vec()).collect();
        let mut names: Vec<Vec<u32>> = names.into_iter().collect();
        names.sort_by_cached_key(|name| {
            let numerals = name.iter().map(|&value| constants.numeral(value));
            (numerals.collect::<Vec<_>>(), name.clone())
        });
        Places {
            grids,
            all,
            names,
            axes,
        }
    }

    /// A board with these places as cells, and nothing else.
    fn board(&self, constants: &Constants) -> Board {
        let axis = |(values, order): &(Vec<u32>, Order)| Axis {
            values: text(values, constants),
            order: *order,
        };
        let mut cells: Vec<Cell> = self.all.iter().map(|place| self.cell(place)).collect();
        cells.sort();
        Board {
            grids: self
                .names
                .iter()
                .map(|name| text(name, constants))
                .collect(),
            axes: self.axes.iter().map(axis).collect(),
            cells,
            ..Board::default()
        }
    }

    fn cell(&self, place: &[u32]) -> Cell {
        let (name, at) = place.split_at(self.grids);
        let grid = self.names.iter().position(|grid| grid == name);
        let along = |(&value, axis): (&u32, &(Vec<u32>, Order))| {
            axis.0.iter().position(|&v| v == value).unwrap_or(0) as u32
        };
        Cell {
            grid: grid.unwrap_or(0) as u32,
            at: at.iter().zip(&self.axes).map(along).collect(),
        }
    }

    /// The number of the cell of a place.
    fn number(&self, board: &Board, place: &[u32]) -> u32 {
        let cell = self.cell(place);
        board.cell(cell.grid, &cell.at).unwrap_or(0)
    }
}

fn text(values: &[u32], constants: &Constants) -> Vec<Arc<str>> {
    values.iter().map(|&value| constants.name(value)).collect()
}

/// A layer as it is described to users of the board.
fn description(layer: &Turned<'_>, shape: &Shape, grids: usize) -> Layer {
    let positions = layer.positions();
    Layer {
        shape: shape.text.clone(),
        board: positions[..grids].to_vec(),
        place: positions[grids..].to_vec(),
        content: layer.read.content.clone(),
        owner: None,
        exclusive: layer.read.exclusive,
        unique: layer.read.unique,
    }
}

/// The pieces of a layer: one for each content.
fn pieces(
    number: usize,
    layer: &Turned<'_>,
    shape: &Shape,
    constants: &Constants,
    number_of: impl Fn(&[u32]) -> u32,
) -> Vec<Piece> {
    let mut of_contents: BTreeMap<Vec<u32>, Vec<(u32, u32)>> = BTreeMap::new();
    for (term, &fact) in shape.terms.iter().enumerate() {
        let cell = number_of(&layer.place(shape, term));
        let content = shape.at(term, &layer.read.content);
        of_contents.entry(content).or_default().push((cell, fact));
    }
    let piece = |(content, mut facts): (Vec<u32>, Vec<(u32, u32)>)| {
        facts.sort_unstable();
        Piece {
            layer: number,
            content: text(&content, constants),
            facts,
            owner: None,
            blank: false,
            moves: false,
        }
    };
    of_contents.into_iter().map(piece).collect()
}

/// The ties of all layers, added up for each pair of cells.
fn links(stack: &[Turned<'_>], number_of: impl Fn(&[u32]) -> u32) -> Vec<Link> {
    let mut links: BTreeMap<[u32; 2], (u32, f64)> = BTreeMap::new();
    for layer in stack {
        for (ends, moves, reads) in &layer.read.ties {
            let mut ends = ends.each_ref().map(|end| number_of(&layer.turned(end)));
            ends.sort_unstable();
            let link = links.entry(ends).or_default();
            *link = (link.0 + moves, link.1 + reads);
        }
    }
    let link = |(cells, (moves, reads))| Link {
        cells,
        moves,
        reads,
    };
    links.into_iter().map(link).collect()
}
