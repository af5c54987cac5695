//! A state as data: what is on which square, and the facts that are on none.

use crate::board::Board;
use crate::layout::{Fact, Layout};
use crate::names::Names;
use gdl_parse::GroundTerm;
use std::collections::BTreeMap;

/// A square of a [`Grid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The position of the grid in [`Scene::grids`].
    pub grid: usize,
    /// The position of the board in [`Grid::names`].
    pub board: usize,
    /// The position in the horizontal side, from the left.
    pub x: usize,
    /// The position in the vertical side, from below.
    pub y: usize,
}

/// The facts of a state, in the places where people look for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// What is on the boards. Empty boards are there too.
    pub grids: Vec<Grid>,
    /// All other facts, one entry for each relation, in alphabetical order.
    pub lists: Vec<List>,
    /// The constants that name squares by themselves.
    pub names: Names,
}

/// One board, or several boards of the same kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// The shapes of the facts that are drawn on it, such as `cell _ _ _`.
    pub shapes: Vec<String>,
    /// The names of the boards: one empty name if there is only one.
    pub names: Vec<Vec<String>>,
    /// The horizontal side from the left, and the vertical one from below.
    pub sides: [Vec<String>; 2],
    /// Whether empty squares are marked by facts, so that a place without any fact is no square.
    pub marked: bool,
    /// The things by their squares, in order; `None` is an empty square.
    pub things: BTreeMap<Square, Option<String>>,
    /// Short names of the things that have one.
    pub labels: BTreeMap<String, String>,
}

/// The facts of one relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The name of the relation.
    pub relation: String,
    /// The arguments of each fact, separated by spaces.
    pub facts: Vec<String>,
}

/// The facts of a state, with those of boards on their squares.
pub(crate) fn scene(boards: &[Board], names: &Names, facts: &[GroundTerm]) -> Scene {
    let mut grids: Vec<Grid> = boards.iter().map(empty).collect();
    let mut left = Vec::new();
    for term in facts {
        let fact = Fact::of(term, names);
        match placed(boards, &fact) {
            Some((square, thing)) => {
                grids[square.grid].things.insert(square, thing);
            }
            None => left.push(term),
        }
    }
    Scene {
        grids,
        lists: lists(&left),
        names: names.clone(),
    }
}

fn empty(board: &Board) -> Grid {
    Grid {
        shapes: board.layers.iter().map(|l| l.shape.clone()).collect(),
        names: board.names.clone(),
        sides: board.sides.clone(),
        marked: board.layers.iter().any(|layer| layer.blank.is_some()),
        things: BTreeMap::new(),
        labels: board.labels.clone(),
    }
}

/// The square of a fact and the name of what is there; `None` if the fact is on no board.
pub(crate) fn placed(boards: &[Board], fact: &Fact<'_>) -> Option<(Square, Option<String>)> {
    boards.iter().enumerate().find_map(|(grid, board)| {
        let layer = board
            .layers
            .iter()
            .find(|layer| layer.shape == fact.shape)?;
        let (name, across, up) = layer.place(&fact.args);
        let square = Square {
            grid,
            board: board.names.iter().position(|other| *other == name)?,
            x: board.sides[0].iter().position(|value| *value == across)?,
            y: board.sides[1].iter().position(|value| *value == up)?,
        };
        Some((square, thing(board, layer, fact)))
    })
}

/// The name of what a fact places; `None` for what marks an empty square.
fn thing(board: &Board, layer: &Layout, fact: &Fact<'_>) -> Option<String> {
    if layer.content.is_empty() {
        return Some(board.thing(layer, "#"));
    }
    let thing = layer.thing(&fact.args);
    (layer.blank.as_ref() != Some(&thing)).then(|| board.thing(layer, &thing))
}

fn lists(facts: &[&GroundTerm]) -> Vec<List> {
    let mut relations: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for fact in facts {
        let (name, args) = match fact {
            GroundTerm::Constant(name) => (name, &[][..]),
            GroundTerm::Compound(name, args) => (name, args.as_slice()),
        };
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        relations.entry(name).or_default().push(args.join(" "));
    }
    let list = |(relation, facts): (&str, Vec<String>)| List {
        relation: relation.to_owned(),
        facts,
    };
    relations.into_iter().map(list).collect()
}
