//! Puts relations on boards: those that share squares without ever meeting are one board.

use crate::labels::labels;
use crate::layout::{Fact, Layout};
use crate::names::Names;
use crate::order::ordered;
use gdl_parse::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};

/// A relation with at most this part of a board's squares is about things on the board, such as
/// which pieces have moved, if there is another one with more.
const SPARSE: usize = 4;

/// A board with everything that is drawn on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    /// The relations. No two of them ever have a fact in the same place.
    pub layers: Vec<Layout>,
    /// The values of both coordinates, in order.
    pub sides: [Vec<String>; 2],
    /// The names of the boards side by side, in order.
    pub names: Vec<Vec<String>>,
    /// The letters for the things of each layer, by name; see [`Board::thing`].
    pub labels: BTreeMap<String, String>,
}

/// A place: the board's name, and both coordinates.
type Place = (Vec<String>, String, String);

/// The places of a relation's facts in each sampled state.
type Places = Vec<BTreeSet<Place>>;

/// Puts the layouts on boards. Layouts that only mark squares of another board are left out.
pub(crate) fn boards(
    layouts: Vec<Layout>,
    chains: &[Vec<String>],
    states: &[Vec<GroundTerm>],
    names: &Names,
) -> Vec<Board> {
    let mut found: Vec<(Layout, Places)> = layouts
        .into_iter()
        .map(|layout| {
            let places = places(&layout, states, names);
            (layout, places)
        })
        .collect();
    // The relation with the most facts is what people call the board.
    found.sort_by_key(|(_, places)| {
        std::cmp::Reverse(places.iter().map(BTreeSet::len).sum::<usize>())
    });
    let mut boards: Vec<(Board, Places)> = Vec::new();
    for (layout, places) in found {
        let marks = boards
            .iter()
            .any(|(board, _)| marks(board, &layout, &places));
        let beside = boards.iter_mut().find_map(|(board, taken)| {
            let sides = united(&board.sides, &layout.sides, chains)?;
            (board.names == layout.names && apart(taken, &places)).then_some((board, taken, sides))
        });
        match beside {
            Some((board, taken, sides)) => {
                board.sides = sides;
                board.layers.push(layout);
                taken
                    .iter_mut()
                    .zip(places)
                    .for_each(|(all, own)| all.extend(own));
            }
            None if marks => {}
            None => {
                let board = Board {
                    sides: layout.sides.clone(),
                    names: layout.names.clone(),
                    labels: BTreeMap::new(),
                    layers: vec![layout],
                };
                boards.push((board, places));
            }
        }
    }
    boards
        .into_iter()
        .map(|(board, _)| board.labelled())
        .collect()
}

impl Board {
    /// Gives everything on the board a letter.
    fn labelled(mut self) -> Board {
        let things = |layer: &Layout| -> Vec<String> {
            layer
                .things
                .iter()
                .map(|thing| self.thing(layer, thing))
                .collect()
        };
        let things: Vec<String> = self.layers.iter().flat_map(things).collect();
        self.labels = labels(things.iter().map(String::as_str));
        self
    }

    /// The name of a thing. On a board of several relations it begins with that of its relation.
    pub fn thing(&self, layer: &Layout, thing: &str) -> String {
        let relation = layer.shape.replace(['_', '(', ')'], " ");
        let relation = relation.split_whitespace().collect::<Vec<_>>().join(" ");
        match (self.layers.len(), layer.content.is_empty()) {
            (1, _) => thing.to_owned(),
            (_, true) => relation,
            (_, false) => format!("{relation} {thing}"),
        }
    }
}

/// The union of two pairs of sides; `None` if they are not of one kind.
fn united(
    one: &[Vec<String>; 2],
    other: &[Vec<String>; 2],
    chains: &[Vec<String>],
) -> Option<[Vec<String>; 2]> {
    let side = |at: usize| {
        let (one, other) = (&one[at], &other[at]);
        let shared = one.iter().filter(|value| other.contains(value)).count();
        // Pieces may have been seen on a part of the board only, but on more than half of it.
        let enough = 2 * shared > one.len().max(other.len());
        let all = one.iter().chain(other).map(String::as_str).collect();
        ordered(&all, chains).filter(|_| enough)
    };
    Some([side(0)?, side(1)?])
}

/// Whether two relations never have facts in the same place.
fn apart(one: &Places, other: &Places) -> bool {
    one.iter()
        .zip(other)
        .all(|(one, other)| one.is_disjoint(other))
}

/// Whether a relation only marks some of a board's squares.
fn marks(board: &Board, layout: &Layout, places: &Places) -> bool {
    let inside = (0..2).all(|at| {
        let mut side = layout.sides[at].iter();
        side.all(|value| board.sides[at].contains(value))
    });
    let squares = board.sides[0].len() * board.sides[1].len() * board.names.len();
    let most = places.iter().map(BTreeSet::len).max().unwrap_or(0);
    inside && most * SPARSE <= squares
}

/// The places of a relation's facts in each state.
fn places(layout: &Layout, states: &[Vec<GroundTerm>], names: &Names) -> Places {
    let of = |facts: &Vec<GroundTerm>| {
        let facts = facts.iter().map(|term| Fact::of(term, names));
        let own = facts.filter(|fact| fact.shape == layout.shape);
        own.map(|fact| layout.place(&fact.args)).collect()
    };
    states.iter().map(of).collect()
}
